package row

// Encoder is a KeyEncoder.
type Encoder = KeyEncoder

// ParseEncoder is ParseKeyEncoder.
func ParseEncoder(text string) (KeyEncoder, error) { return ParseKeyEncoder(text) }

// PrefixKeyScan is the encoder of keys that are looked up by their first n columns too.
func PrefixKeyScan(n int) KeyEncoder { return KeyEncoder{Form: PrefixScan, Prefix: n} }
