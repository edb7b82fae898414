package batches

import (
	"fmt"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/ui/kit"
)

// The batches, newest first: a timeline, and a table of when they started, what they read, whether they are committed.
// Which batches exist is known from the listing; their files are read for the rows in sight only. Missing batches are rows
// of their own, in their place.

// ---- model

type model struct {
	kit.List
	kit.BatchLoader
	rows     []kit.BatchRow
	batches  int64 // rows that are batches
	fits     bool  // all of them may be read: every column filters and sorts
	plot     kit.Timeline
	parts    []kit.PartColumn // the columns of parts, after the fixed ones
	known    map[kit.PartColumn]bool
	widest   [fixed]int // cells of the widest text in a fixed column; 0: it has none
	units    map[string]bool
	newState int64 // size of the largest version of state
	order    order
	marked   []int64 // two batches at most that are to be compared
	goal     int64   // the batch that a line asked for, until a person moves; -1 for none
	placed   bool    // the cursor was put on the batch of the session
	local    bool    // the times of the columns are local
	w, h     int
}

const timelineID = "timeline"

func newModel(s *kit.Session) *model {
	t := &model{BatchLoader: kit.BatchLoader{Session: s}, List: kit.List{Name: "Batches"}, goal: -1}
	t.Table.Palette = s.Theme.Palette()
	return t
}

func (t *model) Title() string { return "batches" }

// ---- keys

func (t *model) Keys() []key.Binding {
	if len(t.rows) == 0 {
		return []key.Binding{kit.Keys.Reread}
	}
	enter, compare := kit.Keys.Enter, kit.Keys.Compare
	var own []key.Binding
	switch r, ok := t.row(); {
	case ok && r.Missing == 0:
		enter.SetHelp("enter", "open")
		own = append(own, enter)
	case ok && t.findingOf(r) >= 0:
		enter.SetHelp("enter", "open finding")
		own = append(own, enter)
	}
	own = append(own, kit.Keys.Older, kit.Keys.Newer, kit.Keys.Mark)
	if a, b, ok := t.pair(); ok {
		words := fmt.Sprintf("compare with %d", a)
		if len(t.marked) == 2 {
			words = fmt.Sprintf("compare %d, %d", a, b)
		}
		compare.SetHelp("=", words)
		own = append(own, compare)
	}
	return kit.ListKeys(append(own, kit.Keys.Sort)...)
}

// ---- update

func (t *model) Load(at kit.Scope) tea.Cmd {
	t.Restart(at)
	t.plot, t.rows, t.widest, t.units = kit.Timeline{}, nil, [fixed]int{}, map[string]bool{}
	if t.Session.Checkpoint == nil {
		return nil
	}
	t.setRows()
	t.parts, t.known = nil, map[kit.PartColumn]bool{}
	t.setColumns()
	t.arrange()
	if at := t.Session.AsOf; at >= 0 && !t.placed {
		t.Table.Go(t.placeOf(kit.RowOfBatch(t.rows, at)), t.len())
	}
	t.placed = true
	t.Resize(t.w, t.h)
	return t.readOn()
}

func (t *model) Loading() bool { return t.Reading }

func (t *model) Resize(w, h int) {
	t.w, t.h = w, h
	t.plot.Layout(&t.BatchLoader, t.rows, w-4)
	if t.Table.Height == 0 {
		t.Table.Height = max(h, 1)
	}
	t.fit()
	t.Table.Go(t.Table.At, t.len())
	t.point()
}

// point marks the selected row in the timeline.
func (t *model) point() {
	if t.Table.At < t.len() {
		t.plot.Window.Go(t.Table.Order.Row(t.Table.At), len(t.rows))
	}
}

func (t *model) len() int { return t.Table.Order.Len(len(t.rows)) }

func (t *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Chunk[*checkpoint.Batch]:
		next := t.Take(msg)
		t.learn(msg.Items)
		if next != nil {
			return nil, next
		}
		return nil, t.readOn()
	case kit.Renewed:
		t.renew()
		return nil, t.readOn()
	case kit.Grown:
		t.setState()
		t.Resize(t.w, t.h)
	case tea.WindowSizeMsg:
		return nil, t.readOn()
	case tea.KeyPressMsg, tea.PasteMsg, kit.Input:
		t.goal = -1
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
	switch in, _ := msg.(kit.Input); {
	case t.Filter.Typing || in == nil:
	case kit.Pressed(in, kit.Keys.Older):
		t.step(1)
		return nil
	case kit.Pressed(in, kit.Keys.Newer):
		t.step(-1)
		return nil
	}
	if in, ok := msg.(kit.Scroll); ok && in.Panel == timelineID {
		t.step(-in.Rows)
		return nil
	}
	switch t.Handle(msg, t.len()) {
	case kit.FilterChanged:
		t.arrange()
	case kit.SortChosen:
		t.sortBy(t.Column)
	case kit.ListLeft:
		return kit.Back{}
	case kit.NotForList:
		if in, ok := msg.(kit.Input); ok {
			return t.press(in)
		}
	}
	return nil
}

func (t *model) press(in kit.Input) kit.Action {
	r, ok := t.row()
	switch {
	case kit.Pressed(in, kit.Keys.Mark):
		t.mark()
	case kit.Pressed(in, kit.Keys.Sort):
		t.nextOrder()
	case kit.Pressed(in, kit.Keys.Compare):
		if a, b, ok := t.pair(); ok {
			return kit.Go{Line: fmt.Sprintf("compare %d %d", a, b), With: kit.Shown{}}
		}
	case kit.Pressed(in, kit.Keys.Enter) && ok && r.Missing == 0:
		return kit.GoBatch(r.ID)
	case kit.Pressed(in, kit.Keys.Enter) && ok && t.findingOf(r) >= 0:
		return kit.Go{Line: kit.FindingLine(&t.Session.Verdict, t.findingOf(r))}
	}
	return nil
}

// findingOf is the first finding about a row; -1 for none.
func (t *model) findingOf(r kit.BatchRow) int {
	for i := range t.Session.Verdict.Findings {
		if id := t.Session.Verdict.Findings[i].Batch; id >= r.ID && id < r.ID+max(r.Missing, 1) {
			return i
		}
	}
	return -1
}

// step goes to the batch before (by is 1) or after (-1), whatever the order is.
func (t *model) step(by int) {
	t.SetFocus(kit.ListID)
	if t.order.by == colBatch {
		if t.order.up {
			by = -by
		}
		t.Table.Move(by, t.len())
		return
	}
	if t.Table.At >= t.len() {
		return
	}
	from, to := t.Table.Order.Row(t.Table.At), -1
	for i := range t.len() {
		row := t.Table.Order.Row(i)
		if ahead := (row - from) * by; ahead > 0 && (to < 0 || ahead < (t.Table.Order.Row(to)-from)*by) {
			to = i
		}
	}
	if to >= 0 {
		t.Table.Go(to, t.len())
	}
}

// placeOf is where a row is among those that are shown, or the nearest older one.
func (t *model) placeOf(row int) int {
	if t.Filter.Pattern == "" && t.order == (order{}) {
		return row
	}
	place, nearest := 0, -1
	for i := range t.len() {
		if r := t.Table.Order.Row(i); r >= row && (nearest < 0 || r < nearest) {
			place, nearest = i, r
		}
	}
	return place
}

// renew takes in a newer listing. The cursor stays on its batch; and where the window was not at the newest
// batch it stays on its line of the screen too.
func (t *model) renew() {
	r, had := t.row()
	below, atTop := t.Table.At-t.Table.Top, t.Table.Top == 0
	t.BatchLoader.Renew()
	t.setRows()
	t.plot = kit.Timeline{}
	t.arrange()
	if had && len(t.rows) > 0 {
		t.Table.At = t.placeOf(kit.RowOfBatch(t.rows, r.ID))
	}
	if !atTop {
		t.Table.Top = max(t.Table.At-below, 0)
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
	t.fits = t.Fits()
	t.setState()
}

// row is the one under the cursor; ok is false for none.
func (t *model) row() (r kit.BatchRow, ok bool) {
	if t.Table.At >= t.len() {
		return r, false
	}
	return t.rows[t.Table.Order.Row(t.Table.At)], true
}

// readOn reads what the rows in sight and the timeline lack, the rows first; and all that a filter or an order looks at.
func (t *model) readOn() tea.Cmd {
	if t.Reading || t.Session.Checkpoint == nil || t.h <= 0 {
		return nil
	}
	var ids []int64
	from, to := t.Table.Window(t.len(), t.Table.Height)
	for i := from; i < to; i++ {
		if r := t.rows[t.Table.Order.Row(i)]; r.Missing == 0 {
			ids = append(ids, r.ID, r.ID-1, r.ID+1)
		}
	}
	ids = append(ids, t.plot.Wants(t.rows)...)
	if t.fits && (t.Filter.Pattern != "" || t.order.by != colBatch) {
		for _, r := range t.rows {
			if r.Missing == 0 {
				ids = append(ids, r.ID)
			}
		}
	}
	return t.Want(ids)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "batches", Title: "batches", Args: "[N] [sort COLUMN]", Does: "all batches, at one of them", Key: kit.Keys.Batches, Tab: "Batches", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: check,
	Complete: kit.CompleteSort(orderNames(), kit.CompleteBatches),
}

// idOf is a batch as a cell has it.
func idOf(id int64) string { return strconv.FormatInt(id, 10) }
