package ui

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
	"tidemark/ui/widget"
)

// stateScreen is the state stores: operators, their partitions and stores, and of each the newest
// version, the newest that can be rebuilt, and how large it is beside the others. Beside or below the
// list stands the selected one, with the files of the version that a restart loads.

// ---- model

type stateScreen struct {
	s       *session
	at      scope
	built   bool  // the facts have arrived
	shown   int64 // the version that rows are about
	rows    []storeRow
	full    map[scale]int64 // the largest size on each scale
	spreads []spread
	widths  widths
	flaws   map[string][]flaw // findings by the folder of the store or operator that they are about
	outside []*checks.Finding // findings about state that no row is about
	sums    tally

	list
	order int      // of stateOrders
	kept  storeKey // of the selected row
	moved bool     // a person has chosen it

	chain  []link         // of the selected row
	links  widget.Table   // of chain; of the head of an operator only the cursor, over its lines
	reach  int            // what the cursor of links is over
	sizes  map[string]sst // of folders of table files, as they are listed
	adding bool           // and they are being listed

	growth   growth                         // of the selected row
	held     map[string]statestore.Recorded // what snapshots say, by their paths
	lags     map[int64]int64                // by version: ms from the watermark of its batch to when that was planned; nil until they are asked for
	planning bool                           // and are being read
	reading  int                            // readings of snapshots under way

	counted  map[storeKey]*rowSum // rows, where they were counted
	totals   map[int]*rowSum      // of counted, by operator
	records  map[int]*rowSum      // of recorded, by operator
	counting int                  // counts under way
	stopped  error                // why one of them ended
}

func newState(s *session) *stateScreen {
	x := &stateScreen{s: s, kept: storeKey{operator: -1}, list: list{across: 13, down: 10}}
	x.table.Look, x.links.Look = s.theme.look(), s.theme.look()
	x.table.Columns = []widget.Column{
		{Title: "part", Width: 5, Right: true}, {Title: "store", Middle: true}, {Title: "restart", Width: 13}, {Title: "newest", Width: 6, Right: true},
		{Title: "loadable", Width: 8, Right: true}, {Title: "size", Width: 9, Right: true}, {Title: "compared", Width: 8}, {Title: "rows", Width: 7, Right: true}, {Title: "files", Width: 5, Right: true}, {Title: "chain", Grow: true},
	}
	x.links.Columns = []widget.Column{{Title: "file", Width: 14, Grow: true, Middle: true}, {Title: "size", Width: 10, Right: true}, {Title: "written", Width: 20}}
	return x
}

func (x *stateScreen) title() string { return "state" }

// ---- keys

func (x *stateScreen) keys() []key.Binding {
	if len(x.rows) == 0 {
		return nil
	}
	enter, order := keys.enter, keys.sort
	enter.SetHelp("enter", "its rows")
	if r := x.selected(); r != nil && r.heading {
		enter.SetHelp("enter", "rows of all partitions")
	}
	if x.inside {
		enter.SetHelp("enter", "open the file")
	}
	order.SetHelp("s", stateOrders[(x.order+1)%len(stateOrders)].name)
	return listKeys(enter, keys.older, keys.newer, keys.lookup, keys.tally, order)
}

// stateOrders are the ways to sort the stores of each operator.
var stateOrders = []struct {
	name    string
	compare func(x *stateScreen, a, b *storeRow) int
}{
	{"by partition", nil},
	{"worst first", func(x *stateScreen, a, b *storeRow) int { return cmp.Compare(x.rank(a), x.rank(b)) }},
	{"largest first", func(x *stateScreen, a, b *storeRow) int {
		m, _ := x.size(a)
		n, _ := x.size(b)
		return cmp.Compare(n, m)
	}},
	{"oldest first", func(x *stateScreen, a, b *storeRow) int { return cmp.Compare(a.newest, b.newest) }},
}

// ---- update

func (x *stateScreen) load(at scope) tea.Cmd {
	x.at, x.built, x.rows, x.chain, x.adding, x.sizes = at, false, nil, nil, false, map[string]sst{}
	x.counted, x.totals, x.records = map[storeKey]*rowSum{}, nil, nil
	x.counting, x.reading, x.stopped = 0, 0, nil
	x.growth, x.held, x.lags, x.planning = growth{}, map[string]statestore.Recorded{}, nil, false
	x.table.Order.All()
	return x.arrive()
}

// arrive takes in what became known of the verdict.
func (x *stateScreen) arrive() tea.Cmd {
	if x.s.cp == nil || x.s.state == nil {
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

func (x *stateScreen) outdated() bool { return true } // the files of state change with every batch

func (x *stateScreen) loading() bool { return x.adding || x.planning || x.reading+x.counting > 0 }

func (x *stateScreen) resize(w, h int) {
	head := 1 + len(x.notes(w))
	x.lay(w, h, head, x.len())
	x.fit()
	width, height := x.words(head)
	x.reach, x.links.Height = len(x.chain), max(height-len(x.text(width))-1, 1)
	if r := x.selected(); r != nil && r.heading {
		x.reach, x.links.Height = len(x.text(width)), max(height, 1)
	}
	x.links.Go(x.links.At, x.reach)
}

func (x *stateScreen) len() int { return x.table.Order.Len(len(x.rows)) }

// selected is the row under the cursor, or nil.
func (x *stateScreen) selected() *storeRow {
	if x.table.At >= x.len() {
		return nil
	}
	return &x.rows[x.table.Order.Row(x.table.At)]
}

// arrange filters and sorts within each operator, whose head stays above its stores, and keeps the selection.
func (x *stateScreen) arrange() {
	if x.filter.Pattern == "" && x.order == 0 {
		x.table.Order.All()
	} else {
		x.table.Order.Set(len(x.rows), x.wanted(), func(a, b int) int {
			r, s := &x.rows[a], &x.rows[b]
			c := cmp.Compare(r.operator, s.operator)
			if c == 0 && r.heading != s.heading {
				return map[bool]int{true: -1, false: 1}[r.heading]
			}
			if compare := stateOrders[x.order].compare; c == 0 && compare != nil {
				c = compare(x, r, s)
			}
			return cmp.Or(c, cmp.Compare(a, b))
		})
	}
	x.resize(x.w, x.h)
	x.find()
	x.note()
}

// wanted are the rows that the filter wants, and the heads of their operators.
func (x *stateScreen) wanted() func(i int) bool {
	if x.filter.Pattern == "" {
		return nil
	}
	want := make([]bool, len(x.rows))
	head := 0
	for i := range x.rows {
		if r := &x.rows[i]; r.heading {
			head = i
			want[i] = x.filter.Wants(r.text)
		} else if m := x.mark(r); x.filter.Wants(fmt.Sprintf("%s %s %s", r.dir, r.name, m.words)) {
			want[i], want[head] = true, true
		}
	}
	return func(i int) bool { return want[i] }
}

// find puts the cursor on the row that was selected; before a person has chosen one, on the first that
// a restart fails on.
func (x *stateScreen) find() {
	at, best := -1, 4
	for i := range x.len() {
		switch r := &x.rows[x.table.Order.Row(i)]; {
		case x.moved && r.storeKey == x.kept:
			at = i
		case !x.moved && !r.heading && x.rank(r) < best:
			at, best = i, x.rank(r)
		}
	}
	if at < 0 {
		at = x.table.At
	}
	if !x.moved {
		x.table.Top = 0
	}
	x.table.Go(at, x.len())
}

// note remembers which row is selected and works out its chain.
func (x *stateScreen) note() {
	r := x.selected()
	x.chain = nil
	if r != nil {
		if r.storeKey != x.kept {
			x.links.Cursor = widget.Cursor{}
			x.inside, x.scroll = false, 0
		}
		x.kept = r.storeKey
		x.chain = x.linksOf(r)
		if x.growth.of != r.storeKey || x.growth.first == 0 {
			x.grow(r)
		}
	}
	x.resize(x.w, x.h)
}

// regrow works out the growth of the selected row anew.
func (x *stateScreen) regrow() {
	if r := x.selected(); r != nil {
		x.grow(r)
	}
	x.resize(x.w, x.h)
}

func (x *stateScreen) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case uncovered:
		x.goTo()
	case grown:
		return nil, x.arrive()
	case page[sst]:
		for _, t := range msg.items {
			x.sizes[t.dir] = t
		}
		x.adding = msg.next != nil
		x.count()
		x.arrange()
		if msg.next == nil && msg.err == nil {
			return nil, x.readRecorded()
		}
		return nil, msg.next
	case page[statestore.Recorded]:
		for _, r := range msg.items {
			x.held[r.Path()] = r
		}
		if msg.next == nil {
			x.reading--
		}
		x.total()
		x.regrow()
		return nil, msg.next
	case page[*checkpoint.Batch]:
		x.takeLags(msg)
		x.resize(x.w, x.h)
		return nil, msg.next
	case page[rowsOf]:
		x.takeCounts(msg)
		x.resize(x.w, x.h)
		return nil, msg.next
	case tea.PasteMsg, tea.KeyPressMsg:
		return x.key(msg)
	}
	return nil, nil
}

func (x *stateScreen) key(msg tea.Msg) (action, tea.Cmd) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey || x.typing():
	case x.inside && moved(k, &x.links.Cursor, x.reach):
		return nil, nil
	case pressed(k, keys.older):
		x.scrub(-1)
		return nil, nil
	case pressed(k, keys.newer):
		x.scrub(1)
		return nil, nil
	}
	switch was := x.inside; x.hear(msg, x.len()) {
	case looked:
		if r := x.selected(); x.inside && !was && r.heading {
			x.links.Go(x.reach-len(r.files()), x.reach)
		}
	case picked:
		x.choose()
	case sifted:
		x.arrange()
	case left:
		return back{}, nil
	case unheard:
		switch {
		case pressed(k, keys.enter):
			return x.enter(), nil
		case pressed(k, keys.lookup):
			return x.lookUp(), nil
		case pressed(k, keys.tally):
			cmd := x.countRows()
			x.resize(x.w, x.h)
			return nil, cmd
		case pressed(k, keys.sort):
			x.order, x.moved = (x.order+1)%len(stateOrders), true
			x.arrange()
		}
	}
	return nil, nil
}

// choose takes the row under the cursor as the one that a person has chosen.
func (x *stateScreen) choose() {
	x.moved = true
	x.note()
}

// enter opens the rows of a store, or of all partitions of an operator; within its files the bytes of one.
func (x *stateScreen) enter() action {
	r := x.selected()
	switch {
	case r == nil || x.s.cp == nil:
		return nil
	case !x.inside && (r.store != nil || r.heading):
		return open{newRows(x.s, r)}
	case !x.inside:
		return nil
	case r.heading:
		if file := x.described(); file != "" {
			return open{newBytes(x.s, decode.Where{File: file}, -1)}
		}
		return nil
	case len(x.chain) == 0:
		return nil
	}
	if l := &x.chain[min(x.links.At, len(x.chain)-1)]; l.file != nil {
		return open{newBytes(x.s, decode.Where{File: path.Join(r.dir, l.file.Name())}, l.file.Size)}
	}
	return nil
}

// lookUp opens the rows of a key, which is asked for there.
func (x *stateScreen) lookUp() action {
	if r := x.selected(); x.s.cp != nil && r != nil && (r.store != nil || r.heading) {
		return open{newLookup(x.s, r)}
	}
	return nil
}

func (x *stateScreen) place() string {
	r := x.selected()
	switch {
	case r == nil:
		return ""
	case x.inside && r.heading && x.described() != "":
		return safe(x.described())
	case x.inside && x.links.At < len(x.chain) && x.chain[x.links.At].file != nil:
		return safe(path.Join(r.dir, x.chain[x.links.At].file.Name()))
	}
	return safe(r.dir)
}
