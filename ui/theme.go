package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/widget"
)

// theme is the colours by meaning. They are the terminal's own sixteen, so that the user's scheme
// rules, and each only repeats what a symbol and a word say.
type theme struct {
	critical, warn, info, good, unknown ansi.Style

	strong   ansi.Style // what the eye should find first
	section  ansi.Style // the head of a part of a screen
	dim      ansi.Style // what matters least
	key      ansi.Style // a key in the footer
	selected ansi.Style
	marked   ansi.Style // the bytes a finding or a value is about
	ascii    bool
}

// meaning is a name for a style in the file of settings, with how it looks on a dark and on a light
// background, and without colours.
//
// Good and bad differ as blue and red do, not as green and red; what is not known has no colour, because
// many eyes see magenta as blue. What matters least is faint and not "bright black", which some schemes
// make the colour of the background. Yellow is too light for a light background, so there it is the ground.
type meaning struct {
	name               string
	dark, light, plain string
	of                 func(*theme) *ansi.Style
}

var meanings = []meaning{
	{"critical", "bright-red bold", "red bold", "bold", func(t *theme) *ansi.Style { return &t.critical }},
	{"warn", "bright-yellow", "black on yellow", "bold", func(t *theme) *ansi.Style { return &t.warn }},
	{"info", "cyan", "blue", "none", func(t *theme) *ansi.Style { return &t.info }},
	{"good", "bright-blue", "blue", "none", func(t *theme) *ansi.Style { return &t.good }},
	{"unknown", "bold", "bold", "bold", func(t *theme) *ansi.Style { return &t.unknown }},
	{"strong", "bold", "bold", "bold", func(t *theme) *ansi.Style { return &t.strong }},
	{"section", "bright-cyan bold", "blue bold", "bold", func(t *theme) *ansi.Style { return &t.section }},
	{"dim", "faint", "faint", "faint", func(t *theme) *ansi.Style { return &t.dim }},
	{"key", "bright-cyan bold", "blue bold", "bold", func(t *theme) *ansi.Style { return &t.key }},
	{"selected", "reverse", "reverse", "reverse", func(t *theme) *ansi.Style { return &t.selected }},
	{"marked", "reverse", "reverse", "reverse", func(t *theme) *ansi.Style { return &t.marked }},
}

// newTheme is the theme of the options: their own styles, which CheckTheme has passed, before the default.
func newTheme(o Options) theme {
	t := theme{ascii: o.ASCII}
	for _, m := range meanings {
		text := m.dark
		switch own := o.Theme[m.name]; {
		case own != "":
			text = own
		case o.NoColor:
			text = m.plain
		case o.Light:
			text = m.light
		}
		*m.of(&t), _ = parseStyle(text, !o.NoColor)
	}
	return t
}

// CheckTheme is what is wrong with a line of the user's own theme; nil for nothing.
func CheckTheme(name, style string) error {
	var names []string
	for _, m := range meanings {
		if m.name == name {
			_, err := parseStyle(style, true)
			return err
		}
		names = append(names, m.name)
	}
	return fmt.Errorf("nothing in the explorer is called that: %s%s", strings.Join(names, ", "), phrase.DidYouMean(name, names))
}

func (t *theme) look() widget.Look {
	return widget.Look{Head: t.dim, Selected: t.selected, Edge: t.strong}
}

// upTo stands before a number that is known only as a most.
func (t *theme) upTo() string {
	if t.ascii {
		return "<= "
	}
	return "≤ "
}

// severity is the symbol and the colour of a severity; its word stands beside them.
func (t *theme) severity(s checks.Severity) (symbol string, style ansi.Style) {
	switch s {
	case checks.Critical:
		return "✗", t.critical
	case checks.High:
		return "!", t.warn
	case checks.Medium:
		return "!", t.warn
	case checks.Low:
		return "-", t.info
	}
	return "i", t.info
}

// answer is the symbol and the colour of the answer to a question.
func (t *theme) answer(a string) (symbol string, style ansi.Style) {
	switch a {
	case "yes":
		return "✓", t.good
	case "no":
		return "✗", t.critical
	}
	return "?", t.unknown
}

// plain is the last thing done to a frame with --ascii: every sign the screens are drawn with has one
// of its own, and any other character that is not ASCII becomes question marks as wide as it is.
func (t *theme) plain(s string) string {
	if !t.ascii {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch c, ok := inASCII[r]; {
		case r < 0x80:
			b.WriteRune(r)
		case ok:
			b.WriteByte(c)
		default:
			b.WriteString(strings.Repeat("?", ansi.StringWidth(string(r))))
		}
	}
	return b.String()
}

// inASCII has a line for every sign that is not ASCII and that the screens draw themselves.
var inASCII = map[rune]byte{
	'✓': '+', '✗': 'x', '…': '~', '·': '.', '→': '>', '←': '<', '↑': '^', '↓': 'v',
	'─': '-', '━': '=', '╌': '-', '│': '|', '▏': '|', '▸': '>', '▲': '^', '‹': '<', '›': '>', '–': '-', '×': 'x', '≤': '<',
	'▁': '_', '▂': '.', '▃': ':', '▄': '-', '▅': '=', '▆': '+', '▇': '*', '█': '#',
}
