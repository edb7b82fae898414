package widget

import (
	"strings"

	"tidemark/internal/phrase"
)

// Plot is lines of columns over one axis: what is in one column of each belongs together.
type Plot struct {
	Name    int // cells of the names before the columns
	Cells   int // of a column; 0: 1
	Lines   []PlotLine
	At      int     // the column that is marked on the axis, counted from the first; -1 for none
	Tag     string  // the name of that column, where it is neither the first nor the last
	Ends    [2]Tick // of the first and the last column
	Words   string  // behind the axis
	Palette Palette
	Looks   map[Sign]Style // of columns that are no values
}

// Tick is a column's name on the axis, and what is said of it in faint letters; "" for nothing.
type Tick struct{ Name, Note string }

// PlotLine is one line of a plot.
type PlotLine struct {
	Name   string
	Values []int64 // on one scale from 0 to the largest
	Signs  []Sign  // what each column is; Values of a column that is no Value mean nothing
	Words  string  // behind the columns: the scale with its unit
	Style  Style   // of values
}

// Sign is what a column shows. What is not a value has a character of its own, not only a color.
type Sign byte

// The signs, by what they say.
const (
	Unknown Sign = iota // blank: not recorded. It is not 0.
	Value
	Below  // a value below 0
	Unread // not read yet
	Lost   // a file is missing or damaged, and a restart fails because of it
	Gap    // a file is missing or damaged, and a finding is about it
	Hole   // a file is missing, and no finding is about it
	Open   // not committed
	Normal // committed
	Here   // the marked one
)

var signs = map[Sign]rune{Unknown: ' ', Below: '↓', Unread: '╌', Lost: '✗', Gap: '✗', Hole: '✗', Open: '!', Normal: '━', Here: '▲'}

// Top is the largest value of a line; ok is false where it has none.
func (l *PlotLine) Top() (top int64, ok bool) {
	for i, s := range l.Signs {
		if s == Value {
			top, ok = max(top, l.Values[i]), true
		}
	}
	return top, ok
}

// Least is the smallest value of a line; ok is false where it has none.
func (l *PlotLine) Least() (least int64, ok bool) {
	for i, s := range l.Signs {
		if s == Value && (!ok || l.Values[i] < least) {
			least, ok = l.Values[i], true
		}
	}
	return least, ok
}

// View draws the lines, each no wider than w cells, and below them the axis where it has a name to show.
func (p *Plot) View(w int) []string {
	var out []string
	columns := 0
	for i := range p.Lines {
		l := &p.Lines[i]
		columns = max(columns, len(l.Signs))
		out = append(out, phrase.Cut(p.Palette.Head.Styled(phrase.Fit(l.Name, p.Name))+" "+p.drawn(l), w))
	}
	if p.At < 0 && p.Ends[0].Name == "" {
		return out
	}
	return append(out, phrase.Cut(phrase.Blanks(p.Name+1)+p.axis(columns*p.cells())+"  "+p.Palette.Head.Styled(p.Words), w))
}

func (p *Plot) cells() int { return max(p.Cells, 1) }

// drawn are the columns of a line with its words behind them; only the words where it has no column to show.
func (p *Plot) drawn(l *PlotLine) string {
	for _, s := range l.Signs {
		if s != Unknown {
			return p.columns(l) + "  " + l.Words
		}
	}
	return l.Words
}

// columns are those of a line, neighbors that look the same in one style.
func (p *Plot) columns(l *PlotLine) string {
	top, _ := l.Top()
	var b strings.Builder
	for i := 0; i < len(l.Signs); {
		look := p.look(l, i)
		var run strings.Builder
		for ; i < len(l.Signs) && p.look(l, i) == look; i++ {
			c := signs[l.Signs[i]]
			if l.Signs[i] == Value {
				c = step(l.Values[i], top)
			}
			run.WriteString(strings.Repeat(string(c), p.cells()))
		}
		b.WriteString(look.Styled(run.String()))
	}
	return b.String()
}

func (p *Plot) look(l *PlotLine, i int) Style {
	if s := l.Signs[i]; s != Value {
		return p.Looks[s]
	}
	return l.Style
}

// axis names the first, the last and the marked column below them, in w cells: as much as there is room for.
func (p *Plot) axis(w int) string {
	const least = 12 // cells: the mark of a few columns has room for its name
	a := axis{make([]string, max(w, least))}
	at := -1
	if p.At >= 0 {
		at = min(p.At*p.cells()+(p.cells()-1)/2, w-1)
		a.put(at, p.Palette.Edge.Styled("▲"))
		if p.Tag != "" && !a.put(at+2, p.Tag) {
			a.put(at-1-phrase.Width(p.Tag), p.Tag)
		}
	}
	first, last := p.Ends[0], p.Ends[1]
	for _, text := range []string{strings.TrimSpace(first.Name + " " + p.Palette.Dim.Styled(first.Note)), first.Name} {
		if a.put(0, text) || p.At == 0 && a.put(at+2, text) {
			break
		}
	}
	for _, text := range []string{strings.TrimSpace(p.Palette.Dim.Styled(last.Note) + " " + last.Name), last.Name} {
		if n := phrase.Width(text); a.put(w-n, text) || (p.At+1)*p.cells() == w && a.put(at-1-n, text) {
			break
		}
	}
	return a.String()
}

// axis is a line that is filled from what matters most on.
type axis struct{ cells []string } // what begins at a cell; "" for free, used for what an earlier one covers

const used = "\x00"

// put puts a text at a cell where it and the cells next to it are free.
func (a *axis) put(at int, text string) bool {
	n := phrase.Width(text)
	if n == 0 || at < 0 || at+n > len(a.cells) {
		return false
	}
	for i := max(at-1, 0); i < min(at+n+1, len(a.cells)); i++ {
		if a.cells[i] != "" {
			return false
		}
	}
	a.cells[at] = text
	for i := at + 1; i < at+n; i++ {
		a.cells[i] = used
	}
	return true
}

func (a *axis) String() string {
	var b strings.Builder
	for _, c := range a.cells {
		switch c {
		case "":
			b.WriteByte(' ')
		case used:
		default:
			b.WriteString(c)
		}
	}
	return b.String()
}

// step is a value on a scale from 0 to top as one of eight heights.
func step(v, top int64) rune {
	marks := []rune(steps)
	if v <= 0 || top <= 0 {
		return marks[0]
	}
	return marks[int(float64(v)/float64(top)*float64(len(marks)-1))]
}
