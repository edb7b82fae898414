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

// What is no difference, and stands below the differences: what was not compared, and what says the same.
const (
	NotCompared checks.Effect = "not compared"
	Same        checks.Effect = "same"
)

// StoreMark is what a row says of itself, in a sign and a word or two.
type StoreMark struct {
	Symbol, Words string
	Style         ansi.Style
}

// Theme is the colours by meaning. They are the terminal's own sixteen, so that the user's scheme
// rules, and each only repeats what a symbol and a word say.
type Theme struct {
	Critical, Warn, Info, Good, Unknown ansi.Style

	Strong   ansi.Style // what the eye should find first
	Section  ansi.Style // the head of a part of a screen
	Dim      ansi.Style // what matters least
	Key      ansi.Style // a key in the footer
	Selected ansi.Style
	Marked   ansi.Style // the bytes a finding or a value is about
	Ascii    bool
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
	of                 func(*Theme) *ansi.Style
}

var meanings = []meaning{
	{"critical", "bright-red bold", "red bold", "bold", func(t *Theme) *ansi.Style { return &t.Critical }},
	{"warn", "bright-yellow", "black on yellow", "bold", func(t *Theme) *ansi.Style { return &t.Warn }},
	{"info", "cyan", "blue", "none", func(t *Theme) *ansi.Style { return &t.Info }},
	{"good", "bright-blue", "blue", "none", func(t *Theme) *ansi.Style { return &t.Good }},
	{"unknown", "bold", "bold", "bold", func(t *Theme) *ansi.Style { return &t.Unknown }},
	{"strong", "bold", "bold", "bold", func(t *Theme) *ansi.Style { return &t.Strong }},
	{"section", "bright-cyan bold", "blue bold", "bold", func(t *Theme) *ansi.Style { return &t.Section }},
	{"dim", "faint", "faint", "faint", func(t *Theme) *ansi.Style { return &t.Dim }},
	{"key", "bright-cyan bold", "blue bold", "bold", func(t *Theme) *ansi.Style { return &t.Key }},
	{"selected", "reverse", "reverse", "reverse", func(t *Theme) *ansi.Style { return &t.Selected }},
	{"marked", "reverse", "reverse", "reverse", func(t *Theme) *ansi.Style { return &t.Marked }},
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

func (t *Theme) Palette() widget.Look {
	return widget.Look{Head: t.Dim, Selected: t.Selected, Edge: t.Strong}
}

// UpTo stands before a number that is known only as a most.
func (t *Theme) UpTo() string { return t.Signs("≤ ") }

// Sign is the symbol and the colour of a sign; its word stands beside them.
func (t *Theme) Sign(s phrase.Sign) (symbol string, style ansi.Style) {
	return s.Symbol, t.Role(s.Role)
}

// Severity is the symbol and the colour of a severity.
func (t *Theme) Severity(s checks.Severity) (symbol string, style ansi.Style) {
	return t.Sign(phrase.Severities.Of(s.String()))
}

// Answer is the symbol and the colour of the answer to a question.
func (t *Theme) Answer(a string) (symbol string, style ansi.Style) {
	return t.Sign(phrase.Answers.Of(a))
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

// Effect is the symbol and the colour of an effect.
func (t *Theme) Effect(e checks.Effect) (symbol string, style ansi.Style) {
	return t.Sign(phrase.Effects.Of(string(e)))
}

func (t *Theme) YesNo(yes bool) widget.Cell {
	if yes {
		return t.held("yes")
	}
	return t.held("no")
}

// InOutput is whether a batch is in the output.
func (t *Theme) InOutput(o *checks.Output, id int64) widget.Cell { return t.held(page.InOutput(o, id)) }

func (t *Theme) held(word string) widget.Cell {
	sign, ok := phrase.Held[word]
	if !ok {
		return widget.Cell{Text: "?", Style: t.Unknown}
	}
	return widget.Cell{Text: sign.Head(), Style: t.Role(sign.Role)}
}

// Situation is the symbol and the colour of how the output stands.
func (t *Theme) Situation(s checks.Situation) (symbol string, style ansi.Style) {
	return t.Sign(phrase.Situations.Of(string(s)))
}

// Health is the symbol and the colour of a word on a checkpoint.
func (t *Theme) Health(word string) (symbol string, style ansi.Style) {
	if word == "" || word == "…" || word == "folder" {
		return "", ansi.Style{}
	}
	if sign, ok := phrase.Severities[word]; ok {
		return t.Sign(sign)
	}
	return t.Sign(phrase.Healths.Of(word))
}

// Fate is the symbol and the colour of a fate.
func (t *Theme) Fate(f checks.FateWord) (symbol string, style ansi.Style) {
	return t.Sign(phrase.Fates.Of(string(f)))
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
	from, to := Positions(f.Ranges[c.Source][i])
	if from == to {
		return to + "  ="
	}
	return from + " → " + to
}
