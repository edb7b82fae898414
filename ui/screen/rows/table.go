package rows

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// kindWidths are the cells that a column of a kind takes at least; those of no fixed width are not here, and share what is
// left over.
var kindWidths = map[row.Kind]int{
	row.Boolean: 5, row.Byte: 4, row.Short: 6, row.Integer: 8, row.Long: 8, row.Float: 8, row.Double: 8, row.Date: 10, row.Timestamp: 20,
	row.TimestampNTZ: 19, row.Void: 4,
}

// setColumns makes the columns, as wide as the rows of the first page need.
func (x *model) setColumns() {
	x.Table.Columns, x.Table.Left = nil, 0
	x.day = x.commonDay()
	for i, c := range x.columns {
		title := x.title(i)
		w, fixed := kindWidths[c.kind]
		if isTime(c.kind) && x.day != "" {
			w = len("15:04:05")
		}
		if c.of == ofPartition {
			w = len(title)
		}
		for j := range x.rows {
			if x.rows[j].err == nil {
				w = max(w, min(phrase.Width(x.cell(&x.rows[j], i)), 27))
			}
		}
		most := 28
		if fixed {
			most = 16 // of its head, which is cut in the middle
		}
		x.Table.Columns = append(x.Table.Columns, widget.Column{Title: title, Width: max(w, min(phrase.Width(title), most)),
			Grow: !fixed && c.of != ofChange, Right: isNumber(c.kind), Middle: fixed})
	}
}

// commonDay is the day of all times of the first page, which the columns then leave out; "" if they have several, or none.
func (x *model) commonDay() (day string) {
	for i := range x.rows {
		for c, cell := range x.rows[i].cells {
			if !isTime(x.columns[c].kind) || cell == "null" {
				continue
			}
			at := strings.IndexByte(cell, 'T')
			if at < 0 || day != "" && cell[:at] != day {
				return ""
			}
			day = cell[:at]
		}
	}
	return day
}

func isTime(k row.Kind) bool { return k == row.Timestamp || k == row.TimestampNTZ }

func isNumber(k row.Kind) bool { return k >= row.Byte && k <= row.Double || k == row.Decimal }

// title is the head of a column; two of one name say which part of the row they are of.
func (x *model) title(i int) string {
	c := x.columns[i]
	title := kit.Safe(c.title)
	same := func(other rowColumn) bool { return other.title == c.title && other.of != c.of }
	switch {
	case c.of == ofMapKey:
		return "map key " + title
	case c.of == ofKey && title != "key" && slices.ContainsFunc(x.columns, same):
		return "key " + title
	}
	return title
}

// Len and Row make it the rows of its table.
func (x *model) Len() int { return len(x.rows) }

func (x *model) Row(i int, r *widget.Row) {
	l, t := &x.rows[i], &x.s.Theme
	if l.err != nil {
		r.Note, r.Style = "✗ "+kit.Safe(l.err.Error()), t.Bad
		if passed(l.err) {
			r.Note, r.Style = "! "+kit.Safe(l.err.Error()), t.Warn
		}
		return
	}
	r.Style = t.Role(x.change(l).Role)
	r.Cells[0] = x.drawn(l, 0)
	for c := max(r.From, 1); c < min(r.To, len(l.cells)); c++ {
		r.Cells[c] = x.drawn(l, c)
	}
}

// drawn is a cell with its style.
func (x *model) drawn(l *rowLine, column int) widget.Cell {
	t, c := &x.s.Theme, &x.columns[column]
	cell := widget.Cell{Text: x.cell(l, column)}
	switch {
	case l.before != nil && l.before[column] != l.cells[column]:
		cell.Style = t.Warn
	case c.of == ofKey && x.want.key != "":
		cell.Style = t.Accent
	case cell.Text == emptyText:
		cell.Style = t.Dim
	}
	return cell
}

// change is how a row has changed; its zero value if rows are not compared.
func (x *model) change(l *rowLine) phrase.Sign {
	if !x.want.compare || l.err != nil {
		return phrase.Sign{}
	}
	return phrase.Changes.Of(l.cells[0])
}

// passed reports whether an error is of a file that others replace: the rows are right.
func passed(err error) bool {
	_, ok := errors.AsType[*statestore.PassedError](err)
	return ok
}

// cell is the beginning of a value, as much as a column may show; if it has changed, behind what it was before.
func (x *model) cell(l *rowLine, column int) string {
	c := &x.columns[column]
	if c.of == ofChange {
		return x.change(l).Head()
	}
	text := x.brief(l.cells[column], c.kind)
	if l.before != nil && l.before[column] != l.cells[column] {
		text = x.brief(l.before[column], c.kind) + " → " + text
	}
	return text
}

// emptyText is shown for a text without characters.
const emptyText = "(empty)"

// brief is the beginning of a value; a time has its day only if it is not that of all, and its microseconds if there are some.
func (x *model) brief(s string, k row.Kind) string {
	const enough = 300
	switch {
	case s == "" && k == row.String:
		return emptyText
	case isTime(k):
		s = strings.Replace(s, ".000000", "", 1)
		if clock, ok := strings.CutPrefix(s, x.day+"T"); ok && x.day != "" {
			s = strings.TrimSuffix(clock, "Z")
		}
	}
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return kit.Safe(s)
}

// ---- filter and order

// matches reports whether the filter wants a row: as its values are, or as its cells show them.
func (x *model) matches(i int) bool {
	l := &x.rows[i]
	if l.err != nil {
		return x.Filter.Wants(l.err.Error())
	}
	shown := make([]string, len(l.cells))
	for c := range l.cells {
		shown[c] = x.cell(l, c)
	}
	return x.Filter.WantsIn(l.cells, l.before, shown)
}

// arrange filters and sorts what was read.
func (x *model) arrange() {
	x.unsorted = false
	if x.sorted >= 0 && x.sorted < len(x.columns) {
		x.sortedBy = x.columns[x.sorted].title
	}
	if x.Filter.Pattern == "" && x.sorted < 0 {
		x.Table.Order.All()
		return
	}
	var keep func(int) bool
	if x.Filter.Pattern != "" {
		keep = x.matches
	}
	x.Table.Order.Set(len(x.rows), keep, x.compare())
}

// compare orders rows by a column; nil if they are as they were read.
func (x *model) compare() func(a, b int) int {
	if x.sorted < 0 || x.sorted >= len(x.columns) {
		return nil
	}
	var numbers []float64
	if isNumber(x.columns[x.sorted].kind) || x.columns[x.sorted].of == ofPartition {
		numbers = make([]float64, len(x.rows))
		for i := range x.rows {
			numbers[i] = x.number(i)
		}
	}
	text := func(i int) string {
		if x.rows[i].err != nil {
			return ""
		}
		return x.rows[i].cells[x.sorted]
	}
	return func(a, b int) int {
		c := 0
		if numbers != nil {
			c = cmp.Compare(numbers[a], numbers[b])
		} else {
			c = strings.Compare(text(a), text(b))
		}
		if x.backward {
			c = -c
		}
		return c
	}
}

// number is a value of the column that is sorted by; what is no number is before all numbers.
func (x *model) number(i int) float64 {
	if x.rows[i].err == nil {
		if n, err := strconv.ParseFloat(x.rows[i].cells[x.sorted], 64); err == nil {
			return n
		}
	}
	return math.Inf(-1)
}

// sortBy sorts by a column, or the other way round if the rows are sorted by it.
func (x *model) sortBy(column int) {
	x.backward = column == x.sorted && !x.backward
	x.sorted = column
	x.arrange()
}

// sortNext sorts by the next column; after the last one rows are as they were read.
func (x *model) sortNext() {
	x.backward = false
	if x.sorted++; x.sorted >= len(x.columns) {
		x.sorted = -1
	}
	x.arrange()
}
