package report

import (
	"bufio"
	"io"
	"strings"
	"time"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// usualWidth is how wide text is where nothing else is asked for.
const usualWidth = 100

// Text writes a verdict for a person.
func Text(w io.Writer, v *checks.Verdict, opt Options) error {
	return Page(w, page.Verdict(v, opt.clock()), opt)
}

// Page writes a page for a person.
func Page(w io.Writer, p page.Page, opt Options) error { return Lines(w, opt.layout().Lines(p)) }

// Sections writes some sections of a page for a person, with an empty line before each.
func Sections(w io.Writer, opt Options, sections ...page.Section) error {
	b := bufio.NewWriter(w)
	for i := range sections {
		if s := &sections[i]; len(s.Blocks) > 0 {
			b.WriteString("\n")
			writeLines(b, opt.layout().Section(s))
		}
	}
	return b.Flush()
}

// Blocks writes blocks at the left edge.
func Blocks(w io.Writer, opt Options, blocks ...page.Block) error {
	return Lines(w, opt.layout().Section(&page.Section{Blocks: blocks}))
}

// Lines writes lines.
func Lines(w io.Writer, lines []string) error {
	b := bufio.NewWriter(w)
	writeLines(b, lines)
	return b.Flush()
}

func writeLines(b *bufio.Writer, lines []string) {
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
}

// Columns lines up the cells of rows: see page.Rows.
func Columns(rows [][]string) []string {
	l := Options{Width: 1 << 20}.layout()
	l.Indent = 0
	return l.Blocks(page.Rows(rows))
}

// Wrap breaks text between words into lines of no more than width columns.
func Wrap(text string, width int) string {
	l := Options{Width: width}.layout()
	l.Indent = 0
	return strings.Join(l.Blocks(page.Paragraph{Text: page.Plain(text)}), "\n") + "\n"
}

func (o Options) clock() phrase.Clock {
	if o.Now.IsZero() {
		return phrase.Clock{}
	}
	return phrase.Clock{Now: func() time.Time { return o.Now }}
}

// layout is that of text: it never breaks what someone copies.
func (o Options) layout() page.Layout {
	l := page.Layout{Width: o.Width, Indent: 2, ASCII: o.ASCII}
	if o.Width <= 0 {
		l.Width = usualWidth
	}
	if o.Color {
		l.Style = colors{}
	}
	return l
}

// colors are styles of the terminal's own sixteen colors, by role. The symbol and the word carry the meaning, color
// only repeats it.
type colors struct{}

// codes are the styles of the roles that have one.
var codes = map[phrase.Role]string{
	phrase.Dim: "2", phrase.Strong: "1", phrase.Title: "1", phrase.Key: "1;36",
	phrase.Bad: "1;31", phrase.Warn: "33", phrase.Good: "32", phrase.Info: "34", phrase.Marked: "7",
}

// Paint puts the codes of a role around a text.
func (colors) Paint(role phrase.Role, text string) string {
	code, ok := codes[role]
	if !ok || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[m"
}
