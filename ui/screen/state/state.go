package state

import (
	"cmp"
	"path"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The screen lists the state stores below their operators: what a restart loads of each, the newest version that loads, and
// the size compared with the others. Panels below have the files of the selected one, what is lost, what to do, and its growth.

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
	order   int          // of orders
	reverse bool         // and the other way round
	kept    kit.StoreKey // of the selected row
	moved   bool         // a person has chosen it

	files   widget.Table   // of the selected row
	filesOf kit.StoreKey   // that row
	list    []fileRow      // its rows
	sizes   map[string]sst // of folders of table files, as they are listed
	adding  bool           // and they are being listed

	growth growth // of the selected row
	lags   lags
	held   snapshots
	counts counts
}

func newModel(s *kit.Session) *model {
	x := &model{s: s, kept: kit.StoreKey{Operator: -1}, filesOf: kit.StoreKey{Operator: -1}}
	x.Table.Palette, x.files.Palette = s.Theme.Palette(), s.Theme.Palette()
	x.Table.Columns = slices.Clone(columns)
	return x
}

func (x *model) Title() string { return "state" }

// ---- keys

func (x *model) Keys() []key.Binding {
	if len(x.rows) == 0 {
		return nil
	}
	enter, order := kit.Keys.Enter, kit.Keys.Sort
	enter.SetHelp("enter", "rows")
	if x.Focus() == filesID {
		enter.SetHelp("enter", "open file")
	}
	order.SetHelp("s", "sort "+orders[x.nextOrder()].name)
	return kit.ListKeys(enter, kit.Keys.Older, kit.Keys.Newer, kit.Keys.Lookup, kit.Keys.Tally, order)
}

// order is a way to sort the stores of each operator, by a column.
type order struct {
	name    string
	column  int
	compare func(x *model, a, b *storeRow) int
}

var orders = []order{
	{"worst first", markColumn, func(x *model, a, b *storeRow) int { return cmp.Compare(x.rank(a), x.rank(b)) }},
	{"by partition", partColumn, func(*model, *storeRow, *storeRow) int { return 0 }},
	{"by name", nameColumn, func(_ *model, a, b *storeRow) int { return cmp.Compare(a.Name, b.Name) }},
	{"by loadable", loadableColumn, func(_ *model, a, b *storeRow) int { return cmp.Compare(a.loadable(), b.loadable()) }},
	{"largest first", sizeColumn, func(x *model, a, b *storeRow) int { return cmp.Compare(x.bytes(b), x.bytes(a)) }},
	{"by rows", rowsColumn, func(x *model, a, b *storeRow) int {
		return cmp.Compare(x.counts.number(b, &x.held), x.counts.number(a, &x.held))
	}},
	{"oldest first", newestColumn, func(_ *model, a, b *storeRow) int { return cmp.Compare(a.newest, b.newest) }},
	{"by files", filesColumn, func(x *model, a, b *storeRow) int { return cmp.Compare(x.fileCount(b), x.fileCount(a)) }},
}

// nextOrder is the order after this one whose column is shown.
func (x *model) nextOrder() int {
	for by := 1; by < len(orders); by++ {
		if i := (x.order + by) % len(orders); x.Table.Columns[orders[i].column].Width > 0 {
			return i
		}
	}
	return x.order
}

// sortBy sorts by a column, or the other way round if the rows are sorted by it.
func (x *model) sortBy(column int) {
	i := slices.IndexFunc(orders, func(o order) bool { return o.column == column })
	if i < 0 {
		return
	}
	x.reverse = i == x.order && !x.reverse
	x.order, x.moved = i, true
	x.arrange()
}

// ---- update

func (x *model) Load(at kit.Scope) tea.Cmd {
	x.at, x.built, x.rows, x.list, x.adding, x.sizes = at, false, nil, nil, false, map[string]sst{}
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

func (x *model) Resize(int, int) {}

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
	x.measureMarks()
	x.Table.Order.Set(len(x.rows), x.wanted(), func(a, b int) int {
		r, s := &x.rows[a], &x.rows[b]
		c := cmp.Compare(r.Operator, s.Operator)
		if c == 0 && r.heading != s.heading {
			return map[bool]int{true: -1, false: 1}[r.heading]
		}
		if c == 0 {
			c = cmp.Or(orders[x.order].compare(x, r, s), cmp.Compare(a, b))
			if x.reverse {
				c = -c
			}
		}
		return c
	})
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
		} else if x.Filter.Wants(x.texts(i)...) {
			want[i], want[head] = true, true
		}
	}
	return func(i int) bool { return want[i] }
}

// find puts the cursor on the row that was selected; before a person has chosen one, on the first that a restart cannot load.
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
	if !x.moved { // the next frame moves the window as little as it must
		x.Table.At, x.Table.Top = max(min(at, x.len()-1), 0), 0
		return
	}
	x.Table.Go(at, x.len())
}

// note remembers which row is selected and works out its files and its growth.
func (x *model) note() {
	r := x.selected()
	x.list = nil
	if r == nil {
		return
	}
	x.kept = r.StoreKey
	x.setFiles(r)
	if r.StoreKey != x.filesOf {
		x.filesOf = r.StoreKey
		x.files.Cursor = widget.Cursor{At: max(slices.IndexFunc(x.list, func(f fileRow) bool { return f.bad != "" && f.needed }), 0)}
		x.ScrollHome(aboutID)
	}
	if x.growth.of != r.StoreKey || x.growth.first == 0 {
		x.grow(r)
	}
}

// grow works out how a row of the list has grown.
func (x *model) grow(r *storeRow) {
	x.growth = growthOf(r, x.rows, len(x.s.Verdict.Loads) > 0, &x.held)
}

// readLags begins to read how far the watermark was behind, if there is state.
func (x *model) readLags() tea.Cmd {
	if len(x.rows) == 0 {
		return nil
	}
	return x.lags.read(x.at, x.s)
}

// regrow works out the growth of the selected row again.
func (x *model) regrow() {
	if r := x.selected(); r != nil {
		x.grow(r)
	}
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
		return nil, msg.Next
	case kit.Chunk[rowsOf]:
		x.counts.take(msg)
		x.counts.total(x.rows, &x.held)
		return nil, msg.Next
	case tea.PasteMsg, tea.KeyPressMsg, kit.Input:
		return x.key(msg)
	}
	return nil, nil
}

func (x *model) key(msg tea.Msg) (kit.Action, tea.Cmd) {
	k, isKey := msg.(kit.Input)
	switch {
	case !isKey || x.Typing():
	case kit.Pressed(k, kit.Keys.Older):
		x.scrub(-1)
		return nil, nil
	case kit.Pressed(k, kit.Keys.Newer):
		x.scrub(1)
		return nil, nil
	}
	switch x.Handle(msg, x.len()) {
	case kit.RowSelected:
		x.choose()
	case kit.ListMoved: // the wheel moves the cursor of a panel that has not the keys
		if r := x.selected(); r != nil && r.StoreKey != x.kept {
			x.choose()
		}
	case kit.FilterChanged:
		x.arrange()
	case kit.SortChosen:
		x.sortBy(x.Column)
	case kit.ListLeft:
		return kit.Back{}, nil
	case kit.NotForList:
		switch {
		case kit.Pressed(k, kit.Keys.Enter):
			return x.enter(), nil
		case kit.Pressed(k, kit.Keys.Lookup):
			return x.lookUp(), nil
		case kit.Pressed(k, kit.Keys.Tally):
			return nil, x.countRows()
		case kit.Pressed(k, kit.Keys.Sort):
			x.order, x.reverse, x.moved = x.nextOrder(), false, true
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

// enter opens the rows of a store, or of all partitions of an operator; in the panel of files the one under the cursor.
func (x *model) enter() kit.Action {
	r := x.selected()
	switch {
	case r == nil || x.s.Checkpoint == nil:
		return nil
	case x.Focus() == filesID && len(x.list) > 0:
		f := &x.list[min(x.files.At, len(x.list)-1)]
		if f.bad == kit.Missing {
			return kit.Note{Text: f.name + " is missing"}
		}
		return kit.GoFile(decode.Where{File: path.Join(f.dir, f.name)}, f.size)
	case r.store != nil || r.heading:
		return kit.Go{Line: kit.RowsLine(r.StoreKey)}
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
	case x.Focus() == filesID && x.files.At < len(x.list) && x.list[x.files.At].bad != kit.Missing:
		f := &x.list[x.files.At]
		return kit.Safe(path.Join(f.dir, f.name))
	}
	return kit.Safe(r.dir)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "state", Title: "state", Args: "[OPERATOR[/PARTITION]] [batch N] [sort ORDER]", Does: "the state stores, or one of them",
	Key: kit.Keys.State, Tab: "State", Badge: badge, Moment: true,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: kit.CheckStore,
	Complete: kit.CompleteSort(orderNames(), kit.CompleteStores),
	Ready: func(s *kit.Session, w *kit.Words) error {
		if w.Empty() {
			return nil
		}
		return kit.NeedsState(s, w)
	},
}
