package widget

import (
	"strings"

	"tidemark/internal/phrase"
)

// Column is one column of a table.
type Column struct {
	Title  string
	Width  int  // cells; 0: the column is not shown
	Grow   bool // takes a share of the cells that are left over
	Right  bool // numbers: flush right
	Middle bool // paths: cut in the middle
}

// Rows is where a table gets its rows from. Only rows in the window are asked for.
type Rows interface {
	Len() int
	// Row fills r, whose cells are empty and as many as there are columns.
	Row(i int, r *Row)
}

// Row is one row of a table.
type Row struct {
	Cells []Cell
	// Of the columns after the first, those from From up to To are drawn: the cells of others need
	// not be filled.
	From, To int
	Note     string // where not empty, stands in the place of all cells: a row that is about absence
	Style    Style
}

// Cell is one cell of a row. Where it has no style it gets that of the row.
type Cell struct {
	Text  string
	Style Style
	Wide  bool // stands in the place of the cells after it too
}

// Palette is how a list is drawn.
type Palette struct {
	Head, Selected, Edge Style
	Dim                  Style // is not dim in a selected row
	Mark                 Style // of the sign before the selected row
	Blurred              bool  // another panel has the keys: the selection is only marked
}

// SelectedSign is before the row under the cursor.
const SelectedSign = "▸"

// Row draws a line of w cells as a row of a list: its first and its last cell are the padding of the panel. The selected one
// has the ground of the selection from edge to edge; its own colors stay.
func (p *Palette) Row(line string, w int, selected bool) string {
	lead := " "
	switch {
	case selected && p.Blurred:
		lead = p.Dim.Styled(SelectedSign)
	case selected:
		lead = p.Mark.Styled(SelectedSign)
	}
	line = lead + phrase.Fit(line, w-2) + " "
	if selected && !p.Blurred {
		return p.Selected.Under(line, p.Dim)
	}
	return line
}

// Table is a window on rows: the first column stays, the others can be panned. Drawing it costs what
// is on the screen, however many rows there are.
type Table struct {
	Cursor
	Order
	Columns []Column
	Left    int // how many columns after the first are panned out of sight
	Palette Palette
}

// gap is the blank cells between two columns; pad those before the first and after the last.
const (
	gap = 2
	pad = 1
)

// Pan moves the columns after the first by some (negative: back) on a table of w cells.
func (t *Table) Pan(by, w int) {
	t.Left = max(min(t.Left+by, t.most(w)), 0)
}

// most is the smallest Left that shows the last column.
func (t *Table) most(w int) int {
	n := len(t.Columns)
	if n < 2 {
		return 0
	}
	room := w - 2*pad - t.Columns[0].Width - 2
	left := n - 1
	for i := n - 1; i > 0; i-- {
		if room -= t.Columns[i].Width + gap; room < 0 {
			break
		}
		left = i - 1
	}
	return min(left, n-2)
}

// slot is a column where it stands on the screen.
type slot struct{ column, width int }

// layout chooses the columns that fit in w cells; more says that some on the right do not.
func (t *Table) layout(w int) (slots []slot, more bool) {
	if len(t.Columns) == 0 {
		return nil, false
	}
	first := min(t.Columns[0].Width, max(w-2*pad, 0))
	slots = append(slots, slot{0, first})
	room := w - 2*pad - first
	left := max(min(t.Left, t.most(w)), 0)
	for i := 1 + left; i < len(t.Columns); i++ {
		c := t.Columns[i]
		if c.Width == 0 {
			continue
		}
		edge := 0
		if i < len(t.Columns)-1 || left > 0 {
			edge = 2
		}
		if room < c.Width+gap+edge {
			if len(slots) == 1 && room > gap+edge+3 {
				slots = append(slots, slot{i, room - gap - edge})
				return slots, i < len(t.Columns)-1
			}
			return slots, true
		}
		slots = append(slots, slot{i, c.Width})
		room -= c.Width + gap
	}
	t.grow(slots, room)
	return slots, false
}

// grow shares what is left over between the columns that want it.
func (t *Table) grow(slots []slot, room int) {
	var wants int
	for _, s := range slots {
		if t.Columns[s.column].Grow {
			wants++
		}
	}
	for i := range slots {
		if t.Columns[slots[i].column].Grow {
			share := room / wants
			slots[i].width += share
			room, wants = room-share, wants-1
		}
	}
}

// View draws the head and as many rows as fit in h lines of w cells.
func (t *Table) View(rows Rows, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	slots, more := t.layout(w)
	out := append(make([]string, 0, h), t.head(slots, more, w))
	n := t.Order.Len(rows.Len())
	from, to := t.Window(n, h-1)
	row := Row{Cells: make([]Cell, len(t.Columns))}
	if len(slots) > 1 {
		row.From, row.To = slots[1].column, slots[len(slots)-1].column+1
	}
	var b strings.Builder
	for i := from; i < to; i++ {
		clear(row.Cells)
		row.Note, row.Style = "", Style{}
		rows.Row(t.Order.Row(i), &row)
		b.Reset()
		t.draw(&b, &row, slots, i == t.At, w)
		out = append(out, b.String())
	}
	return out
}

func (t *Table) head(slots []slot, more bool, w int) string {
	var b strings.Builder
	for i, s := range slots {
		if i == 1 && t.Left > 0 {
			b.WriteString("‹ ")
		} else if i > 0 {
			b.WriteString(phrase.Blanks(gap))
		}
		b.WriteString(t.place(t.Columns[s.column].Title, s))
	}
	line := t.Palette.Head.Styled(phrase.Fit(b.String(), w-2*pad))
	if more && w > 4 {
		line = phrase.Fit(line, w-2*pad-2) + t.Palette.Edge.Styled(" ›")
	}
	return " " + line + " "
}

// ColumnAt is the column whose head is at cell x of a table of w cells; false for none.
func (t *Table) ColumnAt(x, w int) (column int, ok bool) {
	slots, _ := t.layout(w)
	at := pad
	for _, s := range slots {
		if x >= at && x < at+s.width {
			return s.column, true
		}
		at += s.width + gap
	}
	return 0, false
}

// draw writes one row.
func (t *Table) draw(b *strings.Builder, row *Row, slots []slot, selected bool, w int) {
	var line strings.Builder
	line.Grow(2 * w) // with styles and signs of several bytes
	if row.Note != "" {
		line.WriteString(row.Style.Styled(phrase.Fit(row.Note, w-2*pad)))
	} else {
		used := 2 * pad
		for i, s := range slots {
			if i > 0 {
				line.WriteString(phrase.Blanks(gap))
				used += gap
			}
			c := row.Cells[s.column]
			if c.Style.IsZero() {
				c.Style = row.Style
			}
			if c.Wide {
				line.WriteString(c.Style.Styled(phrase.Fit(c.Text, w-used)))
				break
			}
			line.WriteString(c.Style.Styled(t.place(c.Text, s)))
			used += s.width
		}
	}
	b.WriteString(t.Palette.Row(line.String(), w, selected))
}

// place fits a text into its column.
func (t *Table) place(s string, in slot) string {
	c := t.Columns[in.column]
	if c.Middle {
		s = phrase.Middle(s, in.width)
	}
	if c.Right {
		return phrase.FitRight(s, in.width)
	}
	return phrase.Fit(s, in.width)
}
