package phrase

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"orders/0 → 12": "orders/0 → 12",
		"a\x1b[31mb":    `a\x1b[31mb`,
		"a\u009b31mb":   `a\x9b31mb`,
		"a\u202eb":      `a\u{202e}b`,
		"\xff\n\t":      `\xff\n\t`,
		"späti 商店":      "späti 商店",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b]0;x\x07\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		out := Printable(s)
		if !utf8.ValidString(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		for _, r := range out {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
				t.Fatalf("%q keeps %U", out, r)
			}
		}
	})
}
