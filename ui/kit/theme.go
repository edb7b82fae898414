package kit

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// StoreMark is what a row says of itself, in a sign and a word or two.
type StoreMark struct {
	Symbol, Words string
	Style         widget.Style
}

// Theme is the colors by meaning. They are the terminal's own sixteen, so that the user's scheme
// rules, and each only repeats what a symbol and a word say.
type Theme struct {
	Critical, Warn, Info, Good, Unknown widget.Style

	Strong   widget.Style // what the eye should find first
	Section  widget.Style // the head of a part of a screen
	Dim      widget.Style // what matters least
	Key      widget.Style // a key in the footer
	Selected widget.Style
	Marked   widget.Style // the bytes a finding or a value is about
	Ascii    bool
}

// meaning is a name for a style in the file of settings, with how it looks on a dark and on a light
// background, and without colors.
//
// Good and bad differ as blue and red do, not as green and red; what is not known has no color, because
// many eyes see magenta as blue. What matters least is faint and not "bright black", which some schemes
// make the color of the background. Yellow is too light for a light background, so there it is the ground.
type meaning struct {
	name               string
	dark, light, plain string
	of                 func(*Theme) *widget.Style
}

var meanings = []meaning{
	{"critical", "bright-red bold", "red bold", "bold", func(t *Theme) *widget.Style { return &t.Critical }},
	{"warn", "bright-yellow", "black on yellow", "bold", func(t *Theme) *widget.Style { return &t.Warn }},
	{"info", "cyan", "blue", "none", func(t *Theme) *widget.Style { return &t.Info }},
	{"good", "bright-blue", "blue", "none", func(t *Theme) *widget.Style { return &t.Good }},
	{"unknown", "bold", "bold", "bold", func(t *Theme) *widget.Style { return &t.Unknown }},
	{"strong", "bold", "bold", "bold", func(t *Theme) *widget.Style { return &t.Strong }},
	{"section", "bright-cyan bold", "blue bold", "bold", func(t *Theme) *widget.Style { return &t.Section }},
	{"dim", "faint", "faint", "faint", func(t *Theme) *widget.Style { return &t.Dim }},
	{"key", "bright-cyan bold", "blue bold", "bold", func(t *Theme) *widget.Style { return &t.Key }},
	{"selected", "reverse", "reverse", "reverse", func(t *Theme) *widget.Style { return &t.Selected }},
	{"marked", "reverse", "reverse", "reverse", func(t *Theme) *widget.Style { return &t.Marked }},
}

// newTheme is the theme of the options: their own styles, which CheckTheme has passed, before the default.
func newTheme(o Options) Theme {
	t := Theme{Ascii: o.ASCII}
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
		gloss, _ := parseStyle(text, !o.NoColor)
		*m.of(&t) = widget.NewStyle(gloss)
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

func (t *Theme) Palette() widget.Palette {
	return widget.Palette{Head: t.Dim, Selected: t.Selected, Edge: t.Strong}
}

// shown is the symbol of a sign and the style of its role; its word stands beside them.
func (t *Theme) shown(s phrase.Sign) (symbol string, style widget.Style) {
	return s.Symbol, t.Role(s.Role)
}

// Severity is the symbol and the style of a severity; its word stands beside them.
func (t *Theme) Severity(s checks.Severity) (symbol string, style widget.Style) {
	return t.shown(phrase.Severities.Of(s.String()))
}

// Answer is the symbol and the style of the answer to a question.
func (t *Theme) Answer(a string) (symbol string, style widget.Style) {
	return t.shown(phrase.Answers.Of(a))
}

// Plain is the last thing done to a frame with --ascii: every sign the screens are drawn with has one
// of its own, and any other character that is not ASCII becomes question marks as wide as it is.
func (t *Theme) Plain(s string) string {
	if !t.Ascii {
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

// YesNo says whether something is there.
func (t *Theme) YesNo(yes bool) widget.Cell {
	if yes {
		return t.held("yes")
	}
	return t.held("no")
}

// InOutput is whether a batch is in the output.
func (t *Theme) InOutput(o *checks.Output, id int64) widget.Cell {
	return t.held(page.InOutput(o, id))
}

// held is a sign with its word; that of what is not known stands alone.
func (t *Theme) held(word string) widget.Cell {
	sign := phrase.Held.Of(word)
	symbol, style := t.shown(sign)
	if sign.Role == phrase.Open {
		return widget.Cell{Text: symbol, Style: style}
	}
	return widget.Cell{Text: sign.Head(), Style: style}
}

// Health is the symbol and the style of a word on a checkpoint; nothing for a folder, and while it is read.
func (t *Theme) Health(word string) (symbol string, style widget.Style) {
	switch word {
	case "", "…", "folder":
		return "", widget.Style{}
	}
	if s, ok := phrase.Severities[word]; ok {
		return t.shown(s)
	}
	return t.shown(phrase.Healths.Of(word))
}

// Part is what the batch reads of one part: "1200 → 1350".
func (f *BatchFacts) Part(c PartColumn) string {
	if c.Source >= len(f.Ranges) {
		return "·"
	}
	i, ok := f.index[c.Source][c.Name]
	if !ok {
		return "·"
	}
	from, to := phrase.Ends(f.Ranges[c.Source][i])
	if from == to {
		return to + "  ="
	}
	return from + " → " + to
}
