package batches

import (
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// timeline is the batches, newest first: when planned, what they read, whether they are committed.
// Which batches there are is known from the listing; their files are read for the rows in the window
// only. Batches that are missing are rows of their own, where they are missing.

// ---- model

type model struct {
	rows    []kit.BatchRow
	batches int64            // rows that are batches
	columns []kit.PartColumn // the columns of parts, after the fixed ones
	parts   map[kit.PartColumn]bool
	table   widget.Table
	filter  widget.Filter
	plot    kit.TimePlot
	marked  []int64 // two batches at most that are to be compared
	placed  bool    // the cursor has been put on the batch that is looked at
	kit.BatchLoader
	zone kit.Zone // of the rows, as they were drawn last
	w, h int
}

const (
	mostParts = 1000 // columns of parts
	fixed     = 6    // columns before those of parts
	names     = 9    // cells for the names of the lines of the plot
)

func newModel(s *kit.Session) *model {
	t := &model{BatchLoader: kit.BatchLoader{Session: s}}
	t.table.Palette = s.Theme.Palette()
	return t
}

func (t *model) Title() string { return "batches" }

// ---- keys

func (t *model) Keys() []key.Binding {
	compare := kit.Keys.Compare
	compare.SetHelp("=", "compare with the marked one")
	switch len(t.marked) {
	case 0:
		compare.SetHelp("=", "compare with the one before")
	case 2:
		compare.SetHelp("=", "compare the marked ones")
	}
	return append([]key.Binding{kit.Keys.Enter, kit.Keys.Find, kit.Keys.Mark, compare, kit.Keys.Right, kit.Keys.Left, kit.Keys.Next,
		kit.Keys.Previous}, kit.Moving()...)
}

// ---- update

func (t *model) Load(at kit.Scope) tea.Cmd {
	t.Restart(at)
	t.plot = kit.TimePlot{}
	if t.Session.Checkpoint == nil {
		return nil
	}
	t.setRows()
	t.arrange()
	t.setColumns()
	if at := t.Session.AsOf; at >= 0 && !t.placed {
		t.table.Go(kit.RowOfBatch(t.rows, at), len(t.rows))
	}
	t.placed = true
	t.Resize(t.w, t.h)
	return t.readOn()
}

func (t *model) Loading() bool { return t.Reading }

func (t *model) Typing() bool { return t.filter.Typing }

func (t *model) Resize(w, h int) {
	t.w, t.h = w, h
	t.plot.Layout(t.Session.Checkpoint, t.rows, w, names)
	t.table.Height = max(h-2-t.plotHeight(), 1)
	t.fit()
	t.table.Go(t.table.At, t.len())
	t.point()
}

// point marks the selected row in the plot.
func (t *model) point() {
	if t.table.At < t.len() {
		t.plot.Window.Go(t.table.Order.Row(t.table.At), len(t.rows))
	}
}

func (t *model) len() int { return t.table.Order.Len(len(t.rows)) }

func (t *model) arrange() {
	if t.filter.Pattern == "" {
		t.table.Order.All()
	} else {
		t.table.Order.Set(len(t.rows), t.matcher(), nil)
	}
	t.table.Go(t.table.At, t.len())
}

// matcher compares rows with what the listing tells: the number of the batch, and the words "missing",
// "unplanned" and "uncommitted". It looks at every row, so it makes nothing new.
func (t *model) matcher() func(i int) bool {
	f, c := &t.filter, t.Session.Checkpoint
	text, plain := f.Plain()
	number, err := strconv.ParseInt(text, 10, 64)
	one := plain && err == nil
	var words []byte
	return func(i int) bool {
		r := t.rows[i]
		words = strconv.AppendInt(words[:0], r.ID, 10)
		switch {
		case r.Missing > 0 && one && number >= r.ID && number < r.ID+r.Missing:
			return true
		case r.Missing > 0:
			words = append(words[:0], "missing"...)
		default:
			if c.Offsets.Find(r.ID) == nil {
				words = append(words, " unplanned"...)
			}
			if c.Commits.Find(r.ID) == nil {
				words = append(words, " uncommitted"...)
			}
		}
		return f.WantsBytes(words)
	}
}

func (t *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[*checkpoint.Batch]:
		for _, b := range msg.Items {
			t.addColumns(b)
		}
		if next := t.Take(msg); next != nil {
			return nil, next
		}
		return nil, t.readOn()
	case kit.Renewed:
		t.renew()
		return nil, t.readOn()
	case kit.Grown:
		t.Resize(t.w, t.h) // what state there is shows in the plot
	case tea.WindowSizeMsg:
		return nil, t.readOn()
	case tea.KeyPressMsg, tea.PasteMsg, kit.Input:
		act := t.key(msg)
		t.point()
		if act != nil {
			return act, nil
		}
		return nil, t.readOn()
	}
	return nil, nil
}

func (t *model) key(msg tea.Msg) kit.Action {
	if t.filter.Typing {
		t.filter.Update(msg)
		t.arrange()
		return nil
	}
	k, ok := msg.(kit.Input)
	if !ok {
		return nil
	}
	switch {
	case kit.Pressed(k, kit.Keys.Find):
		t.filter.Begin()
	case kit.Pressed(k, kit.Keys.Mark):
		t.mark()
	case kit.Pressed(k, kit.Keys.Compare):
		return t.compare()
	case kit.Pressed(k, kit.Keys.Next):
		t.table.Move(1, t.len())
	case kit.Pressed(k, kit.Keys.Previous):
		t.table.Move(-1, t.len())
	case kit.Pressed(k, kit.Keys.Right):
		t.table.Pan(1, t.w)
	case kit.Pressed(k, kit.Keys.Left):
		t.table.Pan(-1, t.w)
	case kit.Pressed(k, kit.Keys.Enter):
		if t.table.At < t.len() {
			if r := t.rows[t.table.Order.Row(t.table.At)]; r.Missing == 0 {
				return kit.GoBatch(r.ID)
			}
		}
	case kit.Pressed(k, kit.Keys.Back):
		if t.filter.Pattern == "" {
			return kit.Back{}
		}
		t.filter.Clear()
		t.arrange()
	default:
		kit.Moved(k, &t.table.Cursor, t.len())
	}
	return nil
}

// renew takes in a newer listing. The cursor stays on its batch; and where the window was not at the newest
// batch it stays on its line of the screen too.
func (t *model) renew() {
	id, below := int64(-1), t.table.At-t.table.Top
	if t.table.At < t.len() {
		id = t.rows[t.table.Order.Row(t.table.At)].ID
	}
	atTop := t.table.Top == 0
	t.BatchLoader.Renew()
	t.setRows()
	t.plot = kit.TimePlot{}
	t.arrange()
	for i := range t.len() {
		if r := t.rows[t.table.Order.Row(i)]; id >= r.ID {
			t.table.At = i
			break
		}
	}
	if !atTop {
		t.table.Top = max(t.table.At-below, 0)
	}
	t.Resize(t.w, t.h)
}

// setRows makes the rows of the listing.
func (t *model) setRows() {
	t.rows, t.batches = kit.BatchRows(t.Session.Checkpoint), 0
	for _, r := range t.rows {
		if r.Missing == 0 {
			t.batches++
		}
	}
}

// current is the batch under the cursor; ok is false on a run of missing ones, and where there is none.
func (t *model) current() (id int64, ok bool) {
	if t.table.At >= t.len() {
		return 0, false
	}
	r := t.rows[t.table.Order.Row(t.table.At)]
	return r.ID, r.Missing == 0
}

// mark marks the batch under the cursor, or takes its mark away. Of three marks the oldest is dropped.
func (t *model) mark() {
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
func (t *model) compare() kit.Action {
	a, there := t.current()
	switch {
	case len(t.marked) == 2:
		return goCompare(t.marked[0], t.marked[1])
	case t.len() == 0:
		return nil
	case len(t.marked) == 1 && t.marked[0] != a || !there: // the screen says that there is nothing to compare
		return goCompare(slices.Concat(t.marked, []int64{a})[0], a)
	}
	if b, ok := t.Session.Step(a, -1); ok {
		return goCompare(b, a)
	}
	return nil
}

// goCompare opens two batches beside each other.
func goCompare(a, b int64) kit.Go {
	return kit.Go{Line: fmt.Sprintf("compare %d %d", a, b), With: kit.Shown{}}
}

// readOn reads what the window and the plot lack, the window first.
func (t *model) readOn() tea.Cmd {
	if t.Reading || t.Session.Checkpoint == nil || t.h <= 0 {
		return nil
	}
	var ids []int64
	from, to := t.table.Window(t.len(), t.table.Height)
	for i := from; i < to; i++ {
		if r := t.rows[t.table.Order.Row(i)]; r.Missing == 0 {
			ids = append(ids, r.ID, r.ID-1, r.ID+1)
		}
	}
	if t.plotHeight() > 0 {
		ids = append(ids, t.plot.Wants(t.rows)...)
	}
	return t.Want(ids)
}

// setColumns makes the columns that every timeline has.
func (t *model) setColumns() {
	t.columns, t.parts = nil, map[kit.PartColumn]bool{}
	c := []widget.Column{
		{Title: "batch", Width: 5, Right: true}, {Title: "commit", Width: 6}, {Title: "planned", Width: 15},
		{Title: "took", Width: 7, Right: true}, {Title: "reads in all", Width: 14, Right: true}, {Title: "watermark", Width: 15},
	}
	if t.Session.Examine.Sink != nil {
		c[1] = widget.Column{Title: "commit  output", Width: 19}
	}
	if len(t.rows) > 0 {
		c[0].Width = max(5, len(strconv.FormatInt(t.rows[0].ID, 10))+2) // the mark stands before the number
	}
	t.table.Columns = c
	t.fit()
}

// addColumns adds a column for every part that has none yet. The newest batches are read first, so
// those of the newest plan stand first, and older ones that are gone come at the end.
func (t *model) addColumns(b *checkpoint.Batch) {
	if b.Plan == nil {
		return
	}
	for i, o := range b.Plan.Sources {
		for _, p := range o.Parts {
			c := kit.PartColumn{Source: i, Name: p.Name}
			if t.parts[c] || len(t.columns) == mostParts {
				continue
			}
			t.parts[c] = true
			t.columns = append(t.columns, c)
			name := kit.PartOf(i, p.Name)
			n := min(2*len(p.Position.Text)+3, 41)
			t.table.Columns = append(t.table.Columns, widget.Column{Title: name, Width: max(n, min(phrase.Width(name), 24), 9),
				Right: true})
		}
	}
}

// fit gives the fixed columns their widths: times without their year where the terminal is narrow.
func (t *model) fit() {
	if len(t.table.Columns) < fixed {
		return
	}
	at := len("01-02 15:04:05Z")
	if t.Session.Clock.Local {
		at += len("+02:00") - 1
	}
	took, sum := 7, 17
	if t.w >= kit.WideFrom {
		at, took, sum = at+len("2006-"), 10, 20
	}
	c := t.table.Columns
	c[2].Width, c[3].Width, c[4].Width, c[5].Width = at, took, sum, at
}

// time is a time as wide as its column.
func (t *model) time(ms int64) string {
	if t.w >= kit.WideFrom {
		return t.Session.Clock.Full(ms)
	}
	return t.Session.Clock.Short(ms)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "batches", Title: "batches", Args: "[N]", Does: "all batches, at one of them", Key: kit.Keys.Batches, Tab: "Batches", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: kit.CheckBatch, Complete: kit.CompleteBatches,
}
