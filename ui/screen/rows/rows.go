package rows

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/statestore"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The screen shows the keys and values of a state store after one batch, of one partition or of all; or only the rows of one
// key. It reads as far as a person looks: a page ahead of the window, to the end for G, and to the next match for a filter.

// ---- model

type model struct {
	kit.List
	s      *kit.Session
	at     kit.Scope
	want   rowsWanted
	latest int64 // the newest batch that there is state of

	from    *rowsSource // what is read; nil until it is known
	columns []rowColumn // of it
	day     string      // that the times in columns leave out, as it is the same in all; "" for none
	rows    []rowLine
	bytes   int64            // that rows hold
	amiss   int              // rows that say what went wrong
	lost    bool             // and rows are missing for it
	changes map[string]int64 // where rows are compared: how many are "added", "changed", "removed"
	next    tea.Cmd          // reads on; nil at the end
	reading bool
	done    bool  // all has been read
	err     error // why no more is read

	ask      kit.Ask // what is asked for, if anything is
	chase    bool    // G was pressed: the cursor goes to the end as it moves away
	sorted   int     // the column that rows are sorted by; -1 for none
	sortedBy string  // its title
	backward bool    // and the other way round
	unsorted bool    // rows were read since
}

const (
	keptRows  = 200_000  // rows that are kept
	keptBytes = 64 << 20 // bytes of them
)

// newModel shows these rows; latest is the newest batch that there is state of.
func newModel(s *kit.Session, want rowsWanted, latest int64) *model {
	x := &model{s: s, want: want, latest: latest, sorted: -1}
	x.Table.Palette = s.Theme.Palette()
	if want.nothing {
		x.askKey()
	}
	return x
}

func (x *model) Title() string {
	title := "rows of " + strings.TrimPrefix(x.dir(), "state/")
	if x.want.compare {
		title = "changes of " + strings.TrimPrefix(x.dir(), "state/")
	}
	if x.want.store != "default" && x.want.store != "" {
		title += "/" + kit.Safe(x.want.store)
	}
	return title
}

// dir is the folder of the partition, or of the operator where all are shown.
func (x *model) dir() string {
	if x.want.partition < 0 || x.want.key != "" {
		return fmt.Sprintf("state/%d", x.want.operator)
	}
	return fmt.Sprintf("state/%d/%d", x.want.operator, x.want.partition)
}

// ---- keys

func (x *model) Keys() []key.Binding {
	compare := kit.Keys.Compare
	compare.SetHelp("=", "changes")
	own := []key.Binding{kit.Keys.Older, kit.Keys.Newer, kit.Keys.Lookup, compare, kit.Keys.Sort, kit.Keys.Partition, kit.Keys.AtBatch}
	if x.from != nil && len(x.from.views) > 1 {
		own = slices.Insert(own, 4, kit.Keys.View)
	}
	return kit.ListKeys(own...)
}

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	have := x.from
	x.at, x.from, x.columns, x.rows, x.bytes = at, nil, nil, nil, 0
	x.next, x.reading, x.done, x.err, x.chase = nil, false, false, nil, false
	x.amiss, x.lost, x.changes = 0, false, map[string]int64{}
	x.Table.Order.All()
	x.Table.Cursor = widget.Cursor{Height: x.Table.Height}
	x.Filter.Clear()
	x.unsorted = false
	x.want.nothing = x.ask.IsOpen() && x.want.nothing
	if x.s.Checkpoint == nil {
		return nil
	}
	x.reading = true
	return kit.Stream(at.Life, at.ID, x.want.read(at.Ctx, x.s.Checkpoint, have))
}

func (x *model) Loading() bool { return x.reading }

func (x *model) Typing() bool { return x.Filter.Typing || x.ask.IsOpen() }

func (x *model) len() int { return x.Table.Order.Len(len(x.rows)) }

func (x *model) Resize(int, int) {}

func (x *model) Asked() *kit.Ask { return &x.ask }

// full reports whether as many rows are kept as may be.
func (x *model) full() bool { return len(x.rows) >= keptRows || x.bytes >= keptBytes }

// readOn reads on where the window comes near the end of what was read.
func (x *model) readOn() tea.Cmd {
	near := x.len() < x.Table.At+3*max(x.Table.Height, 1)
	if x.reading || x.next == nil || x.full() || !near && !x.chase {
		return nil
	}
	x.reading = true
	return x.next
}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[rowPiece]:
		x.take(msg)
		if act := x.ask.Again(); act != nil {
			return act, nil
		}
		cmd := x.readOn()
		if cmd == nil && x.unsorted { // not for each page: sorting all of them costs more than reading one
			x.arrange()
		}
		return nil, cmd
	case tea.WindowSizeMsg:
		return nil, x.readOn()
	case tea.PasteMsg, tea.KeyPressMsg, kit.Input:
		if act := x.key(msg); act != nil {
			return act, nil
		}
		return nil, x.readOn()
	}
	return nil, nil
}

func (x *model) take(p kit.Chunk[rowPiece]) {
	first := len(x.rows) == 0
	for i := range p.Items {
		piece := &p.Items[i]
		if piece.from != nil {
			x.from, x.columns = piece.from, piece.from.columns
			if x.sorted >= 0 && (x.sorted >= len(x.columns) || x.columns[x.sorted].title != x.sortedBy) {
				x.sorted = -1 // of other rows: their columns differ
			}
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
		if x.Filter.Pattern == "" || x.matches(len(x.rows)-1) {
			x.Table.Order.Add(len(x.rows) - 1)
		}
		x.unsorted = x.sorted >= 0
	}
	if first {
		x.setColumns()
	}
	x.reading, x.next = false, p.Next
	x.err = p.Err
	x.done = p.Next == nil && p.Err == nil
	if x.from == nil && x.err != nil {
		x.ask = kit.Ask{} // there is nothing to ask about
	}
	if x.chase {
		x.Table.Go(x.len()-1, x.len())
	}
}

func (x *model) key(msg tea.Msg) kit.Action {
	if x.ask.IsOpen() {
		return x.ask.Handle(msg)
	}
	k, isKey := msg.(kit.Input)
	switch {
	case !isKey || x.Typing():
	case kit.Pressed(k, kit.Keys.Older):
		return x.shift(-1)
	case kit.Pressed(k, kit.Keys.Newer):
		return x.shift(1)
	}
	x.chase = kit.Pressed(k, kit.Keys.Bottom) && (x.Focus() == kit.ListID || x.Focus() == "") && !x.Filter.Typing
	switch x.Handle(msg, x.len()) {
	case kit.FilterChanged:
		x.arrange()
	case kit.SortChosen:
		x.sortBy(x.Column)
	case kit.ListLeft:
		if x.want.key == "" && !x.want.compare {
			return kit.Back{}
		}
		x.want.key, x.want.compare = "", false
		return kit.Reload{}
	case kit.NotForList:
		return x.own(k)
	}
	return nil
}

// own answers to the keys that only this screen has.
func (x *model) own(k kit.Input) kit.Action {
	switch {
	case kit.Pressed(k, kit.Keys.Lookup) && x.from != nil:
		x.askKey()
	case kit.Pressed(k, kit.Keys.Partition) && x.from != nil:
		x.askPartition()
	case kit.Pressed(k, kit.Keys.AtBatch):
		x.askBatch()
	case kit.Pressed(k, kit.Keys.Compare) && x.from != nil:
		x.askCompare()
	case kit.Pressed(k, kit.Keys.Sort):
		x.sortNext()
	case kit.Pressed(k, kit.Keys.View) && x.from != nil && len(x.from.views) > 1:
		i := slices.IndexFunc(x.from.views, func(v statestore.View) bool { return v.Name == x.from.view.Name })
		x.want.view, x.want.key = x.from.views[(i+1)%len(x.from.views)].Name, ""
		return kit.Reload{}
	}
	return nil
}

// shift goes to another batch; where two are compared, with both of them.
func (x *model) shift(by int64) kit.Action {
	first := x.want.batch
	if x.want.compare {
		first = x.want.before
	}
	if first+by < 0 || x.want.batch+by > x.latest {
		return nil
	}
	x.want.batch, x.want.before = x.want.batch+by, x.want.before+by
	x.s.AsOf = x.want.batch
	return kit.Reload{}
}

// selected is the row under the cursor, or nil.
func (x *model) selected() *rowLine {
	if x.Table.At >= x.len() {
		return nil
	}
	return &x.rows[x.Table.Order.Row(x.Table.At)]
}

func (x *model) Place() string {
	return fmt.Sprintf("%s  version %d", x.dir(), x.want.batch+1)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "rows", Home: "state", Args: "OPERATOR[/PARTITION] [batch N] [since N] [key KEY]", Need: true, Does: "the rows of a state store after a batch",
	Open: openRows, Ready: kit.NeedsState, Check: kit.CheckStore, Complete: complete,
	Also: []kit.Spec{{
		Command: "key", Home: "state", Args: "[OPERATOR] KEY", Need: true, Does: "the rows of a key, in the operator it fits",
		Ready: kit.NeedsState, Find: findKey, Finding: "reading the keys of the operators", Complete: kit.CompleteStores,
	}},
}

func openRows(s *kit.Session, w *kit.Words) (kit.Screen, error) {
	want, latest, err := takeRows(s, w)
	if err != nil {
		return nil, err
	}
	return newModel(s, want, latest), nil
}
