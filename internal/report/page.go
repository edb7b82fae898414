package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// page lays out text for a person: titles, wrapped sentences, columns. Text from files is made
// harmless before it comes here.
type page struct {
	Options
	w *bufio.Writer
}

// usualWidth is how wide text is where nothing else is asked for.
const usualWidth = 100

// Wrap breaks text between words into lines of no more than width columns.
func Wrap(text string, width int) string {
	var b strings.Builder
	p := newPage(&b, Options{Width: width})
	p.wrap("", text)
	_ = p.flush() // a strings.Builder takes everything
	return b.String()
}

func newPage(w io.Writer, opt Options) *page {
	if opt.Width <= 0 {
		opt.Width = usualWidth
	}
	return &page{opt, bufio.NewWriter(w)}
}

func (p *page) flush() error { return p.w.Flush() }

func (p *page) line(text string) { fmt.Fprintln(p.w, text) }

func (p *page) blank() { p.line("") }

func (p *page) title(text string) {
	p.blank()
	p.line(p.bold(text))
}

// wrap writes text with every line after indent.
func (p *page) wrap(indent, text string) { p.lines(indent, indent, text) }

// hang writes text after first, and its further lines as far in.
func (p *page) hang(first, text string) {
	p.lines(first, strings.Repeat(" ", cells(first)), text)
}

// lines breaks text between words; a word that is longer than a line is not broken, for it is a path
// or a number that someone copies.
func (p *page) lines(first, rest, text string) {
	var b strings.Builder
	b.WriteString(first)
	used, begun := cells(first), false
	for _, word := range strings.Fields(text) {
		n := cells(word)
		if begun && used+1+n > p.Width {
			p.line(b.String())
			b.Reset()
			b.WriteString(rest)
			used, begun = cells(rest), false
		}
		if begun {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used, begun = used+n, true
	}
	p.line(strings.TrimRight(b.String(), " "))
}

// ranges is what the restart reads, in columns.
func (p *page) ranges(v *checks.Verdict, all []checks.Range, in string) {
	if len(all) == 0 {
		return
	}
	rows := make([][]string, len(all))
	for i := range all {
		rows[i] = p.rangeRow(v, &all[i])
	}
	for _, row := range Columns(rows) {
		p.line(in + row)
	}
	if sum := Total(all); sum != "" && len(all) > 1 {
		p.wrap(in, sum)
	}
}

func (p *page) rangeRow(v *checks.Verdict, r *checks.Range) []string {
	name := r.Part
	if name == "" || len(v.Sources) > 1 {
		name = strings.TrimSpace(fmt.Sprintf("source %d %s", r.Source, r.Part))
	}
	if r.To == nil && v.Restart.Outcome == checks.Next {
		from, _ := p.ends(r.Range)
		return []string{Printable(name), "from", ">" + from}
	}
	return RangeRow(name, r.Range, p.Options)
}

// RangeRow is what one part reads in columns, after its name: from, to, how much.
func RangeRow(name string, r source.Range, opt Options) []string {
	p := page{Options: opt}
	from, to := p.ends(r)
	return []string{Printable(name), ">" + from, p.mark("→", "->"), ">" + to, Amount(r)}
}

func (p *page) ends(r source.Range) (from, to string) {
	from, to = p.mark("–", "-"), p.mark("–", "-")
	if r.From != nil {
		from = Printable(r.From.Text)
	}
	if r.To != nil {
		to = Printable(r.To.Text)
	}
	return from, to
}

// Columns lines up the cells of rows, two spaces apart; a cell that begins with ">" stands right.
func Columns(rows [][]string) []string {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], cells(strings.TrimPrefix(cell, ">")))
		}
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			if j > 0 {
				b.WriteString("  ")
			}
			text, right := strings.CutPrefix(cell, ">")
			space := strings.Repeat(" ", width[j]-cells(text))
			if right {
				b.WriteString(space + text)
			} else {
				b.WriteString(text + space)
			}
		}
		out[i] = strings.TrimRight(b.String(), " ")
	}
	return out
}

// aged is a time with its age beside it, where the clock is known.
func (p *page) aged(ms int64) string {
	return phrase.Clock{Now: p.Now}.Aged(ms)
}

func (p *page) mark(usual, ascii string) string {
	if p.ASCII {
		return ascii
	}
	return usual
}

func (p *page) separator() string { return p.mark(" · ", " - ") }

func (p *page) bold(s string) string { return p.paint("1", s) }

// severityColors are blue to red of the terminal's own 16 colours; the symbol and the word carry the
// meaning, colour only repeats it.
var severityColors = [...]string{checks.Info: "34", checks.Low: "36", checks.Medium: "33", checks.High: "1;33", checks.Critical: "1;31"}

func (p *page) severity(s checks.Severity, text string) string {
	return p.paint(severityColors[s], text)
}

// paint styles word by word, so that a line break never falls inside of a style.
func (p *page) paint(style, text string) string {
	if !p.Color {
		return text
	}
	words := strings.Split(text, " ")
	for i, w := range words {
		if w != "" {
			words[i] = "\x1b[" + style + "m" + w + "\x1b[m"
		}
	}
	return strings.Join(words, " ")
}

// cells is how wide a text is; styles take none.
func cells(s string) int { return phrase.Width(s) }
