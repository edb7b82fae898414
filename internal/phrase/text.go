package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence begins with a capital letter, unless it begins with a name, and ends with a full stop.
func Sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s != "" && !strings.ContainsAny(first, "/.:_0123456789") && s[0] < utf8.RuneSelf {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

// Capital is a text with a capital at its beginning.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Prose is text of ours about what is in files, made harmless: its line breaks mean nothing.
func Prose(s string) string { return Printable(strings.Join(strings.Fields(s), " ")) }

// Or is text, or other where there is none.
func Or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
