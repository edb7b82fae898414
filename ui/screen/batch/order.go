package batch

import (
	"cmp"
	"strings"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- order and filter

// orders are the ways to sort the partitions of a source, each with the column that it is about.
var orders = []struct {
	name    string
	column  int
	compare func(a, b *readRow) int
}{
	{"by partition", colName, func(a, b *readRow) int { return kit.NaturalPath(a.name, b.name) }},
	{"most first", colAmount, func(a, b *readRow) int { return cmp.Compare(b.r.Count, a.r.Count) }},
	{"least first", colAmount, func(a, b *readRow) int { return cmp.Compare(a.r.Count, b.r.Count) }},
	{"lowest start first", colFrom, func(a, b *readRow) int { return kit.NaturalPath(a.from, b.from) }},
	{"lowest end first", colTo, func(a, b *readRow) int { return kit.NaturalPath(a.to, b.to) }},
}

// sortBy orders by a column, and again by the same one the other way round.
func (b *model) sortBy(column int) {
	if column == colShare {
		column = colAmount
	}
	for k := 1; k <= len(orders); k++ {
		if i := (b.order + k) % len(orders); orders[i].column == column {
			b.order = i
			b.arrange()
			return
		}
	}
}

func (b *model) nextOrder() {
	b.order = (b.order + 1) % len(orders)
	b.arrange()
}

// arrange chooses the rows that the filter wants, in their order: source by source, and files below the partitions. The cursor
// stays on its row.
func (b *model) arrange() {
	row, had := b.row()
	cells := widget.Row{Cells: make([]widget.Cell, len(b.Table.Columns))}
	b.Table.Order.Set(len(b.reads), func(i int) bool { return b.Filter.Pattern == "" || b.Filter.Wants(b.text(i, &cells)) },
		func(x, y int) int {
			p, q := &b.reads[x], &b.reads[y]
			switch {
			case p.source != q.source:
				return cmp.Compare(p.source, q.source)
			case p.wide || q.wide: // they come after the others
				return cmp.Compare(x, y)
			}
			return orders[b.order].compare(p, q)
		})
	for i := range b.Table.Order.Len(len(b.reads)) {
		if had && b.Table.At > 0 && b.Table.Order.Row(i) == row {
			b.Table.At = i
			break
		}
	}
	b.Table.Go(b.Table.At, b.Table.Order.Len(len(b.reads)))
}

// text is a row as it is shown.
func (b *model) text(i int, r *widget.Row) string {
	clear(r.Cells)
	b.Row(i, r)
	var parts []string
	for k, c := range r.Cells {
		if b.Table.Columns[k].Width > 0 && c.Text != "" {
			parts = append(parts, kit.Unstyled(c.Text))
		}
	}
	return strings.Join(parts, " ")
}

func (b *model) SetFilter(pattern string) {
	b.Filter.Set(pattern)
	b.arrange()
}
