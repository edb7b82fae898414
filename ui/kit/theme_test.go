package kit

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
)

// TestMeaningWithoutColour: what a colour says a symbol and a word say too, in every look.
func TestMeaningWithoutColour(t *testing.T) {
	for name, o := range map[string]Options{"dark": {}, "light": {Light: true}, "no colour": {NoColor: true}} {
		th := newTheme(o)
		symbols := map[string]string{}
		for _, s := range []checks.Severity{checks.Critical, checks.High, checks.Low, checks.Info} {
			symbol, style := th.Severity(s)
			if other, ok := symbols[symbol]; ok {
				t.Errorf("%s: %s and %s have one symbol, %s", name, s, other, symbol)
			}
			symbols[symbol] = s.String()
			if (style.Styled("x") != "x") == (o.NoColor && (s == checks.Low || s == checks.Info)) {
				t.Errorf("%s: %s is drawn as %q", name, s, style.Styled("x"))
			}
		}
		answers := map[string]bool{}
		for _, a := range []string{"yes", "no", "unknown"} {
			symbol, _ := th.Answer(a)
			answers[symbol] = true
		}
		if len(answers) != 3 {
			t.Errorf("%s: the three answers have %d symbols", name, len(answers))
		}
	}
	for _, m := range meanings {
		for _, look := range []string{m.dark, m.light, m.plain} {
			if _, err := parseStyle(look, true); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
			if strings.Contains(look, "green") {
				t.Errorf("%s is green: many eyes cannot tell it from red", m.name)
			}
		}
		if err := CheckTheme(m.name, m.dark); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

func TestParseStyle(t *testing.T) {
	for text, want := range map[string]string{
		"bright-red bold": "\x1b[91;1mx\x1b[m", "208": "\x1b[38;5;208mx\x1b[m", "#56B4E9 underline": "\x1b[38;2;86;180;233;4mx\x1b[m",
		"black on bright-cyan": "\x1b[30;106mx\x1b[m", "none": "x", "reverse": "\x1b[7mx\x1b[m",
	} {
		s, err := parseStyle(text, true)
		if got := s.Styled("x"); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", text, got, err, want)
		}
		if s, err = parseStyle(text, false); err != nil || strings.ContainsAny(s.Styled("x"), "389") {
			t.Errorf("%s without colours: %q %v", text, s.Styled("x"), err)
		}
	}
	for text, want := range map[string]string{"": "it is empty", "256": `"256" is no colour`, "#12345": "is no colour", "bold on": "missing", "brigt-red": "did you mean bright-red?"} {
		if _, err := parseStyle(text, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestOwnTheme: a style of the user's stands on the screen, and without colours only what is none of it.
func TestOwnTheme(t *testing.T) {
	own := map[string]string{"critical": "#ff8800 bold"}
	if got := newTheme(Options{Theme: own}).Critical.Styled("x"); got != "\x1b[38;2;255;136;0;1mx\x1b[m" {
		t.Errorf("%q", got)
	}
	th := newTheme(Options{Theme: own, NoColor: true})
	if got := th.Critical.Styled("x"); got != "\x1b[1mx\x1b[m" || ansi.Strip(got) != "x" {
		t.Errorf("%q", got)
	}
}
