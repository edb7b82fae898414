package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/statestore"
	"tidemark/ui/widget"
)

// rowsScreen is the keys and values of a state store, of one partition or of all, as one batch left them;
// or only the rows of one key. It reads as far as a person looks: a page ahead of the window, on to the
// end for G, and on to the next match for a filter.

// ---- model

type rowsScreen struct {
	list
	s      *session
	at     scope
	want   rowsWanted
	latest int64 // the newest batch that there is state of

	from    *rowsSource // what is read; nil until it is known
	columns []rowColumn // of it
	rows    []rowLine
	bytes   int64            // that rows hold
	amiss   int              // rows that say what went wrong
	lost    bool             // and rows are missing for it
	changes map[string]int64 // where rows are compared: how many are "added", "changed", "removed"
	next    tea.Cmd          // reads on; nil at the end
	reading bool
	done    bool  // all has been read
	err     error // why no more is read

	ask   ask  // what is asked for, where something is
	chase bool // G was pressed: the cursor goes to the end as it moves away
}

const (
	keptRows  = 200_000  // rows that are kept
	keptBytes = 64 << 20 // bytes of them
)

// newRows shows the rows of a store; those of the head of an operator are the rows of all partitions.
func newRows(s *session, r *storeRow) *rowsScreen {
	want := wantedOf(s, r)
	return newRowsOf(s, want, max(r.newest-1, want.batch))
}

// newRowsOf shows these rows; latest is the newest batch that there is state of.
func newRowsOf(s *session, want rowsWanted, latest int64) *rowsScreen {
	x := &rowsScreen{s: s, want: want, latest: latest, list: list{across: 13, down: 12}}
	x.table.Look = s.theme.look()
	return x
}

// wantedOf are the rows of a store, or of the head of an operator, as a restart loads them, else as the
// newest files have them.
func wantedOf(s *session, r *storeRow) rowsWanted {
	version := r.newest
	for _, l := range s.verdict.Loads {
		if l.Operator == r.operator && (r.heading || l.Partition == r.partition && l.Name == r.name) {
			version = l.Version
			break
		}
	}
	if s.asOf >= 0 {
		version = s.asOf + 1
	}
	return rowsWanted{operator: r.operator, partition: r.partition, store: r.name, batch: max(version, 1) - 1}
}

// newLookup is newRows, which asks for a key before anything is read.
func newLookup(s *session, r *storeRow) *rowsScreen {
	x := newRows(s, r)
	x.want.nothing = true
	x.askKey()
	return x
}

func (x *rowsScreen) title() string {
	title := "rows of " + strings.TrimPrefix(x.dir(), "state/")
	if x.want.compare {
		title = "changes of " + strings.TrimPrefix(x.dir(), "state/")
	}
	if x.want.store != "default" && x.want.store != "" {
		title += "/" + safe(x.want.store)
	}
	return title
}

// dir is the folder of the partition, or of the operator where all are shown.
func (x *rowsScreen) dir() string {
	if x.want.partition < 0 || x.want.key != "" {
		return fmt.Sprintf("state/%d", x.want.operator)
	}
	return fmt.Sprintf("state/%d/%d", x.want.operator, x.want.partition)
}

// ---- keys

func (x *rowsScreen) keys() []key.Binding {
	own := []key.Binding{keys.lookup, keys.compare, keys.partition, keys.atBatch, keys.older, keys.newer}
	if x.from != nil && len(x.from.views) > 1 {
		own = slices.Insert(own, 1, keys.view)
	}
	return listKeys(own...)
}

// ---- update

func (x *rowsScreen) load(at scope) tea.Cmd {
	have := x.from
	x.at, x.from, x.columns, x.rows, x.bytes = at, nil, nil, nil, 0
	x.next, x.reading, x.done, x.err, x.chase, x.inside = nil, false, false, nil, false, false
	x.amiss, x.lost, x.changes = 0, false, map[string]int64{}
	x.table.Order.All()
	x.table.Cursor = widget.Cursor{Height: x.table.Height}
	x.filter.Clear()
	x.want.nothing = x.ask.open() && x.want.nothing
	if x.s.cp == nil {
		return nil
	}
	x.reading = true
	return stream(at.life, at.id, x.want.read(at.ctx, x.s.cp, have))
}

func (x *rowsScreen) loading() bool { return x.reading }

func (x *rowsScreen) typing() bool { return x.filter.Typing || x.ask.open() }

func (x *rowsScreen) len() int { return x.table.Order.Len(len(x.rows)) }

func (x *rowsScreen) resize(w, h int) {
	x.w = w
	x.lay(w, h, len(x.head()), x.len())
}

// full reports whether as many rows are kept as may be.
func (x *rowsScreen) full() bool { return len(x.rows) >= keptRows || x.bytes >= keptBytes }

// readOn reads on where the window comes near the end of what was read.
func (x *rowsScreen) readOn() tea.Cmd {
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
		if act := x.ask.again(); act != nil {
			return act, nil
		}
		return nil, x.readOn()
	case tea.WindowSizeMsg:
		return nil, x.readOn()
	case tea.PasteMsg, tea.KeyPressMsg:
		if act := x.key(msg); act != nil {
			return act, nil
		}
		return nil, x.readOn()
	}
	return nil, nil
}

func (x *rowsScreen) take(p page[rowPiece]) {
	first := len(x.rows) == 0
	for i := range p.items {
		piece := &p.items[i]
		if piece.from != nil {
			x.from, x.columns = piece.from, piece.from.columns
			continue
		}
		x.rows = append(x.rows, piece.rowLine)
		if x.want.compare && piece.err == nil {
			x.changes[piece.cells[0]]++
		}
		if piece.err != nil {
			x.amiss, x.lost = x.amiss+1, x.lost || !passed(piece.err)
		}
		for _, cells := range [][]string{piece.cells, piece.before} {
			for _, c := range cells {
				x.bytes += int64(len(c)) + 16
			}
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
	if x.from == nil && x.err != nil {
		x.ask = ask{} // there is nothing to ask about
	}
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
	return x.filter.WantsIn(l.cells, l.before)
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
	if x.ask.open() {
		act := x.ask.hear(msg)
		x.resize(x.w, x.h)
		return act
	}
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey || x.typing():
	case pressed(k, keys.older):
		return x.shift(-1)
	case pressed(k, keys.newer):
		return x.shift(1)
	}
	x.chase = pressed(k, keys.bottom) && !x.inside && !x.filter.Typing
	switch x.hear(msg, x.len()) {
	case sifted:
		x.arrange()
	case left:
		if x.want.key == "" && !x.want.compare {
			return back{}
		}
		x.want.key, x.want.compare = "", false
		return reload{}
	case unheard:
		act := x.own(k)
		x.resize(x.w, x.h)
		return act
	}
	return nil
}

// own answers to the keys that only this screen has.
func (x *rowsScreen) own(k tea.KeyPressMsg) action {
	switch {
	case pressed(k, keys.lookup) && x.from != nil:
		x.askKey()
	case pressed(k, keys.partition) && x.from != nil:
		x.askPartition()
	case pressed(k, keys.atBatch):
		x.askBatch()
	case pressed(k, keys.compare) && x.from != nil:
		x.askCompare()
	case pressed(k, keys.view) && x.from != nil && len(x.from.views) > 1:
		i := slices.IndexFunc(x.from.views, func(v statestore.View) bool { return v.Name == x.from.view.Name })
		x.want.view, x.want.key = x.from.views[(i+1)%len(x.from.views)].Name, ""
		return reload{}
	}
	return nil
}

// shift goes to another batch; where two are compared, with both of them.
func (x *rowsScreen) shift(by int64) action {
	first := x.want.batch
	if x.want.compare {
		first = x.want.before
	}
	if first+by < 0 || x.want.batch+by > x.latest {
		return nil
	}
	x.want.batch, x.want.before = x.want.batch+by, x.want.before+by
	x.s.asOf = x.want.batch
	return reload{}
}

// selected is the row under the cursor, or nil.
func (x *rowsScreen) selected() *rowLine {
	if x.table.At >= x.len() {
		return nil
	}
	return &x.rows[x.table.Order.Row(x.table.At)]
}

func (x *rowsScreen) place() string {
	return fmt.Sprintf("%s  version %d", x.dir(), x.want.batch+1)
}
