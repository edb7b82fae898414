package phrase

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestTextsFit(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Cut("orders/0", 5), "orde…"},
		{Cut("orders", 6), "orders"},
		{Cut("商店商店", 4), "商…"},
		{Cut("x", 0), ""},
		{Middle("s3://lake/checkpoints/orders-by-shop", 20), "s3://lake…rs-by-shop"},
		{Fit("ab", 4), "ab  "},
		{FitRight("ab", 4), "  ab"},
		{strings.Join(Wrap("state-version-missing is one word", 12), "|"), "state-versio|n-missing is|one word"},
		{strings.Join(Wrap("look in state-version-missing", 22), "|"), "look in|state-version-missing"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestWidthIsThatOfTheLibrary: lines of what is measured here are as wide as the library has them, whatever stands
// beside what.
func TestWidthIsThatOfTheLibrary(t *testing.T) {
	parts := []string{"a", " ", "~", "[", "m", "\x1b[1;38:5:9m", "\x1b[m", "\x1b[", "\x1b", "\x1b[3x", "\x1b]8;;x\x1b\\", "\u0301", "\ufe0f", "\u200d", "商", "é", "\xff", "\t"}
	signs := 0
	for r := range rune(0x3000) {
		if sign(r) {
			parts = append(parts, string(r))
			signs++
		}
	}
	if signs < 150 {
		t.Errorf("only %d signs", signs)
	}
	for _, a := range parts {
		for _, b := range parts {
			for _, s := range []string{a + b, "x" + a + b + "x"} {
				if got, want := Width(s), ansi.StringWidth(s); got != want {
					t.Errorf("%q takes %d cells, want %d", s, got, want)
				}
			}
		}
	}
	for _, s := range []string{"  ✓ yes   2026-11-29 14:04:07Z … ▸", "\x1b[1m──\x1b[m │ ▁▃█"} {
		if _, ok := simple(s); !ok {
			t.Errorf("%q is not simple", s)
		}
	}
}
