package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/ui/widget"
)

// rowsScreen is the keys and values of one partition of a state store, as one batch left them. It reads
// as far as a person looks: a page ahead of the window, on to the end for G, and on to the next match
// for a filter.

// ---- model

type rowsScreen struct {
	s         *session
	at        scope
	operator  int
	partition int
	store     string
	batch     int64 // whose state it is
	latest    int64 // the newest batch that there is state of
	chosen    string

	views   []checkpoint.View // of this store, the usual ones first
	shown   *checkpoint.View  // one of views; nil until it is known
	version int64
	columns []rowColumn
	rows    []rowLine
	bytes   int64   // that rows hold
	amiss   int     // rows that say what went wrong
	lost    bool    // and rows are missing for it
	next    tea.Cmd // reads on; nil at the end
	reading bool
	done    bool  // all has been read
	err     error // why no more is read

	list
	chase bool // G was pressed: the cursor goes to the end as it moves away
}

// rowLine is one row of state, or what went wrong with one.
type rowLine struct {
	cells []string // by column
	err   error
}

// rowPiece is what reading yields: first the view, then a row or what went wrong with one at a time.
type rowPiece struct {
	rowLine
	version int64
	views   []checkpoint.View
	view    *checkpoint.View
	columns []rowColumn
}

// rowColumn is a value within a row: a column of the key or the value, or a field of a struct there.
type rowColumn struct {
	title string
	ddl   string // its type
	kind  row.Kind
	of    part
	path  []int // the fields that lead to it
}

// part is the part of a row that a column is of.
type part byte

const (
	ofKey part = iota
	ofMapKey
	ofValue
)

const (
	keptRows   = 200_000  // rows that are kept
	keptBytes  = 64 << 20 // bytes of them
	keptCell   = 4096     // bytes of one value
	mostFields = 200      // columns
)

func newRows(s *session, r *storeRow) *rowsScreen {
	x := &rowsScreen{s: s, operator: r.operator, partition: r.partition, store: r.name, batch: r.newest - 1, latest: r.newest - 1, list: list{across: 13, down: 12}}
	if r.load != nil {
		x.batch = r.load.Version - 1
		x.latest = max(x.latest, x.batch)
	}
	x.table.Look = s.theme.look()
	return x
}

func (x *rowsScreen) title() string {
	if x.store == "default" {
		return fmt.Sprintf("rows of %d/%d", x.operator, x.partition)
	}
	return fmt.Sprintf("rows of %d/%d/%s", x.operator, x.partition, safe(x.store))
}

// ---- reading

// read yields the rows of one partition. What goes wrong with a row or a file is a piece; an error is
// what ends the reading.
func (x *rowsScreen) read(ctx context.Context, cp *checkpoint.Checkpoint) iter.Seq2[rowPiece, error] {
	operator, partition, store, batch, chosen := x.operator, x.partition, x.store, x.batch, x.chosen
	return func(yield func(rowPiece, error) bool) {
		at, err := cp.StateAt(ctx, operator, batch)
		if err != nil {
			yield(rowPiece{}, err)
			return
		}
		first := rowPiece{version: at.Version}
		for _, v := range at.Views {
			if v.Store == store {
				first.views = append(first.views, v)
			}
		}
		if len(first.views) == 0 {
			if err = at.Problem; err == nil {
				err = errors.New("no schema of this store is recorded, so its bytes cannot be told apart")
			}
			yield(rowPiece{}, err)
			return
		}
		first.view = &first.views[0]
		if i := slices.IndexFunc(first.views, func(v checkpoint.View) bool { return v.Name == chosen }); i >= 0 {
			first.view = &first.views[i]
		}
		first.columns = columnsOf(first.view)
		if !yield(first, nil) {
			return
		}
		for r, err := range at.Rows(ctx, first.view, partition) {
			var piece rowPiece
			if _, ok := errors.AsType[*checkpoint.PartitionError](err); ok && !checkpoint.Stopped(err) {
				piece.err, err = err, nil
			} else if err == nil {
				piece.cells = cellsOf(&r, first.columns)
			}
			if !yield(piece, err) || err != nil {
				return
			}
		}
	}
}

// columnsOf are the columns of a view: those of the key, then those of the value, and in the place of a
// struct its fields.
func columnsOf(v *checkpoint.View) []rowColumn {
	var out []rowColumn
	out = addColumns(out, v.Key, rowColumn{of: ofKey}, "key")
	if v.MapKey != nil {
		out = addColumns(out, v.MapKey, rowColumn{of: ofMapKey}, "map key")
	}
	out = addColumns(out, v.Value, rowColumn{of: ofValue}, v.ValueName)
	return out[:min(len(out), mostFields)]
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

// cellsOf are the values of a row as text, cut where they are too long to keep.
func cellsOf(r *checkpoint.Row, columns []rowColumn) []string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		v := [...]row.Value{ofKey: r.Key, ofMapKey: r.MapKey, ofValue: r.Value}[c.of]
		for _, field := range c.path {
			if v.Null || field >= len(v.Items) {
				v = row.Value{Null: true}
				break
			}
			v = v.Items[field]
		}
		text := v.Text()
		if len(text) > keptCell {
			text = strings.Clone(text[:keptCell]) + "…"
		}
		if text == "null" && !v.Null {
			text = `"null"` // a text, not the lack of one
		}
		cells[i] = text
	}
	return cells
}

// ---- keys

func (x *rowsScreen) keys() []key.Binding {
	own := []key.Binding{keys.older, keys.newer}
	if len(x.views) > 1 {
		own = append([]key.Binding{keys.view}, own...)
	}
	return listKeys(own...)
}

// ---- update

func (x *rowsScreen) load(at scope) tea.Cmd {
	x.at, x.shown, x.columns, x.rows, x.bytes = at, nil, nil, nil, 0
	x.next, x.reading, x.done, x.err, x.chase, x.inside = nil, false, false, nil, false, false
	x.amiss, x.lost = 0, false
	x.table.Order.All()
	x.table.Cursor = widget.Cursor{Height: x.table.Height}
	x.filter.Clear()
	if x.s.cp == nil {
		return nil
	}
	x.reading = true
	return stream(at.life, at.id, x.read(at.ctx, x.s.cp))
}

func (x *rowsScreen) loading() bool { return x.reading }

func (x *rowsScreen) len() int { return x.table.Order.Len(len(x.rows)) }

func (x *rowsScreen) resize(w, h int) {
	x.lay(w, h, len(x.head()), x.len())
}

// full reports whether as many rows are kept as may be.
func (x *rowsScreen) full() bool { return len(x.rows) >= keptRows || x.bytes >= keptBytes }

// want reads on where the window comes near the end of what was read.
func (x *rowsScreen) want() tea.Cmd {
	near := x.len() < x.table.At+3*max(x.table.Height, 1)
	if x.reading || x.next == nil || x.full() || !near && !x.chase {
		return nil
	}
	x.reading = true
	return x.next
}

func (x *rowsScreen) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[rowPiece]:
		x.take(msg)
		return nil, x.want()
	case tea.WindowSizeMsg:
		return nil, x.want()
	case tea.PasteMsg, tea.KeyPressMsg:
		if act := x.key(msg); act != nil {
			return act, nil
		}
		return nil, x.want()
	}
	return nil, nil
}

func (x *rowsScreen) take(p page[rowPiece]) {
	first := len(x.rows) == 0
	for i := range p.items {
		piece := &p.items[i]
		if piece.view != nil {
			x.version, x.views, x.shown, x.columns = piece.version, piece.views, piece.view, piece.columns
			continue
		}
		x.rows = append(x.rows, piece.rowLine)
		if piece.err != nil {
			x.amiss, x.lost = x.amiss+1, x.lost || !passed(piece.err)
		}
		for _, c := range piece.cells {
			x.bytes += int64(len(c)) + 16
		}
		if x.filter.Pattern != "" && x.matches(len(x.rows)-1) {
			x.table.Order.Add(len(x.rows) - 1)
		}
	}
	if first {
		x.setColumns()
	}
	x.reading, x.next = false, p.next
	x.err = p.err
	x.done = p.next == nil && p.err == nil
	if x.chase {
		x.table.Go(x.len()-1, x.len())
	}
	x.resize(x.w, x.h)
}

func (x *rowsScreen) matches(i int) bool {
	l := &x.rows[i]
	if l.err != nil {
		return x.filter.Wants(l.err.Error())
	}
	return slices.ContainsFunc(l.cells, x.filter.Wants)
}

func (x *rowsScreen) arrange() {
	if x.filter.Pattern == "" {
		x.table.Order.All()
	} else {
		x.table.Order.Set(len(x.rows), x.matches, nil)
	}
	x.resize(x.w, x.h)
}

func (x *rowsScreen) key(msg tea.Msg) action {
	k, _ := msg.(tea.KeyPressMsg)
	x.chase = pressed(k, keys.bottom) && !x.inside && !x.filter.Typing
	switch x.hear(msg, x.len()) {
	case sifted:
		x.arrange()
	case left:
		return back{}
	case unheard:
		return x.command(k)
	}
	return nil
}

// command answers to the keys that only this screen has.
func (x *rowsScreen) command(k tea.KeyPressMsg) action {
	switch {
	case pressed(k, keys.view) && len(x.views) > 1:
		i := slices.IndexFunc(x.views, func(v checkpoint.View) bool { return x.shown != nil && v.Name == x.shown.Name })
		x.chosen = x.views[(i+1)%len(x.views)].Name
		return reload{}
	case pressed(k, keys.older) && x.batch > 0:
		x.batch--
		return reload{}
	case pressed(k, keys.newer) && x.batch < x.latest:
		x.batch++
		return reload{}
	}
	return nil
}

// selected is the row under the cursor, or nil.
func (x *rowsScreen) selected() *rowLine {
	if x.table.At >= x.len() {
		return nil
	}
	return &x.rows[x.table.Order.Row(x.table.At)]
}

func (x *rowsScreen) place() string {
	return fmt.Sprintf("state/%d/%d  version %d", x.operator, x.partition, x.batch+1)
}
