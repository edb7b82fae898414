package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
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

// Amount is how much a range holds: "150 records", "at most 150 records", "" where nothing tells.
func Amount(r source.Range) string {
	var s Sum
	s.Add(r)
	return s.String()
}

// Total is how much the ranges of a restart hold together; "" where none of them can be counted.
func Total(ranges []checks.Range) string {
	var s Sum
	for i := range ranges {
		s.Add(ranges[i].Range)
	}
	text := s.String()
	switch {
	case text == "":
		return ""
	case s.holes:
		return text + " in all, besides parts that cannot be counted"
	}
	return text + " in all"
}

// Sum adds up what ranges hold, unit by unit. Its zero value is ready.
type Sum struct {
	units []string // in the order in which they came
	sums  map[string]int64
	upper bool // some of it may be less
	holes bool // some of it cannot be counted
}

// Add takes in one range.
func (s *Sum) Add(r source.Range) {
	old, known := s.sums[r.Unit]
	if !r.Counted || old > math.MaxInt64-r.Count {
		s.holes = true
		return
	}
	if s.sums == nil {
		s.sums = map[string]int64{}
	}
	if !known {
		s.units = append(s.units, r.Unit)
	}
	s.sums[r.Unit] = old + r.Count
	s.upper = s.upper || r.CountIs == "at most" && r.Count != 0
}

// String is "at most 252 records and 3 log entries"; "" where nothing could be counted.
func (s *Sum) String() string { return s.text("at most ") }

// Short is String for a narrow column: "≤ 252 records", and "+ ?" where some cannot be counted.
func (s *Sum) Short(ascii bool) string {
	upper := "≤ "
	if ascii {
		upper = "<= "
	}
	text := s.text(upper)
	if s.holes && text != "" {
		text += " + ?"
	}
	return text
}

func (s *Sum) text(upper string) string {
	all := make([]string, len(s.units))
	for i, unit := range s.units {
		all[i] = Units(s.sums[unit], unit)
	}
	text := strings.Join(all, " and ")
	if s.upper {
		text = upper + text
	}
	return text
}

// Units is a number of things with the word for them: "150 records", "1 log entry".
func Units(n int64, unit string) string {
	if n == 1 {
		unit = one(unit)
	}
	return strings.TrimSpace(Count(n) + " " + unit)
}

// one is the word for one of a unit: "record", "log entry".
func one(unit string) string {
	if word, ok := strings.CutSuffix(unit, "ies"); ok {
		return word + "y"
	}
	return strings.TrimSuffix(unit, "s")
}

// Count writes a number of things with separators: "31,022". Batch ids and positions, which people
// copy, are written without.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Time is ms since the epoch in UTC to the second, with its number where it lies outside of the years
// 1 to 9999.
func Time(ms int64) string {
	t := time.UnixMilli(ms).UTC()
	if ms < -62135596800000 || ms > 253402300799000 {
		return strconv.FormatInt(ms, 10) + " ms"
	}
	return t.Format("2006-01-02 15:04:05Z")
}

// aged is a time with its age beside it, where the clock is known.
func (p *page) aged(ms int64) string {
	if p.Now.IsZero() {
		return Time(ms)
	}
	return Time(ms) + " (" + Age(p.Now.UnixMilli()-ms) + ")"
}

// Age writes how long ago something was, given in ms, to one unit.
func Age(ms int64) string {
	s := ms / 1000
	switch {
	case s < 0:
		return "in the future"
	case s < 120:
		return fmt.Sprintf("%d s ago", s)
	case s < 2*3600:
		return fmt.Sprintf("%d min ago", s/60)
	case s < 2*86400:
		return fmt.Sprintf("%d h ago", s/3600)
	}
	return Count(s/86400) + " days ago"
}

// Sentence begins with a capital letter, unless it begins with a name, and ends with a full stop.
func Sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if s != "" && !strings.ContainsAny(first, "/.:_0123456789") && s[0] < utf8.RuneSelf {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
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

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// cells is how wide a text is, the styles of this package aside.
func cells(s string) int {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = styles.ReplaceAllString(s, "")
	}
	return utf8.RuneCountInString(s)
}
