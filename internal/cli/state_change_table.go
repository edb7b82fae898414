package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// changeTable lines the columns up. A value that is another one stands as "3 → 4".
type changeTable struct {
	out     io.Writer
	heading string
	names   []string
	was, is *statestore.View
	columns []valueColumn
	arrow   string
	rows    [][]string // not yet written
}

// valueColumn is a column of the value: its place before and after; -1 where the schema of that batch
// does not have it.
type valueColumn struct{ before, after int }

func (a *app) changeTable(out io.Writer, before, after *statestore.State, was, is *statestore.View) *changeTable {
	w := &changeTable{out: out, was: was, is: is, arrow: " → ", names: append([]string{"change"}, keyNames(is)...)}
	if a.asciiWanted() {
		w.arrow = " -> "
	}
	w.heading = rowsHeading(&after.Operator, is, page.Between(before.Batch, after.Batch)) + "\n"
	old, now := fieldNames(is.ValueName, was.Value), fieldNames(is.ValueName, is.Value)
	for i, n := range now {
		w.columns = append(w.columns, valueColumn{slices.Index(old, n), i})
	}
	for i, n := range old {
		if !slices.Contains(now, n) {
			w.columns = append(w.columns, valueColumn{i, -1})
			now = append(now, n)
		}
	}
	w.names = append(w.names, now...)
	return w
}

func (w *changeTable) change(c *statestore.RowChange) error {
	cells := append([]string{phrase.Changes.Of(c.Kind()).Head()}, keyCells(c.Partition, c.Row())...)
	for i := range cells {
		cells[i] = fitCell(cells[i])
	}
	var before, after []string
	if c.Before.Key.Type != nil {
		before = fieldTexts(c.Before.Value, w.was.Value)
	}
	if c.After.Key.Type != nil {
		after = fieldTexts(c.After.Value, w.is.Value)
	}
	for _, column := range w.columns {
		b, n := cellAt(before, column.before), cellAt(after, column.after)
		switch {
		case before == nil:
			cells = append(cells, fitCell(n))
		case after == nil || b == n:
			cells = append(cells, fitCell(b))
		default:
			b, n = cutCommonPrefix(b, n)
			cells = append(cells, fitCell(b)+w.arrow+fitCell(n))
		}
	}
	w.rows = append(w.rows, cells)
	if len(w.rows) < tableSample {
		return nil
	}
	return w.write()
}

// cellAt returns a cell of a row, if there is one.
func cellAt(cells []string, i int) string {
	switch {
	case cells == nil:
		return ""
	case i < 0:
		return "(no column)"
	}
	return cells[i]
}

// keptPrefix is how many characters stay of what two long texts begin with.
const keptPrefix = 12

// cutCommonPrefix cuts what two texts begin with, where it would push that in which they differ out of their
// cells.
func cutCommonPrefix(a, b string) (string, string) {
	x, y := []rune(a), []rune(b)
	if len(x) <= widestCell && len(y) <= widestCell {
		return a, b
	}
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n <= keptPrefix+3 {
		return a, b
	}
	return "..." + string(x[n-keptPrefix:]), "..." + string(y[n-keptPrefix:])
}

// write lines up what has been gathered.
func (w *changeTable) write() error {
	if w.heading != "" {
		if _, err := fmt.Fprintln(w.out, w.heading); err != nil {
			return err
		}
		w.heading = ""
	}
	if len(w.rows) == 0 {
		return nil
	}
	for _, line := range report.Columns(append([][]string{w.names}, w.rows...)) {
		if _, err := fmt.Fprintln(w.out, line); err != nil {
			return err
		}
	}
	w.rows = w.rows[:0]
	return nil
}

func (w *changeTable) end(t tally, complete bool) error {
	if err := w.write(); err != nil {
		return err
	}
	text := "no differences"
	if t != (tally{}) {
		text = "\n" + strings.Join([]string{phrase.Count(t.added) + " added", phrase.Count(t.changed) + " changed", phrase.Count(t.removed) + " removed"}, ", ")
	}
	if !complete {
		text += "; unreadable partitions were not compared"
	}
	_, err := fmt.Fprintln(w.out, text)
	return err
}
