package phrase

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable is s with everything escaped that could drive a terminal or mislead the eye: control
// characters as \n, \t, \xNN, bytes that are not UTF-8 as \xNN, bidirectional and other invisible
// format characters and separators as \u{NNNN}. All text that comes from a checkpoint goes through
// here before it reaches a person.
func Printable(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case Invisible(r):
			fmt.Fprintf(&b, `\u{%04x}`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f || Invisible(r) }) < 0
		}
	}
	return true
}

// Invisible reports whether a character is invisible, or changes how others are drawn.
func Invisible(r rune) bool {
	return r >= 0x80 && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co))
}
