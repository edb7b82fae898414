package state

import (
	"cmp"
	"fmt"
	"path"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// stateScreen is the state stores: operators, their partitions and stores, and of each the newest
// version, the newest that can be rebuilt, and how large it is beside the others. Beside or below the
// list stands the selected one, with the files of the version that a restart loads.

// ---- model

type model struct {
	s       *kit.Session
	at      kit.Scope
	built   bool  // the facts have arrived
	shown   int64 // the version that rows are about
	rows    []storeRow
	full    map[scale]int64 // the largest size on each scale
	spreads []spread
	widths  widths
	flaws   map[string][]flaw // findings by the folder of the store or operator that they are about
	outside []*checks.Finding // findings about state that no row is about
	sums    tally

	kit.List
	order int          // of stateOrders
	kept  kit.StoreKey // of the selected row
	moved bool         // a person has chosen it

	chain  []kit.Link     // of the selected row
	links  widget.Table   // of chain; of the head of an operator only the cursor, over its lines
	reach  int            // what the cursor of links is over
	sizes  map[string]sst // of folders of table files, as they are listed
	adding bool           // and they are being listed

	growth growth // of the selected row
	lags   lags
	held   snapshots
	counts counts
}

func newModel(s *kit.Session) *model {
	x := &model{s: s, kept: kit.StoreKey{Operator: -1}, List: kit.List{Across: 13, Down: 10}}
	x.Table.Palette, x.links.Palette = s.Theme.Palette(), s.Theme.Palette()
	x.Table.Columns = []widget.Column{
		{Title: "part", Width: 5, Right: true}, {Title: "store", Middle: true}, {Title: "restart", Width: 13}, {Title: "newest", Width: 6, Right: true},
		{Title: "loadable", Width: 8, Right: true}, {Title: "size", Width: 9, Right: true}, {Title: "compared", Width: 8}, {Title: "rows", Width: 7, Right: true}, {Title: "files", Width: 5, Right: true}, {Title: "chain", Grow: true},
	}
	x.links.Columns = []widget.Column{{Title: "file", Width: 14, Grow: true, Middle: true}, {Title: "size", Width: 10, Right: true}, {Title: "written", Width: 20}}
	return x
}

func (x *model) Title() string { return "state" }

// ---- keys

func (x *model) Keys() []key.Binding {
	if len(x.rows) == 0 {
		return nil
	}
	enter, order := kit.Keys.Enter, kit.Keys.Sort
	enter.SetHelp("enter", "its rows")
	if r := x.selected(); r != nil && r.heading {
		enter.SetHelp("enter", "rows of all partitions")
	}
	if x.Inside {
		enter.SetHelp("enter", "open the file")
	}
	order.SetHelp("s", orders[(x.order+1)%len(orders)].name)
	return kit.ListKeys(enter, kit.Keys.Older, kit.Keys.Newer, kit.Keys.Lookup, kit.Keys.Tally, order)
}

// orders are the ways to sort the stores of each operator.
var orders = []struct {
	name    string
	compare func(x *model, a, b *storeRow) int
}{
	{"by partition", nil},
	{"worst first", func(x *model, a, b *storeRow) int { return cmp.Compare(x.rank(a), x.rank(b)) }},
	{"largest first", func(x *model, a, b *storeRow) int {
		m, _ := x.size(a)
		n, _ := x.size(b)
		return cmp.Compare(n, m)
	}},
	{"oldest first", func(x *model, a, b *storeRow) int { return cmp.Compare(a.newest, b.newest) }},
}

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at, x.built, x.rows, x.chain, x.adding, x.sizes = at, false, nil, nil, false, map[string]sst{}
	x.counts, x.held = counts{by: map[kit.StoreKey]*rowSum{}}, snapshots{by: map[string]statestore.Recorded{}}
	x.growth, x.lags = growth{}, lags{}
	x.Table.Order.All()
	return x.arrive()
}

// arrive takes in what became known of the verdict.
func (x *model) arrive() tea.Cmd {
	if x.s.Checkpoint == nil || x.s.StateWords == nil {
		return nil
	}
	first := !x.built
	if first {
		x.build()
	} else {
		x.judge()
	}
	x.arrange()
	if first {
		return tea.Batch(x.measureTables(), x.readLags())
	}
	return x.readLags()
}

func (x *model) Outdated() bool { return true } // the files of state change with every batch

func (x *model) Loading() bool {
	return x.adding || x.lags.reading || x.held.reading+x.counts.running > 0
}

func (x *model) Resize(w, h int) {
	head := 1 + len(x.notes(w))
	x.Layout(w, h, head, x.len())
	x.fit()
	width, height := x.Words(head)
	x.reach, x.links.Height = len(x.chain), max(height-len(x.text(width))-1, 1)
	if r := x.selected(); r != nil && r.heading {
		x.reach, x.links.Height = len(x.text(width)), max(height, 1)
	}
	x.links.Go(x.links.At, x.reach)
}

func (x *model) len() int { return x.Table.Order.Len(len(x.rows)) }

// selected is the row under the cursor, or nil.
func (x *model) selected() *storeRow {
	if x.Table.At >= x.len() {
		return nil
	}
	return &x.rows[x.Table.Order.Row(x.Table.At)]
}

// arrange filters and sorts within each operator, whose head stays above its stores, and keeps the selection.
func (x *model) arrange() {
	if x.Filter.Pattern == "" && x.order == 0 {
		x.Table.Order.All()
	} else {
		x.Table.Order.Set(len(x.rows), x.wanted(), func(a, b int) int {
			r, s := &x.rows[a], &x.rows[b]
			c := cmp.Compare(r.Operator, s.Operator)
			if c == 0 && r.heading != s.heading {
				return map[bool]int{true: -1, false: 1}[r.heading]
			}
			if compare := orders[x.order].compare; c == 0 && compare != nil {
				c = compare(x, r, s)
			}
			return cmp.Or(c, cmp.Compare(a, b))
		})
	}
	x.Resize(x.W, x.H)
	x.find()
	x.note()
}

// wanted are the rows that the filter wants, and the heads of their operators.
func (x *model) wanted() func(i int) bool {
	if x.Filter.Pattern == "" {
		return nil
	}
	want := make([]bool, len(x.rows))
	head := 0
	for i := range x.rows {
		if r := &x.rows[i]; r.heading {
			head = i
			want[i] = x.Filter.Wants(r.text)
		} else if m := x.mark(r); x.Filter.Wants(fmt.Sprintf("%s %s %s", r.dir, r.Name, m.Words)) {
			want[i], want[head] = true, true
		}
	}
	return func(i int) bool { return want[i] }
}

// find puts the cursor on the row that was selected; before a person has chosen one, on the first that
// a restart fails on.
func (x *model) find() {
	at, best := -1, 4
	for i := range x.len() {
		switch r := &x.rows[x.Table.Order.Row(i)]; {
		case x.moved && r.StoreKey == x.kept:
			at = i
		case !x.moved && !r.heading && x.rank(r) < best:
			at, best = i, x.rank(r)
		}
	}
	if at < 0 {
		at = x.Table.At
	}
	if !x.moved {
		x.Table.Top = 0
	}
	x.Table.Go(at, x.len())
}

// note remembers which row is selected and works out its chain.
func (x *model) note() {
	r := x.selected()
	x.chain = nil
	if r != nil {
		if r.StoreKey != x.kept {
			x.links.Cursor = widget.Cursor{}
			x.Inside, x.Scroll = false, 0
		}
		x.kept = r.StoreKey
		x.chain = x.linksOf(r)
		if x.growth.of != r.StoreKey || x.growth.first == 0 {
			x.grow(r)
		}
	}
	x.Resize(x.W, x.H)
}

// grow works out how a row of the list has grown.
func (x *model) grow(r *storeRow) {
	x.growth = growthOf(r, x.rows, len(x.s.Verdict.Loads) > 0, &x.held)
}

// readLags begins to read how far the watermark was behind, where there is state.
func (x *model) readLags() tea.Cmd {
	if len(x.rows) == 0 {
		return nil
	}
	return x.lags.read(x.at, x.s)
}

// regrow works out the growth of the selected row anew.
func (x *model) regrow() {
	if r := x.selected(); r != nil {
		x.grow(r)
	}
	x.Resize(x.W, x.H)
}

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Uncovered:
		x.goTo()
	case kit.Grown:
		return nil, x.arrive()
	case kit.Chunk[sst]:
		for _, t := range msg.Items {
			x.sizes[t.dir] = t
		}
		x.adding = msg.Next != nil
		x.count()
		x.arrange()
		if msg.Next == nil && msg.Err == nil {
			return nil, x.readRecorded()
		}
		return nil, msg.Next
	case kit.Chunk[statestore.Recorded]:
		x.held.take(msg)
		x.counts.total(x.rows, &x.held)
		x.regrow()
		return nil, msg.Next
	case kit.Chunk[*checkpoint.Batch]:
		x.lags.take(msg)
		x.Resize(x.W, x.H)
		return nil, msg.Next
	case kit.Chunk[rowsOf]:
		x.counts.take(msg)
		x.counts.total(x.rows, &x.held)
		x.Resize(x.W, x.H)
		return nil, msg.Next
	case tea.PasteMsg, tea.KeyPressMsg, kit.Input:
		return x.key(msg)
	}
	return nil, nil
}

func (x *model) key(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg.(type) {
	case kit.Select, kit.OpenRow: // of the table, whatever has the keys
		x.Inside = false
	}
	k, isKey := msg.(kit.Input)
	switch {
	case !isKey || x.Typing():
	case x.Inside && kit.Moved(k, &x.links.Cursor, x.reach):
		return nil, nil
	case kit.Pressed(k, kit.Keys.Older):
		x.scrub(-1)
		return nil, nil
	case kit.Pressed(k, kit.Keys.Newer):
		x.scrub(1)
		return nil, nil
	}
	switch was := x.Inside; x.Handle(msg, x.len()) {
	case kit.ListMoved:
		if r := x.selected(); x.Inside && !was && r.heading {
			x.links.Go(x.reach-len(r.files()), x.reach)
		}
	case kit.RowSelected:
		x.choose()
	case kit.FilterChanged:
		x.arrange()
	case kit.ListLeft:
		return kit.Back{}, nil
	case kit.NotForList:
		switch {
		case kit.Pressed(k, kit.Keys.Enter):
			return x.enter(), nil
		case kit.Pressed(k, kit.Keys.Lookup):
			return x.lookUp(), nil
		case kit.Pressed(k, kit.Keys.Tally):
			cmd := x.countRows()
			x.Resize(x.W, x.H)
			return nil, cmd
		case kit.Pressed(k, kit.Keys.Sort):
			x.order, x.moved = (x.order+1)%len(orders), true
			x.arrange()
		}
	}
	return nil, nil
}

// choose takes the row under the cursor as the one that a person has chosen.
func (x *model) choose() {
	x.moved = true
	x.note()
}

// enter opens the rows of a store, or of all partitions of an operator; within its files the bytes of one.
func (x *model) enter() kit.Action {
	r := x.selected()
	switch {
	case r == nil || x.s.Checkpoint == nil:
		return nil
	case !x.Inside && (r.store != nil || r.heading):
		return kit.Go{Line: kit.RowsLine(r.StoreKey)}
	case !x.Inside:
		return nil
	case r.heading:
		if file := x.described(); file != "" {
			return kit.GoFile(decode.Where{File: file}, -1)
		}
		return nil
	case len(x.chain) == 0:
		return nil
	}
	if l := &x.chain[min(x.links.At, len(x.chain)-1)]; l.File != nil {
		return kit.GoFile(decode.Where{File: path.Join(r.dir, l.File.Name())}, l.File.Size)
	}
	return nil
}

// lookUp opens the rows of a key, which is asked for there.
func (x *model) lookUp() kit.Action {
	if r := x.selected(); x.s.Checkpoint != nil && r != nil && (r.store != nil || r.heading) {
		return kit.Go{Line: kit.RowsLine(r.StoreKey) + " key"}
	}
	return nil
}

func (x *model) Place() string {
	r := x.selected()
	switch {
	case r == nil:
		return ""
	case x.Inside && r.heading && x.described() != "":
		return kit.Safe(x.described())
	case x.Inside && x.links.At < len(x.chain) && x.chain[x.links.At].File != nil:
		return kit.Safe(path.Join(r.dir, x.chain[x.links.At].File.Name()))
	}
	return kit.Safe(r.dir)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "state", Title: "state", Args: "[OPERATOR[/PARTITION]] [batch N] [sort ORDER]", Does: "the state stores, at one of them", Key: kit.Keys.State, Tab: "State", Badge: badge, Moment: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: kit.CheckStore,
	Complete: kit.CompleteSort(orderNames(), kit.CompleteStores),
	Ready: func(s *kit.Session, w *kit.Words) error {
		if w.Empty() {
			return nil
		}
		return kit.NeedsState(s, w)
	},
}
