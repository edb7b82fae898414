package rows

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
)

// What the screen of rows reads, and how rows become cells.

// rowsWanted is what a person wants to see.
type rowsWanted struct {
	operator  int
	store     string // whose rows; "" for those of any store of the operator
	partition int    // -1 for all
	batch     int64  // the rows as this batch left them
	view      string // "" for the first of the store
	key       string // only the rows that have it; "" for all
	compare   bool   // only the rows in which this batch differs from an earlier one
	before    int64  // the earlier one
	nothing   bool   // no rows yet: a key is being asked for
}

// rowLine is one row of state, or what went wrong with one.
type rowLine struct {
	cells  []string // by column
	before []string // what they were in the earlier batch; nil where the row has not changed, or is not compared
	err    error
}

// rowPiece is what reading yields: first what is read, then a row or what went wrong with one at a time.
type rowPiece struct {
	rowLine
	from *rowsSource
}

// rowsSource is what the rows are read from.
type rowsSource struct {
	cp      *checkpoint.Checkpoint
	state   *statestore.State
	earlier *statestore.State // what state is compared with; nil where nothing is compared
	views   []statestore.View // of the wanted store, the usual ones first
	view    *statestore.View  // one of them
	columns []rowColumn
	lookup  *statestore.Lookup // of the wanted key; nil where all rows are wanted
}

// rowColumn is a value within a row: a column of the key or the value, or a field of a struct there.
type rowColumn struct {
	title string
	ddl   string // its type; "" for what is no value of Spark's
	kind  row.Kind
	of    part
	path  []int // the fields that lead to it
}

// part is the part of a row that a column is of.
type part byte

const (
	ofChange part = iota // how the row has changed
	ofPartition
	ofKey
	ofMapKey
	ofValue
)

const (
	keptCell   = 4096 // bytes of one value
	mostFields = 200  // columns
)

// read yields rows. What goes wrong with a row or a file is a piece; an error is what ends the reading.
// have is what was read before, or nil.
func (w rowsWanted) read(ctx context.Context, cp *checkpoint.Checkpoint, have *rowsSource) iter.Seq2[rowPiece, error] {
	return func(yield func(rowPiece, error) bool) {
		from, err := w.source(ctx, cp, have)
		if err != nil {
			yield(rowPiece{}, err)
			return
		}
		if !yield(rowPiece{from: from}, nil) || w.nothing {
			return
		}
		if problem := from.state.Problem; problem != nil { // with a schema: other views may be lacking
			if !yield(rowPiece{rowLine: rowLine{err: problem}}, nil) {
				return
			}
		}
		for line, err := range from.lines(ctx, w.partition) {
			piece := rowPiece{rowLine: line}
			if _, ok := errors.AsType[*statestore.PartitionError](err); ok && !checkpoint.Stopped(err) {
				piece.err, err = err, nil
			}
			if !yield(piece, err) {
				return
			}
		}
	}
}

// lines are the rows of a partition, or those that have the wanted key wherever its hash puts it, or
// those that have changed.
func (f *rowsSource) lines(ctx context.Context, partition int) iter.Seq2[rowLine, error] {
	rows := f.state.Rows(ctx, f.view, partition)
	switch {
	case f.earlier != nil:
		return f.changes(ctx, partition)
	case f.lookup != nil:
		rows = f.lookup.Rows(ctx, f.lookup.Partition)
	}
	return func(yield func(rowLine, error) bool) {
		for r, err := range rows {
			var line rowLine
			if err == nil {
				line.cells = cellsOf(&r, f.columns, "")
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// changes are the rows in which state differs from the earlier one.
func (f *rowsSource) changes(ctx context.Context, partition int) iter.Seq2[rowLine, error] {
	return func(yield func(rowLine, error) bool) {
		for c, err := range f.earlier.Changes(ctx, f.state, f.view.Name, partition) {
			var line rowLine
			if err == nil {
				kind := c.Kind()
				line.cells = cellsOf(c.Row(), f.columns, kind)
				if kind == "changed" {
					line.before = cellsOf(&c.Before, f.columns, kind)
				}
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// at is the state as a batch left it, where it has been listed.
func (f *rowsSource) at(batch int64) *statestore.State {
	for _, s := range []*statestore.State{f.state, f.earlier} {
		if s != nil && s.Batch == batch {
			return s
		}
	}
	return nil
}

// source lists the operator and makes out what its rows are.
func (w rowsWanted) source(ctx context.Context, cp *checkpoint.Checkpoint, have *rowsSource) (*rowsSource, error) {
	stateAt := func(batch int64) (*statestore.State, error) {
		if have != nil && have.cp == cp {
			if s := have.at(batch); s != nil {
				return s, nil
			}
		}
		return statestore.At(ctx, cp, w.operator, batch)
	}
	at, err := stateAt(w.batch)
	if err != nil {
		return nil, err
	}
	from := &rowsSource{cp: cp, state: at}
	for _, v := range at.Views {
		if v.Store == w.store || w.store == "" {
			from.views = append(from.views, v)
		}
	}
	if len(from.views) == 0 {
		if at.Problem != nil {
			return nil, at.Problem
		}
		return nil, errors.New("no schema of this store is recorded, so its columns are unknown")
	}
	from.view = &from.views[0]
	if w.view != "" {
		i := slices.IndexFunc(from.views, func(v statestore.View) bool { return v.Name == w.view })
		if i < 0 {
			return nil, fmt.Errorf("the store has no view %q", w.view)
		}
		from.view = &from.views[i]
	}
	switch {
	case w.compare:
		from.earlier, err = stateAt(w.before)
	case w.key != "":
		from.lookup, err = at.Find(from.view, w.key)
	}
	if err != nil {
		return nil, err
	}
	from.setColumns(w.partition < 0 || w.key != "")
	return from, nil
}

// setColumns makes the columns: how a row has changed where that is asked, the partition where several are
// read, then the columns of the key, then those of the value, and in the place of a struct its fields.
func (f *rowsSource) setColumns(partition bool) {
	var out []rowColumn
	if f.earlier != nil {
		out = append(out, rowColumn{title: "change", kind: row.String, of: ofChange})
	}
	if partition {
		out = append(out, rowColumn{title: "part", kind: row.Integer, of: ofPartition})
	}
	v := f.view
	out = addColumns(out, v.Key, rowColumn{of: ofKey}, "key")
	if v.MapKey != nil {
		out = addColumns(out, v.MapKey, rowColumn{of: ofMapKey}, "map key")
	}
	out = addColumns(out, v.Value, rowColumn{of: ofValue}, v.ValueName)
	f.columns = out[:min(len(out), mostFields)]
}

func addColumns(out []rowColumn, t *row.Type, at rowColumn, name string) []rowColumn {
	const deep = 8
	if t == nil || len(out) > mostFields {
		return out
	}
	if t.Kind != row.Struct || len(t.Fields) == 0 || len(at.path) == deep {
		if at.title == "" {
			at.title = name
		}
		at.ddl, at.kind = t.DDL(), t.Kind
		return append(out, at)
	}
	for i, f := range t.Fields {
		c := at
		c.path = append(slices.Clone(at.path), i)
		c.title = strings.TrimPrefix(at.title+"."+f.Label, ".")
		out = addColumns(out, f.Type, c, name)
	}
	return out
}

// cellsOf are the values of a row as text, cut where they are too long to keep; change is how it has
// changed.
func cellsOf(r *statestore.Row, columns []rowColumn, change string) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		switch c.of {
		case ofChange:
			cells[i] = change
			continue
		case ofPartition:
			cells[i] = strconv.Itoa(r.Partition)
			continue
		}
		v := [...]row.Value{ofKey: r.Key, ofMapKey: r.MapKey, ofValue: r.Value}[c.of]
		for _, field := range c.path {
			if v.Null || field >= len(v.Items) {
				v = row.Value{Null: true}
				break
			}
			v = v.Items[field]
		}
		text := page.Value(v)
		if len(text) > keptCell {
			text = strings.Clone(text[:keptCell]) + "…"
		}
		cells[i] = text
	}
	return cells
}
