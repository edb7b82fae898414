package row

import (
	"bytes"
	"testing"
)

// FuzzKeys reads any bytes as a key of each encoder. A key that reads is written again, where it can be, and
// reads the same; its bytes are then those that Spark writes, so that they read and write to themselves.
func FuzzKeys(f *testing.F) {
	columns := []Column{{Name: "k", Type: "string"}, {Name: "l", Type: "long"}}
	var keys []*Keys
	for _, encoding := range []Encoding{Plain, Unsafe} {
		for _, encoder := range []string{"", byPrefix, byRange + `[1]}`, byTime, `{"keyStateEncoderType":"TimestampAsPostfixKeyStateEncoderSpec"}`} {
			keys = append(keys, keysOf(f, encoder, encoding, columns...))
		}
	}
	keys = append(keys, keysOf(f, byPrefix, Avro, columns...), keysOf(f, byRange+`[1,0]}`, Avro, Column{Name: "d", Type: "double"}, Column{Name: "i", Type: "integer"}))
	for i, k := range keys {
		one := Value{Type: k.Type, Items: []Value{{Type: k.Type.Fields[0].Type, Bytes: []byte("ann")}, {Type: k.Type.Fields[1].Type, Int: 1764403200000000}}}
		if data, err := k.Encode(one); err == nil {
			f.Add(data, byte(i))
		}
	}
	f.Add(bytesOf(f, `0e000000 00 02 02 01 02 10 000001a22825b902 00 0000 02 02 06 616e6e`), byte(10))
	f.Add(bytesOf(f, `19000000 00 0000000000000000 0300000010000000 616e6e0000000000 00 0000000000000000 00e33e89f34b0600`), byte(6))
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		k := keys[int(which)%len(keys)]
		v, err := k.Decode(data)
		if err != nil {
			return
		}
		shown := string(v.AppendJSON(nil))
		written, err := k.Encode(v)
		if err != nil {
			return // Avro, ranges, and a time that is null are not written
		}
		again, err := k.Decode(written)
		if err != nil || string(again.AppendJSON(nil)) != shown {
			t.Fatalf("%s was written as %x and reads as %s, %v", shown, written, again.AppendJSON(nil), err)
		}
		if third, err := k.Encode(again); err != nil || !bytes.Equal(third, written) {
			t.Fatalf("%s is written as %x and then as %x, %v", shown, written, third, err)
		}
	})
}

// FuzzVariant reads any bytes as a variant: what it shows is no longer than it may be, and Decode lets through
// what can be shown.
func FuzzVariant(f *testing.F) {
	f.Add(variantOf(f, `02 03 000102 00020d13  0c01  03 03 00010205 04 00 09 6869  20 02 96000000`, names))
	f.Add(variantOf(f, `00`, names))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := variantJSON([]byte("before"), data)
		if !bytes.HasPrefix(text, []byte("before")) || err != nil && len(text) != len("before") || len(text) > variantLimit+len("before")+6*len(data)+64 {
			t.Fatalf("%d bytes show as %d, %v", len(data), len(text), err)
		}
	})
}
