package widget

import (
	"strings"

	"tidemark/internal/phrase"
)

// Plot is lines of columns over one axis: what stands in one column of each belongs together.
type Plot struct {
	Name    int // cells of the names before the columns
	Lines   []PlotLine
	At      int    // the column that is marked, counted from the first; -1 for none
	Tag     string // what is written at the mark below the columns
	Palette Palette
}

// PlotLine is one line of a plot.
type PlotLine struct {
	Name   string
	Values []int64 // on one scale from 0 to the largest
	Signs  []Sign  // what each column is; Values of a column that is no Value mean nothing
	Words  string  // behind the columns: the scale with its unit
	Style  Style
}

// Sign is what stands in a column. What is not a value has a character of its own, not only a color.
type Sign byte

// The signs, by what they say.
const (
	Unknown Sign = iota // blank: not read, or not recorded. It is not 0.
	Value
	Below  // a value below 0
	Hole   // nothing is there
	Mark   // something to look at
	Half   // one of two is there
	Normal // all is there
)

var signs = map[Sign]rune{Unknown: ' ', Below: '↓', Hole: '╌', Mark: '✗', Half: '!', Normal: '━'}

// Top is the largest value of a line; ok is false where it has none.
func (l *PlotLine) Top() (top int64, ok bool) {
	for i, s := range l.Signs {
		if s == Value {
			top, ok = max(top, l.Values[i]), true
		}
	}
	return top, ok
}

// View draws the lines, each no wider than w cells, and below them the mark where there is one.
func (p *Plot) View(w int) []string {
	var out []string
	columns := 0
	for i := range p.Lines {
		l := &p.Lines[i]
		columns = max(columns, len(l.Signs))
		out = append(out, phrase.Cut(p.Palette.Head.Styled(phrase.Fit(l.Name, p.Name))+" "+p.columns(l)+"  "+l.Words, w))
	}
	if p.At < 0 || p.At >= columns {
		return out
	}
	under := strings.Repeat(" ", p.Name+1+p.At) + "▲"
	if at := phrase.Width(under); at+1+phrase.Width(p.Tag) <= w {
		return append(out, p.Palette.Edge.Styled(under+" "+p.Tag))
	}
	before := p.Name + p.At - phrase.Width(p.Tag)
	return append(out, p.Palette.Edge.Styled(phrase.Cut(strings.Repeat(" ", max(before, 0))+p.Tag+" ▲", w)))
}

// columns are those of a line, the marked one in reverse video where it has a sign: a height that is reversed, and
// a blank, would look like other heights.
func (p *Plot) columns(l *PlotLine) string {
	top, _ := l.Top()
	run := make([]rune, 0, len(l.Signs))
	for i, s := range l.Signs {
		if s == Value {
			run = append(run, step(l.Values[i], top))
		} else {
			run = append(run, signs[s])
		}
	}
	if p.At < 0 || p.At >= len(run) {
		return l.Style.Styled(string(run))
	}
	marked := p.Palette.Selected
	if s := l.Signs[p.At]; s == Value || s == Unknown {
		marked = p.Palette.Edge
	}
	return l.Style.Styled(string(run[:p.At])) + marked.Styled(string(run[p.At])) + l.Style.Styled(string(run[p.At+1:]))
}

// step is a value on a scale from 0 to top as one of eight heights.
func step(v, top int64) rune {
	marks := []rune(steps)
	if v <= 0 || top <= 0 {
		return marks[0]
	}
	return marks[int(float64(v)/float64(top)*float64(len(marks)-1))]
}
