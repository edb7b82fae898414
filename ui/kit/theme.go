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
func (t *Theme) UpTo() string {
	if t.Ascii {
		return "<= "
	}
	return "≤ "
}

// Severity is the symbol and the colour of a severity; its word stands beside them.
func (t *Theme) Severity(s checks.Severity) (symbol string, style ansi.Style) {
	switch s {
	case checks.Critical:
		return "✗", t.Critical
	case checks.High:
		return "!", t.Warn
	case checks.Medium:
		return "!", t.Warn
	case checks.Low:
		return "-", t.Info
	}
	return "i", t.Info
}

// Answer is the symbol and the colour of the answer to a question.
func (t *Theme) Answer(a string) (symbol string, style ansi.Style) {
	switch a {
	case "yes":
		return "✓", t.Good
	case "no":
		return "✗", t.Critical
	}
	return "?", t.Unknown
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

// Effect is the symbol and the colour of an effect; its word stands beside them.
func (t *Theme) Effect(e checks.Effect) (symbol string, style ansi.Style) {
	switch e {
	case checks.Misreads:
		return "✗", t.Critical
	case checks.RefusesDrift:
		return "!", t.Warn
	case checks.KeepsRecorded:
		return "i", t.Info
	case NotCompared:
		return "?", t.Unknown
	}
	return "✓", t.Good
}

func (t *Theme) YesNo(yes bool) widget.Cell {
	if yes {
		return widget.Cell{Text: "✓ yes", Style: t.Good}
	}
	return widget.Cell{Text: "✗ no", Style: t.Warn}
}

// InOutput is whether a batch is in the output.
func (t *Theme) InOutput(o *checks.Output, id int64) widget.Cell {
	style, symbol := t.Unknown, "?"
	switch word := page.InOutput(o, id); word {
	case "yes":
		return t.YesNo(true)
	case "no":
		return t.YesNo(false)
	case "taken out":
		return widget.Cell{Text: "✗ " + word, Style: t.Critical}
	}
	return widget.Cell{Text: symbol, Style: style}
}

// Situation is the symbol and the colour of how the output stands; its words stand beside them.
func (t *Theme) Situation(s checks.Situation) (symbol string, style ansi.Style) {
	switch s {
	case checks.InStep, checks.NotInSink, checks.Unacknowledged, checks.NothingYet:
		return "✓", t.Good
	case checks.Ahead, checks.Replanned, checks.SetBack, checks.Behind, checks.OldOutput:
		return "✗", t.Critical
	}
	return "?", t.Unknown
}

// Health is the symbol and the colour of a word on a checkpoint.
func (t *Theme) Health(word string) (symbol string, style ansi.Style) {
	switch word {
	case "", "…", "folder":
		return "", ansi.Style{}
	case "ok":
		return "✓", t.Good
	case "unknown":
		return "?", t.Unknown
	}
	if s, err := checks.ParseSeverity(word); err == nil {
		return t.Severity(s)
	}
	return "?", t.Unknown
}

// Fate is the symbol and the colour of a fate; its word stands beside them.
func (t *Theme) Fate(f checks.FateWord) (symbol string, style ansi.Style) {
	switch f {
	case checks.Safe, checks.Replayed, checks.ToRead, checks.Merged:
		return "✓", t.Good
	case checks.FateOpen:
		return "?", t.Unknown
	case checks.Doubled, checks.Skipped:
		return "!", t.Warn
	}
	return "✗", t.Critical
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
