package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/checks"
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

func newTheme(o Options) theme {
	var s ansi.Style
	t := theme{
		critical: s.Bold(), warn: s.Bold(), unknown: s.Bold(), strong: s.Bold(), section: s.Bold(), key: s.Bold(),
		selected: s.Reverse(true), marked: s.Reverse(true), ascii: o.ASCII,
	}
	if o.NoColor {
		return t
	}
	t.critical = s.Bold().ForegroundColor(ansi.BrightRed)
	t.warn = s.ForegroundColor(ansi.BrightYellow)
	t.info = s.ForegroundColor(ansi.Cyan)
	t.good = s.ForegroundColor(ansi.BrightBlue)
	t.unknown = s.ForegroundColor(ansi.BrightMagenta)
	t.section = s.Bold().ForegroundColor(ansi.BrightCyan)
	t.dim = s.ForegroundColor(ansi.BrightBlack)
	t.key = s.Bold().ForegroundColor(ansi.BrightCyan)
	if o.Light {
		t.critical = s.Bold().ForegroundColor(ansi.Red)
		t.warn = s.Bold().ForegroundColor(ansi.Yellow)
		t.good = s.ForegroundColor(ansi.Blue)
		t.unknown = s.ForegroundColor(ansi.Magenta)
		t.section = s.Bold().ForegroundColor(ansi.Blue)
		t.key = s.Bold().ForegroundColor(ansi.Blue)
	}
	return t
}

func (t *theme) look() widget.Look {
	return widget.Look{Head: t.dim, Selected: t.selected, Edge: t.strong}
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
