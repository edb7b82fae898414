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
	"tidemark/internal/page"
	"tidemark/internal/report"
)

// rows prints the rows of one store.
func (a *app) rows(ctx context.Context, cp *checkpoint.Checkpoint, f *stateFlags) error {
	s, err := statestore.At(ctx, cp, f.operator, f.batch)
	if err != nil {
		return noSuch(err)
	}
	v, err := s.View(f.store)
	if err != nil {
		return noSuch(err)
	}
	if s.Problem != nil {
		a.note("%v", s.Problem)
	}
	if f.count && f.key == "" {
		return a.countRows(ctx, s, v, f.partition)
	}
	rows, where, partition := s.Rows(ctx, v, f.partition), "", f.partition
	if f.key != "" {
		l, err := s.Find(v, f.key)
		if err != nil {
			return usageError("--key: %v", err)
		}
		if partition < 0 {
			partition = l.Partition
		}
		where = page.LookedIn(partition, l.Partition, s.PartitionCount())
		rows = l.Rows(ctx, partition)
	}
	progress := a.rowProgress(s, partition, f.file != nil || f.count)
	rows = watched(progress, rows, func(r *statestore.Row) (int, int64) { return r.Partition, 1 })
	n, err := a.emit(ctx, rows, f, s, v)
	if err == nil && n == 0 && f.key != "" {
		a.note("no row has this key %s", where)
	}
	return err
}

// noteGuess says of rows that go to a program that their columns are a guess.
func (a *app) noteGuess(f *stateFlags, v *statestore.View) {
	if v.Guessed && (f.ndjson || f.csv || f.file != nil) {
		a.note("the columns are a guess: %s", page.GuessedColumns)
	}
}

// emit writes rows in the form that is asked for, and returns how many.
func (a *app) emit(ctx context.Context, rows iter.Seq2[statestore.Row, error],
	f *stateFlags, s *statestore.State, v *statestore.View) (int64, error) {
	a.noteGuess(f, v)
	if f.file != nil {
		begin := func(w io.Writer) (*report.Parquet, error) { return report.NewParquet(w, v) }
		return saveParquet(ctx, a, rows, f.file, begin, (*report.Parquet).Write)
	}
	out := bufio.NewWriterSize(a.Out, 64<<10)
	w := a.rowWriter(out, f, s, v)
	n, err := writeRows(ctx, a, rows, w.row)
	if err != nil && n == 0 {
		return 0, noSuch(err) // to say "no rows" would not be true
	}
	if werr := errors.Join(w.end(n), out.Flush()); err == nil {
		err = werr
	}
	return n, err
}

// rowsBetweenChecks is how many rows are written before it is asked again whether to go on.
const rowsBetweenChecks = 1000

// writeRows writes rows or changes of them, and reports what is wrong with a partition when it comes to it.
func writeRows[T any](ctx context.Context, a *app, rows iter.Seq2[T, error], write func(*T) error) (n int64, err error) {
	told := partitionFailures{a: a}
	for r, err := range rows {
		if n%rowsBetweenChecks == 0 && err == nil {
			err = ctx.Err() // rows that are in memory come however long ago somebody stopped them
		}
		partial, ok := errors.AsType[*statestore.PartitionError](err)
		switch {
		case err == nil:
			if err := write(&r); err != nil {
				return n, err
			}
			n++
		case !ok || checkpoint.Stopped(err):
			return n, err
		default:
			told.report(partial)
		}
	}
	return n, told.end()
}

// rowWriter is one form of rows.
type rowWriter interface {
	row(*statestore.Row) error
	end(n int64) error
}

func (a *app) rowWriter(out io.Writer, f *stateFlags, s *statestore.State, v *statestore.View) rowWriter {
	switch {
	case f.count:
		return &rowCount{out}
	case f.ndjson:
		return &rowLines{out: out}
	case f.csv:
		return &rowCSV{csv.NewWriter(out), v, false}
	}
	return &rowTable{out: out, s: s, v: v}
}

type rowCount struct{ out io.Writer }

func (w *rowCount) row(*statestore.Row) error { return nil }

func (w *rowCount) end(n int64) error {
	_, err := fmt.Fprintln(w.out, n)
	return err
}

// rowLines writes one JSON object a line.
type rowLines struct {
	out  io.Writer
	line []byte
}

func (w *rowLines) row(r *statestore.Row) error {
	w.line = r.AppendJSON(w.line[:0])
	return report.WriteJSONLine(w.out, w.line)
}

func (w *rowLines) end(int64) error { return nil }

// rowCSV writes a line of names, and one for each row.
type rowCSV struct {
	out   *csv.Writer
	v     *statestore.View
	begun bool
}

func (w *rowCSV) row(r *statestore.Row) error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.out.Write(cellsOf(r))
}

func (w *rowCSV) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	return w.out.Write(columnsOf(w.v))
}

func (w *rowCSV) end(int64) error {
	err := w.begin()
	w.out.Flush()
	return errors.Join(err, w.out.Error())
}
