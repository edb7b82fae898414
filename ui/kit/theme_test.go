package kit

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
)

// TestMeaningWithoutColour: what a color says a symbol and a word say too, in every look.
func TestMeaningWithoutColour(t *testing.T) {
	for name, o := range map[string]Options{"dark": {}, "light": {Light: true}, "no color": {NoColor: true}} {
		th := newTheme(o)
		looks := map[string]string{}
		for _, s := range []checks.Severity{checks.Critical, checks.High, checks.Medium, checks.Low, checks.Info} {
			symbol, style := th.Severity(s)
			drawn := style.Styled("x")
			if other, ok := looks[symbol]; ok && other != drawn {
				t.Errorf("%s: only the color tells %s from another severity with the symbol %s", name, s, symbol)
			}
			looks[symbol] = drawn
			if (drawn != "x") == (o.NoColor && s <= checks.Low) {
				t.Errorf("%s: %s is drawn as %q", name, s, drawn)
			}
		}
		if len(looks) != 5 {
			t.Errorf("%s: the five severities have %d symbols", name, len(looks))
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
	for _, r := range roles {
		for _, look := range []string{r.dark, r.light, r.plain} {
			if _, err := parseStyle(look, true); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
		if err := CheckTheme(r.name, r.dark); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}

// TestThemes holds that each theme names roles that there are, and that bad and good differ by more than red and green in the
// one for eyes that cannot tell them apart.
func TestThemes(t *testing.T) {
	for name, theme := range Themes {
		for role, style := range theme {
			if err := CheckTheme(role, style); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	usual, blue := newTheme(Options{}), newTheme(Options{ThemeName: "blue-orange"})
	if usual.Good == blue.Good || usual.Bad == blue.Bad {
		t.Error("blue-orange is the usual theme")
	}
	if got := newTheme(Options{Environ: []string{"TERM=xterm"}}).Dim.Styled("x"); got != "\x1b[2mx\x1b[m" {
		t.Errorf("on a terminal of few colors dim is drawn as %q", got)
	}
}

func TestParseStyle(t *testing.T) {
	for text, want := range map[string]string{
		"bright-red bold": "\x1b[1;91mx\x1b[m", "208": "\x1b[38;5;208mx\x1b[m", "#56B4E9 underline": "\x1b[4;38;2;86;180;233;4mx\x1b[m",
		"black on bright-cyan": "\x1b[30;106mx\x1b[m", "none": "x", "reverse": "\x1b[7mx\x1b[m",
	} {
		s, err := parseStyle(text, true)
		if got := s.Render("x"); err != nil || got != want {
			t.Errorf("%s: %q %v, want %q", text, got, err, want)
		}
		if s, err = parseStyle(text, false); err != nil || strings.ContainsAny(s.Render("x"), "389") {
			t.Errorf("%s without colors: %q %v", text, s.Render("x"), err)
		}
	}
	for text, want := range map[string]string{"": "it is empty", "256": `"256" is no color`, "#12345": "is no color", "bold on": "missing", "brigt-red": "did you mean bright-red?"} {
		if _, err := parseStyle(text, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestOwnTheme: the user's own style is on the screen, and without colors only what is none of it.
func TestOwnTheme(t *testing.T) {
	own := map[string]string{"bad": "#ff8800 bold"}
	if got := newTheme(Options{Theme: own}).Bad.Styled("x"); got != "\x1b[1;38;2;255;136;0mx\x1b[m" {
		t.Errorf("%q", got)
	}
	th := newTheme(Options{Theme: own, NoColor: true})
	if got := th.Bad.Styled("x"); got != "\x1b[1mx\x1b[m" || ansi.Strip(got) != "x" {
		t.Errorf("%q", got)
	}
}
