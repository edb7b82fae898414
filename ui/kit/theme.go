package kit

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/colorprofile"
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

// Theme is the styles by role. Severities are colors of the terminal's own sixteen, so that the user's scheme rules, and each
// only repeats what a sign and a word say.
type Theme struct {
	Bad, Warn, Good, Info, Unknown widget.Style

	Strong    widget.Style // what the eye finds first
	Dim       widget.Style // labels, units, heads of columns
	Edge      widget.Style // edges of boxes, the empty part of a bar
	Accent    widget.Style // the edge in focus, keys, what is typed
	Plot      widget.Style // bars and columns
	Selection widget.Style // the row under the cursor
	Marked    widget.Style // the bytes of the selected value
	TabOn     widget.Style // the active tab
	TabKey    widget.Style // the letter of a tab's key

	BannerBad, BannerWarn, BannerGood, BannerNote, BannerNone widget.Style

	Ascii bool

	keyOf func(key.Binding) string // how the first key of a binding is shown; nil: as it usually is
}

// key is how the first key of a binding is shown; "" where it has none.
func (t *Theme) key(b key.Binding) string {
	if t.keyOf != nil && b.Help().Key != "" {
		return t.keyOf(b)
	}
	first, _, _ := strings.Cut(b.Help().Key, " ")
	return first
}

// role is a style by the name that it has in the file of settings, with how it looks on a dark and on a light background,
// and without colors.
type role struct {
	name               string
	dark, light, plain string
	of                 func(*Theme) *widget.Style
}

// roles have their greys from the palette of 256 colors, because some schemes make "bright black" the color of the
// background; a terminal of sixteen colors gets faint instead.
var roles = []role{
	{"bad", "bright-red bold", "red bold", "bold", func(t *Theme) *widget.Style { return &t.Bad }},
	{"warn", "bright-yellow", "130", "bold", func(t *Theme) *widget.Style { return &t.Warn }},
	{"ok", "bright-green", "28", "none", func(t *Theme) *widget.Style { return &t.Good }},
	{"info", "bright-blue", "blue", "none", func(t *Theme) *widget.Style { return &t.Info }},
	{"unknown", "bright-yellow", "130", "bold", func(t *Theme) *widget.Style { return &t.Unknown }},
	{"strong", "bold", "bold", "bold", func(t *Theme) *widget.Style { return &t.Strong }},
	{"dim", "245", "242", "faint", func(t *Theme) *widget.Style { return &t.Dim }},
	{"edge", "240", "250", "faint", func(t *Theme) *widget.Style { return &t.Edge }},
	{"accent", "bright-cyan bold", "30 bold", "bold", func(t *Theme) *widget.Style { return &t.Accent }},
	{"plot", "cyan", "30", "none", func(t *Theme) *widget.Style { return &t.Plot }},
	{"selection", "on 237", "on 254", "reverse", func(t *Theme) *widget.Style { return &t.Selection }},
	{"pointed-at", "black on yellow", "black on yellow", "reverse", func(t *Theme) *widget.Style { return &t.Marked }},
	{"tab-on", "bold black on bright-cyan", "bold bright-white on 30", "reverse bold", func(t *Theme) *widget.Style { return &t.TabOn }},
	{"tab-key", "bright-cyan bold underline", "30 bold underline", "bold underline", func(t *Theme) *widget.Style { return &t.TabKey }},
	{"banner-bad", "bright-white on red", "bright-white on red", "reverse bold", func(t *Theme) *widget.Style { return &t.BannerBad }},
	{"banner-warn", "black on yellow", "black on yellow", "reverse bold", func(t *Theme) *widget.Style { return &t.BannerWarn }},
	{"banner-ok", "black on green", "black on green", "reverse bold", func(t *Theme) *widget.Style { return &t.BannerGood }},
	{"banner-note", "bright-white on blue", "bright-white on blue", "reverse bold", func(t *Theme) *widget.Style { return &t.BannerNote }},
	{"banner-none", "bright-white on bright-black", "bright-white on bright-black", "reverse bold",
		func(t *Theme) *widget.Style { return &t.BannerNone }},
}

// fewColors are the styles of a terminal that has no more than sixteen colors.
var fewColors = map[string]string{"dim": "faint", "edge": "faint", "selection": "on bright-black", "accent": "bright-cyan bold"}

// Themes are the styles that come with the program beside the usual ones, by the name of the theme.
var Themes = map[string]map[string]string{
	"blue-orange": {"bad": "208 bold", "warn": "220", "ok": "39", "banner-bad": "black on 208", "banner-ok": "black on 39", "banner-warn": "black on 220"},
	"contrast":    {"dim": "none", "edge": "none", "selection": "reverse"},
}

// newTheme is the theme of the options: the user's own styles, which CheckTheme has passed, before those of the theme that
// is named, before the usual ones.
func newTheme(o Options) Theme {
	t := Theme{Ascii: o.ASCII}
	few := !o.NoColor && o.Environ != nil && colorprofile.Env(o.Environ) <= colorprofile.ANSI
	for _, r := range roles {
		text := r.dark
		switch own := o.Theme[r.name]; {
		case own != "":
			text = own
		case o.NoColor:
			text = r.plain
		case Themes[o.ThemeName][r.name] != "":
			text = Themes[o.ThemeName][r.name]
		case few && fewColors[r.name] != "":
			text = fewColors[r.name]
		case o.Light:
			text = r.light
		}
		gloss, _ := parseStyle(text, !o.NoColor)
		*r.of(&t) = widget.NewStyle(gloss)
	}
	return t
}

// Banner is the ground of a decision.
func (t *Theme) Banner(role phrase.Role) widget.Style {
	switch role {
	case phrase.Bad:
		return t.BannerBad
	case phrase.Warn:
		return t.BannerWarn
	case phrase.Good:
		return t.BannerGood
	case phrase.Info:
		return t.BannerNote
	}
	return t.BannerNone
}

// CheckTheme is what is wrong with a line of the user's own theme; nil for nothing.
func CheckTheme(name, style string) error {
	var names []string
	for _, r := range roles {
		if r.name == name {
			_, err := parseStyle(style, true)
			return err
		}
		names = append(names, r.name)
	}
	return fmt.Errorf("%q is no role of a theme; the roles are %s%s", name, strings.Join(names, ", "), phrase.DidYouMean(name, names))
}

func (t *Theme) Palette() widget.Palette {
	return widget.Palette{Head: t.Dim, Dim: t.Dim, Selected: t.Selection, Mark: t.Accent, Edge: t.Accent}
}

// shown is the symbol of a sign and the style of its role; its word is next to them.
func (t *Theme) shown(s phrase.Sign) (symbol string, style widget.Style) {
	return s.Symbol, t.Role(s.Role)
}

// Severity is the symbol and the style of a severity; its word is next to them.
func (t *Theme) Severity(s checks.Severity) (symbol string, style widget.Style) {
	return t.shown(phrase.Severities.Of(s.String()))
}

// Answer is the symbol and the style of the answer to a question.
func (t *Theme) Answer(a string) (symbol string, style widget.Style) {
	return t.shown(phrase.Answers.Of(a))
}

// Plain is done to what is drawn, with --ascii: every sign of the screens has one of ASCII, and any other character becomes
// question marks as wide as it is. A text is given its signs before it is measured (Signs), because they may get longer; what is
// left for Plain are lines, and the ends of texts that were cut. An arrow that is left gets longer all the same: ">" alone would
// read as "greater than".
func (t *Theme) Plain(s string) string {
	if !t.Ascii || isASCII(s) {
		return s
	}
	s = longSigns.Replace(s)
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

// longSigns are the signs of one cell that take two in ASCII.
var longSigns = strings.NewReplacer("→", "->", "←", "<-", "↔", "<->", "≤", "<=")

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// inASCII are the signs of one cell that are one in ASCII too.
var inASCII = map[rune]byte{
	'─': '-', '━': '=', '╌': '.', '│': '|', '┃': '#', '▏': '|', '▌': '|', '▸': '>', '▾': 'v', '▲': '^', '‹': '<', '›': '>',
	'╭': '+', '╮': '+', '╰': '+', '╯': '+', '◆': 'S', '▪': '#', '●': '*', '○': 'o', '▫': 'o', '±': '~',
	'▁': '_', '▂': '_', '▃': '.', '▄': '-', '▅': '-', '▆': '=', '▇': '#', '░': ':', '↑': '^', '↓': 'v', '·': '-', '×': 'x', '…': '~', '✓': '+', '✗': 'x', '–': '-', '█': '#',
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
