package ui

import (
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/ui/widget"
)

// timeline is the batches, newest first: when planned, what they read, whether they are committed.
// Which batches there are is known from the listing; their files are read for the rows in the window
// only. Batches that are missing are rows of their own, where they are missing.

// ---- model

type timeline struct {
	rows    []batchRow
	batches int64        // rows that are batches
	columns []partColumn // the columns of parts, after the fixed ones
	parts   map[partColumn]bool
	table   widget.Table
	filter  widget.Filter
	plot    timePlot
	marked  []int64 // two batches at most that are to be compared
	placed  bool    // the cursor has been put on the batch that is looked at
	gathered
	w, h int
}

// partColumn is a part of a source.
type partColumn struct {
	source int
	name   string
}

const (
	mostParts = 1000 // columns of parts
	fixed     = 6    // columns before those of parts
	names     = 9    // cells for the names of the lines of the plot
)

func newTimeline(s *session) *timeline {
	t := &timeline{gathered: gathered{s: s}}
	t.table.Look = s.theme.look()
	return t
}

func (t *timeline) title() string { return "batches" }

// ---- keys

func (t *timeline) keys() []key.Binding {
	compare := keys.compare
	compare.SetHelp("=", "compare with the marked one")
	switch len(t.marked) {
	case 0:
		compare.SetHelp("=", "compare with the one before")
	case 2:
		compare.SetHelp("=", "compare the marked ones")
	}
	return append([]key.Binding{keys.enter, keys.find, keys.mark, compare, keys.right, keys.left, keys.next, keys.previous}, moving()...)
}

// ---- update

func (t *timeline) load(at scope) tea.Cmd {
	t.restart(at)
	t.plot = timePlot{}
	if t.s.cp == nil {
		return nil
	}
	t.setRows()
	t.arrange()
	t.setColumns()
	if at := t.s.asOf; at >= 0 && !t.placed {
		t.table.Go(rowOf(t.rows, at), len(t.rows))
	}
	t.placed = true
	t.resize(t.w, t.h)
	return t.readOn()
}

func (t *timeline) loading() bool { return t.reading }

func (t *timeline) typing() bool { return t.filter.Typing }

func (t *timeline) resize(w, h int) {
	t.w, t.h = w, h
	t.plot.lay(t.s.cp, t.rows, w, names)
	t.table.Height = max(h-2-t.plotHeight(), 1)
	t.fit()
	t.table.Go(t.table.At, t.len())
	t.point()
}

// point marks the selected row in the plot.
func (t *timeline) point() {
	if t.table.At < t.len() {
		t.plot.window.Go(t.table.Order.Row(t.table.At), len(t.rows))
	}
}

func (t *timeline) len() int { return t.table.Order.Len(len(t.rows)) }

func (t *timeline) arrange() {
	if t.filter.Pattern == "" {
		t.table.Order.All()
	} else {
		t.table.Order.Set(len(t.rows), t.matcher(), nil)
	}
	t.table.Go(t.table.At, t.len())
}

// matcher compares rows with what the listing tells: the number of the batch, and the words "missing",
// "unplanned" and "uncommitted". It looks at every row, so it makes nothing new.
func (t *timeline) matcher() func(i int) bool {
	f, c := &t.filter, t.s.cp
	text, plain := f.Plain()
	number, err := strconv.ParseInt(text, 10, 64)
	one := plain && err == nil
	var words []byte
	return func(i int) bool {
		r := t.rows[i]
		words = strconv.AppendInt(words[:0], r.id, 10)
		switch {
		case r.missing > 0 && one && number >= r.id && number < r.id+r.missing:
			return true
		case r.missing > 0:
			words = append(words[:0], "missing"...)
		default:
			if c.Offsets.Find(r.id) == nil {
				words = append(words, " unplanned"...)
			}
			if c.Commits.Find(r.id) == nil {
				words = append(words, " uncommitted"...)
			}
		}
		return f.WantsBytes(words)
	}
}

func (t *timeline) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[*checkpoint.Batch]:
		for _, b := range msg.items {
			t.addColumns(b)
		}
		if next := t.take(msg); next != nil {
			return nil, next
		}
		return nil, t.readOn()
	case renewed:
		t.renew()
		return nil, t.readOn()
	case grown:
		t.resize(t.w, t.h) // what state there is shows in the plot
	case tea.WindowSizeMsg:
		return nil, t.readOn()
	case tea.KeyPressMsg, tea.PasteMsg:
		act := t.key(msg)
		t.point()
		if act != nil {
			return act, nil
		}
		return nil, t.readOn()
	}
	return nil, nil
}

func (t *timeline) key(msg tea.Msg) action {
	if t.filter.Typing {
		t.filter.Update(msg)
		t.arrange()
		return nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	switch {
	case pressed(k, keys.find):
		t.filter.Begin()
	case pressed(k, keys.mark):
		t.mark()
	case pressed(k, keys.compare):
		return t.compare()
	case pressed(k, keys.next):
		t.table.Move(1, t.len())
	case pressed(k, keys.previous):
		t.table.Move(-1, t.len())
	case pressed(k, keys.right):
		t.table.Pan(1, t.w)
	case pressed(k, keys.left):
		t.table.Pan(-1, t.w)
	case pressed(k, keys.enter):
		if t.table.At < t.len() {
			if r := t.rows[t.table.Order.Row(t.table.At)]; r.missing == 0 {
				return goBatch(r.id)
			}
		}
	case pressed(k, keys.back):
		if t.filter.Pattern == "" {
			return back{}
		}
		t.filter.Clear()
		t.arrange()
	default:
		moved(k, &t.table.Cursor, t.len())
	}
	return nil
}

// renew takes in a newer listing. The cursor stays on its batch; and where the window was not at the newest
// batch it stays on its line of the screen too.
func (t *timeline) renew() {
	id, below := int64(-1), t.table.At-t.table.Top
	if t.table.At < t.len() {
		id = t.rows[t.table.Order.Row(t.table.At)].id
	}
	atTop := t.table.Top == 0
	t.gathered.renew()
	t.setRows()
	t.plot = timePlot{}
	t.arrange()
	for i := range t.len() {
		if r := t.rows[t.table.Order.Row(i)]; id >= r.id {
			t.table.At = i
			break
		}
	}
	if !atTop {
		t.table.Top = max(t.table.At-below, 0)
	}
	t.resize(t.w, t.h)
}

// setRows makes the rows of the listing.
func (t *timeline) setRows() {
	t.rows, t.batches = batchRows(t.s.cp), 0
	for _, r := range t.rows {
		if r.missing == 0 {
			t.batches++
		}
	}
}

// current is the batch under the cursor; ok is false on a run of missing ones, and where there is none.
func (t *timeline) current() (id int64, ok bool) {
	if t.table.At >= t.len() {
		return 0, false
	}
	r := t.rows[t.table.Order.Row(t.table.At)]
	return r.id, r.missing == 0
}

// mark marks the batch under the cursor, or takes its mark away. Of three marks the oldest is dropped.
func (t *timeline) mark() {
	id, ok := t.current()
	if !ok {
		return
	}
	if i := slices.Index(t.marked, id); i >= 0 {
		t.marked = slices.Delete(t.marked, i, i+1)
		return
	}
	t.marked = append(t.marked[max(len(t.marked)-1, 0):], id)
}

// compare compares the two marked batches; with one marked that one and the batch under the cursor; with
// none that batch and the one before it.
func (t *timeline) compare() action {
	a, there := t.current()
	switch {
	case len(t.marked) == 2:
		return goCompare(t.marked[0], t.marked[1])
	case t.len() == 0:
		return nil
	case len(t.marked) == 1 && t.marked[0] != a || !there: // the screen says that there is nothing to compare
		return goCompare(slices.Concat(t.marked, []int64{a})[0], a)
	}
	if b, ok := t.s.step(a, -1); ok {
		return goCompare(b, a)
	}
	return nil
}

// goCompare opens two batches beside each other.
func goCompare(a, b int64) goLine { return goLine{fmt.Sprintf("compare %d %d", a, b), shown{}} }

// readOn reads what the window and the plot lack, the window first.
func (t *timeline) readOn() tea.Cmd {
	if t.reading || t.s.cp == nil || t.h <= 0 {
		return nil
	}
	var ids []int64
	from, to := t.table.Window(t.len(), t.table.Height)
	for i := from; i < to; i++ {
		if r := t.rows[t.table.Order.Row(i)]; r.missing == 0 {
			ids = append(ids, r.id, r.id-1, r.id+1)
		}
	}
	if t.plotHeight() > 0 {
		ids = append(ids, t.plot.wants(t.rows)...)
	}
	return t.want(ids)
}

// setColumns makes the columns that every timeline has.
func (t *timeline) setColumns() {
	t.columns, t.parts = nil, map[partColumn]bool{}
	c := []widget.Column{
		{Title: "batch", Width: 5, Right: true}, {Title: "commit", Width: 6}, {Title: "planned", Width: 15},
		{Title: "took", Width: 7, Right: true}, {Title: "reads in all", Width: 14, Right: true}, {Title: "watermark", Width: 15},
	}
	if t.s.Examine.Sink != nil {
		c[1] = widget.Column{Title: "commit  output", Width: 19}
	}
	if len(t.rows) > 0 {
		c[0].Width = max(5, len(strconv.FormatInt(t.rows[0].id, 10))+2) // the mark stands before the number
	}
	t.table.Columns = c
	t.fit()
}

// addColumns adds a column for every part that has none yet. The newest batches are read first, so
// those of the newest plan stand first, and older ones that are gone come at the end.
func (t *timeline) addColumns(b *checkpoint.Batch) {
	if b.Plan == nil {
		return
	}
	for i, o := range b.Plan.Sources {
		for _, p := range o.Parts {
			c := partColumn{i, p.Name}
			if t.parts[c] || len(t.columns) == mostParts {
				continue
			}
			t.parts[c] = true
			t.columns = append(t.columns, c)
			name := partOf(i, p.Name)
			n := min(2*len(p.Position.Text)+3, 41)
			t.table.Columns = append(t.table.Columns, widget.Column{Title: name, Width: max(n, min(widget.Width(name), 24), 9), Right: true})
		}
	}
}

// fit gives the fixed columns their widths: times without their year where the terminal is narrow.
func (t *timeline) fit() {
	if len(t.table.Columns) < fixed {
		return
	}
	at := len("01-02 15:04:05Z")
	if t.s.clock.local {
		at += len("+02:00") - 1
	}
	took, sum := 7, 17
	if t.w >= wide {
		at, took, sum = at+len("2006-"), 10, 20
	}
	c := t.table.Columns
	c[2].Width, c[3].Width, c[4].Width, c[5].Width = at, took, sum, at
}

// time is a time as wide as its column.
func (t *timeline) time(ms int64) string {
	if t.w >= wide {
		return t.s.clock.full(ms)
	}
	return t.s.clock.short(ms)
}

// ---- the lines that open it

var timelineSpec = Spec{
	command: "batches", title: "batches", args: "[N]", does: "all batches, at one of them", key: keys.batches, hint: 2,
	make: func(s *session) screen { return newTimeline(s) }, check: checkBatch, complete: batchWords,
}
