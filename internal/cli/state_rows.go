package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"tidemark/checkpoint/statestore"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
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
		fmt.Fprintln(a.Err, "note: "+report.Printable(s.Problem.Error()))
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
		if partition >= 0 {
			where = " in partition " + strconv.Itoa(partition)
			if partition == l.Partition {
				where += ", where its hash puts it"
			}
		}
		rows = l.Rows(ctx, partition)
	}
	rows = watched(a.rowProgress(s, partition, f.file != nil || f.count), rows, func(r *statestore.Row) (int, int64) { return r.Partition, 1 })
	n, err := a.emit(ctx, rows, f, s, v)
	if err == nil && n == 0 && f.key != "" {
		fmt.Fprintln(a.Err, "note: no row has this key"+where)
	}
	return err
}

// guessedColumns is why the columns of rows are a guess, and what that means.
const guessedColumns = "no schema is recorded. The bytes tell how many there are, and nothing their names and types. " +
	"A number is 8 bytes read as an integer, whatever they mean."

// guessedHeading is said above a table of such rows.
const guessedHeading = " The columns are a guess:\n" + guessedColumns

// tellGuess says of rows that go to a program that their columns are a guess.
func (a *app) tellGuess(f *stateFlags, v *statestore.View) {
	if v.Guessed && (f.ndjson || f.csv || f.file != nil) {
		fmt.Fprintln(a.Err, "note: the columns are a guess: "+guessedColumns)
	}
}

// emit writes rows in the form that is asked for, and is how many.
func (a *app) emit(ctx context.Context, rows iter.Seq2[statestore.Row, error], f *stateFlags, s *statestore.State, v *statestore.View) (int64, error) {
	a.tellGuess(f, v)
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

// rowsUnasked is how many rows are written before it is asked again whether to go on.
const rowsUnasked = 1000

// writeRows writes rows or changes of them, and tells what is wrong with a partition when it comes to it.
func writeRows[T any](ctx context.Context, a *app, rows iter.Seq2[T, error], write func(*T) error) (n int64, err error) {
	told := toldPartitions{a: a}
	for r, err := range rows {
		if n%rowsUnasked == 0 && err == nil {
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
			told.tell(partial)
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

// tableSample is how many rows say how wide the columns are; later ones may be wider.
const tableSample = 200

// widestCell is how many characters of a value a table shows.
const widestCell = 60

// fit cuts a cell to a width in characters.
func fit(c string, width int) string {
	if runes := []rune(c); len(runes) > width {
		c = string(runes[:width-3]) + "..."
	}
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
		cells[i] = fit(c, widestCell)
	}
	w.rows = append(w.rows, cells)
	if len(w.rows) < tableSample {
		return nil
	}
	return w.write()
}

// write lines up what has been gathered.
func (w *rowTable) write() error {
	if !w.begun {
		w.begun = true
		name := w.s.Operator.Name
		if name != "" {
			name = ", " + name
		}
		guessed := ""
		if w.v.Guessed {
			if w.s.Operator.Guessed {
				name += "?"
			}
			guessed = guessedHeading
		}
		if _, err := fmt.Fprintf(w.out, "Operator %d%s, %s, as batch %d left it (version %d).%s\n\n", w.s.Operator.ID, report.Printable(name),
			report.Printable(w.v.Name), w.s.Batch, w.s.Version, guessed); err != nil {
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

// columnsOf are the names of the columns of a view: those of the key, then those of the value.
func columnsOf(v *statestore.View) []string {
	names := append([]string{"partition"}, fieldNames("key", v.Key)...)
	if v.MapKey != nil {
		names = append(names, fieldNames("user_map_key", v.MapKey)...)
	}
	return append(names, fieldNames(v.ValueName, v.Value)...)
}

func fieldNames(prefix string, t *row.Type) []string {
	if t.Kind != row.Struct {
		return []string{prefix}
	}
	var names []string
	for _, f := range t.Fields {
		names = append(names, report.Printable(prefix+"."+f.Label))
	}
	return names
}

// cellsOf are the values of a row under these names.
func cellsOf(r *statestore.Row) []string {
	cells := append([]string{strconv.Itoa(r.Partition)}, fieldTexts(r.Key, r.View.Key)...)
	if r.View.MapKey != nil {
		cells = append(cells, fieldTexts(r.MapKey, r.View.MapKey)...)
	}
	return append(cells, fieldTexts(r.Value, r.View.Value)...)
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

// text is a value as a person reads it. A null is "null"; text that reads the same is quoted.
func text(v row.Value) string {
	s := v.Text()
	if !v.Null && s == "null" {
		s = strconv.Quote(s)
	}
	return report.Printable(s)
}
