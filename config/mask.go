package config

import "regexp"

// hidden are what a person must not find in a log or on a screen that is shown around, each with what
// stands in its place. What comes before the secret is kept: it says what was hidden.
var hidden = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`(//)[^/?#@\s"']+@`), "${1}…@"},                                 // user and password of a URL
	{regexp.MustCompile(`(\w[^\s"'?]*\?)[^\s"'?]*=[^\s"']*`), "${1}…"},                  // a query string: signatures and tokens
	{regexp.MustCompile(`(?i)(authorization:?\s*)(\w+ +)?[^\s,;"']+[^\n"']*`), "${1}…"}, // a header
	{regexp.MustCompile(`(?i)((?:secret|password|passwd|token|signature|credential|session)[a-z0-9_-]*"?\s*[=:]\s*"?)[^\s"'&,;]+`), "${1}…"},
	{regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{8,}([A-Z0-9]{4})\b`), "${1}…${2}"}, // an access key
}

// Mask is text without what gives access: user and password of a URL, query strings (a presigned URL holds its
// signature there), values that are named secret, token, password or signature, and the middle of access keys.
func Mask(text string) string {
	for _, h := range hidden {
		text = h.find.ReplaceAllString(text, h.with)
	}
	return text
}

// atHead is what stands before the host of a URI and is no name of a place; inQuery what may give access to one.
var (
	atHead  = regexp.MustCompile(`^(\w[\w+.-]*://)[^/?#@]+@`)
	inQuery = regexp.MustCompile(`^(https?://[^?]*\?).*`)
)

// MaskLocation is a location without what gives access. What is left of one in a bucket, or of a path, still leads
// there: their names may hold any character.
func MaskLocation(location string) string {
	return inQuery.ReplaceAllString(atHead.ReplaceAllString(location, "${1}…@"), "${1}…")
}
