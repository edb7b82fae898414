package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// tableSample is how many rows say how wide the columns are; later ones may be wider.
const tableSample = 200

// widestCell is how many characters of a value a table shows.
const widestCell = 60

// fitCell cuts a text to the widest cell.
func fitCell(c string) string {
	c = ansi.Truncate(c, widestCell, "...")
	if strings.HasPrefix(c, ">") { // it would stand right
		c = strconv.Quote(c)
	}
	return c
}

// rowTable lines the columns up.
type rowTable struct {
	out   io.Writer
	s     *statestore.State
	v     *statestore.View
	rows  [][]string // not yet written; the first of all are the names
	begun bool
}

func (w *rowTable) row(r *statestore.Row) error {
	cells := cellsOf(r)
	for i, c := range cells {
		cells[i] = fitCell(c)
	}
	w.rows = append(w.rows, cells)
	if len(w.rows) < tableSample {
		return nil
	}
	return w.write()
}

// rowsHeading says whose rows a table has, as when, and whether their columns are a guess.
func rowsHeading(o *statestore.Operator, v *statestore.View, when string) string {
	parts := []string{fmt.Sprintf("Operator %d", o.ID)}
	if name := page.OperatorName(o.Name, o.Guessed); name != "" {
		parts = append(parts, name)
	}
	heading := strings.Join(append(parts, phrase.Printable(v.Name), when), ", ") + "."
	if v.Guessed {
		heading += " The columns are a guess:\n" + page.GuessedColumns
	}
	return heading
}

// write lines up what has been gathered.
func (w *rowTable) write() error {
	if !w.begun {
		w.begun = true
		if _, err := fmt.Fprintf(w.out, "%s\n\n", rowsHeading(&w.s.Operator, w.v, page.LeftBy(w.s.Batch))); err != nil {
			return err
		}
	}
	if len(w.rows) == 0 {
		return nil
	}
	for _, line := range report.Columns(append([][]string{columnsOf(w.v)}, w.rows...)) {
		if _, err := fmt.Fprintln(w.out, line); err != nil {
			return err
		}
	}
	w.rows = w.rows[:0]
	return nil
}

func (w *rowTable) end(n int64) error {
	if err := w.write(); err != nil {
		return err
	}
	text := rowsText(n)
	if n > 0 {
		text = "\n" + text
	}
	_, err := fmt.Fprintln(w.out, text)
	return err
}

// columnsOf returns the names of the columns of a view: those of the key, then those of the value.
func columnsOf(v *statestore.View) []string {
	return append(keyNames(v), fieldNames(v.ValueName, v.Value)...)
}

// cellsOf returns the values of a row under these names.
func cellsOf(r *statestore.Row) []string {
	return append(keyCells(r.Partition, r), fieldTexts(r.Value, r.View.Value)...)
}

func fieldNames(prefix string, t *row.Type) []string {
	if t.Kind != row.Struct {
		return []string{prefix}
	}
	var names []string
	for _, f := range t.Fields {
		names = append(names, phrase.Printable(prefix+"."+f.Label))
	}
	return names
}

// fieldTexts has as many cells as the type has fields: a value that was written with an older schema
// may have fewer.
func fieldTexts(v row.Value, t *row.Type) []string {
	if t.Kind != row.Struct {
		return []string{text(v)}
	}
	cells := make([]string, len(t.Fields))
	for i := range cells {
		if i < len(v.Items) {
			cells[i] = text(v.Items[i])
		} else if f, ok := v.Field(t.Fields[i].Name); ok {
			cells[i] = text(f)
		}
	}
	return cells
}

// text returns a value as a person reads it.
func text(v row.Value) string { return phrase.Printable(page.Value(v)) }

// rowsText returns a number of rows in words.
func rowsText(n int64) string {
	if n == 0 {
		return "no rows"
	}
	return phrase.Units(n, "rows")
}

// keyNames returns the names of the columns that say which row of a view it is.
func keyNames(v *statestore.View) []string {
	names := append([]string{"partition"}, fieldNames("key", v.Key)...)
	if v.MapKey != nil {
		names = append(names, fieldNames("user_map_key", v.MapKey)...)
	}
	return names
}

// keyCells returns the values under these names.
func keyCells(partition int, r *statestore.Row) []string {
	cells := append([]string{strconv.Itoa(partition)}, fieldTexts(r.Key, r.View.Key)...)
	if r.View.MapKey != nil {
		cells = append(cells, fieldTexts(r.MapKey, r.View.MapKey)...)
	}
	return cells
}
