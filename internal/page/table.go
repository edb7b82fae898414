package page

import (
	"strings"

	"tidemark/internal/phrase"
)

// least is how narrow a column gets where room is short.
const least = 6

// table lines up cells, two cells apart.
func (l *Layout) table(t Table) []string {
	indent := l.indent(t.Level)
	rows := t.Rows
	if head := heads(t.Columns); head != nil {
		rows = append([][]Cell{head}, rows...)
	}
	width := l.widths(t.Columns, rows, l.Width-len(indent))
	var lines []string
	for _, row := range rows {
		lines = append(lines, strings.TrimRight(indent+l.row(t.Columns, row, width), " "))
	}
	if t.More != "" {
		lines = append(lines, indent+l.sign(t.More))
	}
	return lines
}

// heads are the titles of columns as a row; nil where no column has one.
func heads(columns []Column) []Cell {
	head, any := make([]Cell, len(columns)), false
	for i, c := range columns {
		head[i] = Cell{Text: c.Title, Role: phrase.Dim}
		any = any || c.Title != ""
	}
	if !any {
		return nil
	}
	return head
}

// widths are as wide as the widest cell of each column. Where the layout clips and they do not fit, paths give way first,
// then whatever is widest.
func (l *Layout) widths(columns []Column, rows [][]Cell, room int) []int {
	width := make([]int, len(columns))
	for _, row := range rows {
		for i := range row {
			width[i] = max(width[i], phrase.Width(l.cell(&row[i])))
		}
	}
	if !l.Clip {
		return width
	}
	total := 2 * (len(width) - 1)
	for _, w := range width {
		total += w
	}
	for ; total > room; total-- {
		at := widest(columns, width, true)
		if at < 0 {
			at = widest(columns, width, false)
		}
		if at < 0 {
			break
		}
		width[at]--
	}
	return width
}

// widest is the widest column that may get narrower; -1 for none.
func widest(columns []Column, width []int, paths bool) int {
	at := -1
	for i, w := range width {
		if w > least && (columns[i].Path || !paths) && (at < 0 || w > width[at]) {
			at = i
		}
	}
	return at
}

// cell is the text of a cell behind its symbol.
func (l *Layout) cell(c *Cell) string {
	if c.Mark == "" {
		return l.sign(c.Text)
	}
	return l.sign(c.Mark + " " + c.Text)
}

func (l *Layout) row(columns []Column, row []Cell, width []int) string {
	var b strings.Builder
	for i := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		text := l.cell(&row[i])
		if columns[i].Path {
			text = l.position(text, width[i])
		}
		text = l.clip(text, width[i])
		gap, painted := spaces(width[i]-phrase.Width(text)), l.paint(row[i].Role, text)
		switch {
		case columns[i].Right:
			b.WriteString(gap + painted)
		case i == len(row)-1:
			b.WriteString(painted)
		default:
			b.WriteString(painted + gap)
		}
	}
	return b.String()
}

// Rows are rows of plain, harmless cells as a table; the first row are titles. A column stands right where a cell of it
// begins with ">", which is not shown.
func Rows(rows [][]string) Table {
	var t Table
	for i, row := range rows {
		cells := make([]Cell, len(row))
		for j, text := range row {
			if j == len(t.Columns) {
				t.Columns = append(t.Columns, Column{})
			}
			text, right := strings.CutPrefix(text, ">")
			t.Columns[j].Right = t.Columns[j].Right || right
			cells[j].Text = text
			if i == 0 {
				cells[j].Role = phrase.Dim
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
