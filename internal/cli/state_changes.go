package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"tidemark/checkpoint/statestore"

	"tidemark/checkpoint"
	"tidemark/internal/report"
)

// changes prints in which rows of one store two batches differ.
func (a *app) changes(ctx context.Context, cp *checkpoint.Checkpoint, f *stateFlags) error {
	before, err := statestore.At(ctx, cp, f.operator, f.from)
	if err != nil {
		return noSuch(err)
	}
	after, err := statestore.At(ctx, cp, f.operator, f.to)
	if err != nil {
		return noSuch(err)
	}
	was, is, err := before.ViewsWith(after, f.store)
	if err != nil {
		return noSuch(err)
	}
	all := before.Changes(ctx, after, is.Name, f.partition)
	if f.key != "" {
		if all, err = changesOfKey(ctx, before, after, was, is, f); err != nil {
			return usageError("--key: %v", err)
		}
	}
	all = watched(a.rowProgress(after, f.partition, f.file != nil || f.count), all, func(c *statestore.RowChange) (int, int64) { return c.Partition, 1 })
	a.tellGuess(f, is)
	if f.file != nil {
		begin := func(w io.Writer) (*report.Parquet, error) { return report.NewParquetChanges(w, was, is) }
		_, err := saveParquet(ctx, a, all, f.file, begin, (*report.Parquet).WriteChange)
		return err
	}
	out := bufio.NewWriterSize(a.Out, 64<<10)
	var w changeWriter
	switch {
	case f.count:
		w = changeCount{out}
	case f.ndjson:
		w = &changeLines{out: out}
	case f.csv:
		w = &changeCSV{csv.NewWriter(out), was, is, false}
	default:
		w = a.changeTable(out, before, after, was, is)
	}
	var t tally
	n, err := writeRows(ctx, a, all, func(c *statestore.RowChange) error {
		t.add(c.Kind())
		return w.change(c)
	})
	if err != nil && n == 0 {
		return noSuch(err) // to say "nothing differs" would not be true
	}
	if werr := errors.Join(w.end(t, err == nil), out.Flush()); err == nil {
		err = werr
	}
	if err == nil && n == 0 && f.key != "" {
		fmt.Fprintln(a.Err, "note: both states have the same rows of this key, or none")
	}
	return err
}

// changesOfKey are the changes of one key.
func changesOfKey(ctx context.Context, before, after *statestore.State, was, is *statestore.View, f *stateFlags) (iter.Seq2[statestore.RowChange, error], error) {
	b, err := before.Find(was, f.key)
	if err != nil {
		return nil, err
	}
	l, err := after.Find(is, f.key)
	if err != nil {
		return nil, err
	}
	partition := f.partition
	if partition < 0 && b.Partition == l.Partition {
		partition = b.Partition
	}
	return b.Changes(ctx, l, partition), nil
}

// tally is how many rows were changed in each way.
type tally struct{ added, changed, removed int64 }

func (t *tally) add(kind string) {
	switch kind {
	case "added":
		t.added++
	case "removed":
		t.removed++
	default:
		t.changed++
	}
}

// changeWriter is one form of changes.
type changeWriter interface {
	change(*statestore.RowChange) error
	end(t tally, complete bool) error
}

// changeCount writes three numbers with their names.
type changeCount struct{ out io.Writer }

func (w changeCount) change(*statestore.RowChange) error { return nil }

func (w changeCount) end(t tally, _ bool) error {
	_, err := fmt.Fprintf(w.out, "added %d\nchanged %d\nremoved %d\n", t.added, t.changed, t.removed)
	return err
}

// changeLines writes one JSON object a line.
type changeLines struct {
	out  io.Writer
	line []byte
}

func (w *changeLines) change(c *statestore.RowChange) error {
	w.line = c.AppendJSON(w.line[:0])
	return report.WriteJSONLine(w.out, w.line)
}

func (w *changeLines) end(tally, bool) error { return nil }

// changeCSV writes a line of names, and one for each change: the key, the value before, the value after.
// The cells of a value that is not there are empty.
type changeCSV struct {
	out     *csv.Writer
	was, is *statestore.View
	begun   bool
}

func (w *changeCSV) change(c *statestore.RowChange) error {
	if err := w.begin(); err != nil {
		return err
	}
	cells := append([]string{c.Kind()}, keyCells(c)...)
	for side, v := range []*statestore.View{w.was, w.is} {
		r := [...]*statestore.Row{&c.Before, &c.After}[side]
		if r.Key.Type == nil {
			cells = append(cells, make([]string, len(fieldNames("", v.Value)))...)
			continue
		}
		cells = append(cells, fieldTexts(r.Value, v.Value)...)
	}
	return w.out.Write(cells)
}

func (w *changeCSV) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	names := append([]string{"change"}, keyNames(w.is)...)
	names = append(names, fieldNames("before", w.was.Value)...)
	return w.out.Write(append(names, fieldNames("after", w.is.Value)...))
}

func (w *changeCSV) end(tally, bool) error {
	err := w.begin()
	w.out.Flush()
	return errors.Join(err, w.out.Error())
}

// keyNames are the names of the columns that say which row of a view it is.
func keyNames(v *statestore.View) []string {
	names := append([]string{"partition"}, fieldNames("key", v.Key)...)
	if v.MapKey != nil {
		names = append(names, fieldNames("user_map_key", v.MapKey)...)
	}
	return names
}

// keyCells are the values under these names.
func keyCells(c *statestore.RowChange) []string {
	r := c.Row()
	cells := append([]string{strconv.Itoa(c.Partition)}, fieldTexts(r.Key, r.View.Key)...)
	if r.View.MapKey != nil {
		cells = append(cells, fieldTexts(r.MapKey, r.View.MapKey)...)
	}
	return cells
}

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

// signs stand before a change, for the eye.
var signs = map[string]string{"added": "+ added", "changed": "~ changed", "removed": "- removed"}

func (a *app) changeTable(out io.Writer, before, after *statestore.State, was, is *statestore.View) *changeTable {
	name := after.Operator.Name
	if name != "" {
		name = ", " + name
	}
	w := &changeTable{out: out, was: was, is: is, arrow: " → ", names: append([]string{"change"}, keyNames(is)...)}
	if a.asciiWanted() {
		w.arrow = " -> "
	}
	w.heading = fmt.Sprintf("Operator %d%s, %s, from batch %d (version %d) to batch %d (version %d).\n",
		after.Operator.ID, report.Printable(name), report.Printable(is.Name), before.Batch, before.Version, after.Batch, after.Version)
	if is.Guessed {
		w.heading = strings.TrimSuffix(w.heading, "\n") + guessedHeading + "\n"
	}
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
	cells := append([]string{signs[c.Kind()]}, keyCells(c)...)
	for i := range cells {
		cells[i] = fit(cells[i], widestCell)
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
			cells = append(cells, fit(n, widestCell))
		case after == nil || b == n:
			cells = append(cells, fit(b, widestCell))
		default:
			b, n = apart(b, n)
			cells = append(cells, fit(b, widestCell)+w.arrow+fit(n, widestCell))
		}
	}
	w.rows = append(w.rows, cells)
	if len(w.rows) < tableSample {
		return nil
	}
	return w.write()
}

// cellAt is a cell of a row, if there is one.
func cellAt(cells []string, i int) string {
	switch {
	case cells == nil:
		return ""
	case i < 0:
		return "(no column)"
	}
	return cells[i]
}

// shared is how many characters stay of what two long texts begin with.
const shared = 12

// apart cuts what two texts begin with, where it would push that in which they differ out of their
// cells.
func apart(a, b string) (string, string) {
	x, y := []rune(a), []rune(b)
	if len(x) <= widestCell && len(y) <= widestCell {
		return a, b
	}
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n <= shared+3 {
		return a, b
	}
	return "..." + string(x[n-shared:]), "..." + string(y[n-shared:])
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
	text := "no row differs"
	if t != (tally{}) {
		text = "\n" + strings.Join([]string{report.Count(t.added) + " added", report.Count(t.changed) + " changed", report.Count(t.removed) + " removed"}, ", ")
	}
	if !complete {
		text += "; partitions that could not be read are not compared"
	}
	_, err := fmt.Fprintln(w.out, text)
	return err
}
