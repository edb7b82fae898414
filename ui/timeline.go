package ui

import (
	"bytes"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/report"
	"tidemark/ui/widget"
)

// timeline is the batches, newest first: when planned, what they read, whether they are committed.
// Which batches there are is known from the listing; their files are read for the rows in the window
// only. Batches that are missing are rows of their own, where they are missing.

// ---- model

type timeline struct {
	s       *session
	at      scope
	rows    []batchRow
	batches int64        // rows that are batches
	columns []partColumn // the columns of parts, after the fixed ones
	parts   map[partColumn]bool
	table   widget.Table
	filter  widget.Filter
	loaded  map[int64]*checkpoint.Batch
	read    map[int64]*batchFacts // what was worked out for a row
	reading bool
	err     error // why no more is read
	w, h    int
}

// batchRow is one batch, or a run of missing ones.
type batchRow struct {
	id      int64
	missing int64 // how many, from id on; 0 for a batch that is there
}

// partColumn is a part of a source.
type partColumn struct {
	source int
	name   string
}

// batchFacts is what a row shows, and what it was worked out from.
type batchFacts struct {
	before, b, after *checkpoint.Batch
	ranges           [][]source.Range
	index            []map[string]int // of ranges by the name of their part
	sum              report.Sum
}

const (
	keptBatches = 2000 // batches that are kept once read
	mostParts   = 1000 // columns of parts
	fixed       = 6    // columns before those of parts
)

func newTimeline(s *session) *timeline {
	t := &timeline{s: s}
	t.table.Look = s.theme.look()
	return t
}

func (t *timeline) title() string { return "batches" }

// batchRows are the batches of a checkpoint, newest first, with the holes between them.
func batchRows(c *checkpoint.Checkpoint) []batchRow {
	rows := make([]batchRow, 0, max(len(c.Offsets.Files), len(c.Commits.Files)))
	last := int64(-1)
	for id := range c.IDs() {
		if last >= 0 && id > last+1 {
			rows = append(rows, batchRow{last + 1, id - last - 1})
		}
		rows = append(rows, batchRow{id: id})
		last = id
	}
	slices.Reverse(rows)
	return rows
}

// ---- keys

func (t *timeline) keys() []key.Binding {
	return append([]key.Binding{keys.enter, keys.find, keys.right, keys.left, keys.next, keys.previous}, moving()...)
}

// ---- update

func (t *timeline) load(at scope) tea.Cmd {
	t.at, t.reading, t.err = at, false, nil
	t.loaded, t.read = map[int64]*checkpoint.Batch{}, map[int64]*batchFacts{}
	if t.s.cp == nil {
		return nil
	}
	t.rows, t.batches = batchRows(t.s.cp), 0
	for _, r := range t.rows {
		if r.missing == 0 {
			t.batches++
		}
	}
	t.arrange()
	t.setColumns()
	return t.want()
}

func (t *timeline) loading() bool { return t.reading }

func (t *timeline) typing() bool { return t.filter.Typing }

func (t *timeline) resize(w, h int) {
	t.w, t.h = w, h
	t.table.Height = max(h-2, 1)
	t.fit()
	t.table.Go(t.table.At, t.len())
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
	missing, unplanned, uncommitted := f.Wants("missing"), f.Wants("unplanned"), f.Wants("uncommitted")
	number, err := strconv.ParseInt(f.Pattern, 10, 64)
	var digits [20]byte
	pattern := []byte(f.Pattern)
	return func(i int) bool {
		r := t.rows[i]
		if r.missing > 0 {
			return missing || err == nil && number >= r.id && number < r.id+r.missing
		}
		return bytes.Contains(strconv.AppendInt(digits[:0], r.id, 10), pattern) ||
			unplanned && c.Offsets.Find(r.id) == nil || uncommitted && c.Commits.Find(r.id) == nil
	}
}

func (t *timeline) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case page[*checkpoint.Batch]:
		for _, b := range msg.items {
			t.loaded[b.ID] = b
			t.addColumns(b)
		}
		if msg.err != nil {
			t.err = msg.err
		}
		if t.reading = msg.next != nil; t.reading {
			return nil, msg.next
		}
		return nil, t.want()
	case tea.WindowSizeMsg:
		return nil, t.want()
	case tea.KeyPressMsg, tea.PasteMsg:
		act := t.key(msg)
		if act != nil {
			return act, nil
		}
		return nil, t.want()
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
				return open{newBatch(t.s, r.id)}
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

// want reads what the window lacks, one load at a time: whoever scrolls fast skips what he passes.
func (t *timeline) want() tea.Cmd {
	if t.reading || t.err != nil || t.s.cp == nil || t.h <= 0 {
		return nil
	}
	if len(t.loaded) > keptBatches {
		t.loaded, t.read = map[int64]*checkpoint.Batch{}, map[int64]*batchFacts{}
	}
	var ids []int64
	add := func(id int64) {
		_, have := t.loaded[id]
		if !have && (t.s.cp.Offsets.Find(id) != nil || t.s.cp.Commits.Find(id) != nil) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	from, to := t.table.Window(t.len(), t.table.Height)
	for i := from; i < to; i++ {
		r := t.rows[t.table.Order.Row(i)]
		if r.missing == 0 {
			add(r.id)
			add(r.id - 1)
			add(r.id + 1)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	t.reading = true
	return stream(t.at.life, t.at.id, t.s.cp.BatchesOf(t.at.ctx, slices.Values(ids)))
}

// setColumns makes the columns that every timeline has.
func (t *timeline) setColumns() {
	t.columns, t.parts = nil, map[partColumn]bool{}
	c := []widget.Column{
		{Title: "batch", Width: 5, Right: true}, {Title: "commit", Width: 6}, {Title: "planned", Width: 15},
		{Title: "took", Width: 7, Right: true}, {Title: "reads in all", Width: 14, Right: true}, {Title: "watermark", Width: 15},
	}
	if len(t.rows) > 0 {
		c[0].Width = max(5, len(strconv.FormatInt(t.rows[0].id, 10)))
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
