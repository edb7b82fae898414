package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
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
	progress := a.rowProgress(after, f.partition, f.file != nil || f.count)
	all = watched(progress, all, func(c *statestore.RowChange) (int, int64) { return c.Partition, 1 })
	a.noteGuess(f, is)
	if f.file != nil {
		begin := func(w io.Writer) (*report.Parquet, error) { return report.NewParquetChanges(w, was, is) }
		_, err := saveParquet(ctx, a, all, f.file, begin, (*report.Parquet).WriteChange)
		return err
	}
	out := bufio.NewWriterSize(a.Out, 64<<10)
	w := a.changeWriter(out, f, before, after, was, is)
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
		a.note("both states have the same rows of this key, or none")
	}
	return err
}

// changesOfKey returns the changes of one key.
func changesOfKey(ctx context.Context, before, after *statestore.State, was, is *statestore.View,
	f *stateFlags) (iter.Seq2[statestore.RowChange, error], error) {
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

func (a *app) changeWriter(out io.Writer, f *stateFlags, before, after *statestore.State, was, is *statestore.View) changeWriter {
	switch {
	case f.count:
		return changeCount{out}
	case f.ndjson:
		return &changeLines{out: out}
	case f.csv:
		return &changeCSV{csv.NewWriter(out), was, is, false}
	}
	return a.changeTable(out, before, after, was, is)
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
	cells := append([]string{c.Kind()}, keyCells(c.Partition, c.Row())...)
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
