package overview

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/ui/kit"
)

// overview is the first screen: what a restart does, the three questions, the worst findings, and
// where the query stands. It answers without a key. ← and → move it to another batch: then it shows what
// that batch was, and the strip above goes on to say what a restart does now.

// ---- model

type model struct {
	kit.BatchLoader
	rows   []kit.BatchRow
	plot   kit.Timeline
	cursor int  // the selected finding
	moved  bool // a person has moved the cursor
	kept   kit.FindingKey
	zone   kit.Zone // of the findings, as they were drawn last
	w, h   int
}

func newModel(s *kit.Session) *model { return &model{BatchLoader: kit.BatchLoader{Session: s}} }

func (o *model) Title() string { return "overview" }

// ---- keys

func (o *model) Keys() []key.Binding {
	enter := kit.Keys.Enter
	enter.SetHelp("enter", "open finding")
	switch {
	case o.Session.Checkpoint == nil:
		return []key.Binding{kit.Keys.Reread, kit.Keys.Quit}
	case o.Session.AsOf >= 0:
		enter.SetHelp("enter", "open batch")
		now, oldest, newest := kit.Keys.Back, kit.Keys.Top, kit.Keys.Bottom
		now.SetHelp("esc", "back to now")
		oldest.SetHelp("g home", "the oldest batch")
		newest.SetHelp("G end", "back to now")
		return []key.Binding{enter, kit.Keys.Older, kit.Keys.Newer, now, kit.Keys.Batches, kit.Keys.State, kit.Keys.Findings, oldest,
			newest}
	case len(o.Session.Verdict.Findings) == 0:
		enter.SetHelp("enter", "open batch")
	}
	return []key.Binding{enter, kit.Keys.Older, kit.Keys.Newer, kit.Keys.Batches, kit.Keys.Findings, kit.Keys.State, kit.Keys.Tree,
		kit.Keys.Question, kit.Keys.Down, kit.Keys.Up}
}

// ---- update

func (o *model) Load(at kit.Scope) tea.Cmd {
	o.Restart(at)
	o.rows, o.plot = nil, kit.Timeline{}
	if o.Session.Checkpoint == nil {
		return nil
	}
	o.rows = kit.BatchRows(o.Session.Checkpoint)
	o.Resize(o.w, o.h)
	return o.readOn()
}

func (o *model) Loading() bool { return o.Reading }

func (o *model) Resize(w, h int) {
	o.w, o.h = w, h
	o.plot.Layout(&o.BatchLoader, o.rows, w-3)
	o.point()
}

// point marks the batch that is looked at, or now the newest.
func (o *model) point() {
	at := 0
	if o.Session.AsOf >= 0 {
		at = kit.RowOfBatch(o.rows, o.Session.AsOf)
	}
	o.plot.Window.Go(at, len(o.rows))
}

func (o *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case kit.Uncovered:
		o.point()
		return nil, o.readOn()
	case kit.Renewed:
		o.rows = kit.BatchRows(o.Session.Checkpoint)
		o.Renew()
		o.plot = kit.Timeline{}
		o.Resize(o.w, o.h)
	case kit.Grown:
		o.keep()
		return nil, o.readOn()
	case kit.Chunk[*checkpoint.Batch]:
		if next := o.Take(msg); next != nil {
			return nil, next
		}
		return nil, o.readOn()
	case kit.Input:
		act := o.key(msg)
		if f := o.Session.Verdict.Findings; o.cursor < len(f) {
			o.kept = kit.KeyOfFinding(&f[o.cursor])
		}
		return act, o.readOn()
	}
	return nil, nil
}

// keep puts the cursor on the finding that a person has chosen, when others arrive above it.
func (o *model) keep() {
	if !o.moved {
		return
	}
	for i := range o.Session.Verdict.Findings {
		if kit.KeyOfFinding(&o.Session.Verdict.Findings[i]) == o.kept {
			o.cursor = i
			return
		}
	}
	o.cursor = max(min(o.cursor, len(o.Session.Verdict.Findings)-1), 0)
}

func (o *model) key(msg kit.Input) kit.Action {
	n := len(o.Session.Verdict.Findings)
	scrubbed := o.Session.AsOf >= 0
	switch in := msg.(type) {
	case kit.Scroll:
		o.cursor, o.moved = max(min(o.cursor+in.Rows, n-1), 0), true
	case kit.Select:
		o.cursor, o.moved = max(min(in.Row, n-1), 0), true
	}
	switch {
	case kit.Pressed(msg, kit.Keys.Older):
		o.scrub(1)
	case kit.Pressed(msg, kit.Keys.Newer):
		o.scrub(-1)
	case scrubbed && (kit.Pressed(msg, kit.Keys.Back) || kit.Pressed(msg, kit.Keys.Bottom)):
		o.Session.AsOf = -1
	case scrubbed && kit.Pressed(msg, kit.Keys.Top) && len(o.rows) > 0:
		o.Session.AsOf = o.rows[len(o.rows)-1].ID
	case scrubbed && kit.Pressed(msg, kit.Keys.Enter):
		if o.There(o.Session.AsOf) {
			return kit.GoBatch(o.Session.AsOf)
		}
	case kit.Pressed(msg, kit.Keys.Down):
		o.cursor, o.moved = max(min(o.cursor+1, n-1), 0), true
	case kit.Pressed(msg, kit.Keys.Up):
		o.cursor, o.moved = max(o.cursor-1, 0), true
	case kit.Pressed(msg, kit.Keys.Top):
		o.cursor = 0
	case kit.Pressed(msg, kit.Keys.Bottom):
		o.cursor = max(n-1, 0)
	case kit.Pressed(msg, kit.Keys.Enter):
		return o.enter()
	case kit.Pressed(msg, kit.Keys.Back):
		return kit.Back{}
	}
	o.point()
	return nil
}

// scrub goes by rows to an older batch (negative: to a newer one). From now it goes to the newest one, and
// from that one back to now. A run of missing batches is one step, at its newest.
func (o *model) scrub(by int) {
	if len(o.rows) == 0 {
		return
	}
	at := -1
	if o.Session.AsOf >= 0 {
		at = kit.RowOfBatch(o.rows, o.Session.AsOf)
	}
	if at = min(at+by, len(o.rows)-1); at < 0 {
		o.Session.AsOf = -1
		return
	}
	o.Session.AsOf = o.rows[at].ID + max(o.rows[at].Missing-1, 0)
}

// readOn reads what is lacking: the batch that is looked at with its neighbors; and the plot, once all
// else has been looked at. What matters comes first, and most of the plot has been read by then.
func (o *model) readOn() tea.Cmd {
	var ids []int64
	if at := o.Session.AsOf; at >= 0 {
		ids = append(ids, at, at-1, at+1)
	}
	if v := &o.Session.Verdict; v.Done && v.Err == nil {
		newestFirst := o.plot.Wants(o.rows)
		slices.Reverse(newestFirst)
		ids = append(ids, newestFirst...)
	}
	if len(ids) == 0 || o.Session.Checkpoint == nil {
		return nil
	}
	return o.Want(ids)
}

func (o *model) enter() kit.Action {
	if o.cursor < len(o.Session.Verdict.Findings) {
		return kit.Go{Line: kit.FindingLine(&o.Session.Verdict, o.cursor)}
	}
	if id := o.Session.Verdict.Restart.Batch; o.Session.Checkpoint != nil && o.Session.Verdict.Known && id >= 0 &&
		id <= o.Session.Verdict.Batches.LastPlanned {
		return kit.GoBatch(id)
	}
	if o.Session.Checkpoint != nil {
		return kit.Go{Line: "batches"}
	}
	return nil
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "overview", Title: "overview", Args: "[N]", Does: "what a restart does, or how it stood at batch N", Key: kit.Keys.Overview, Tab: "Overview",
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: kit.CheckBatch, Complete: kit.CompleteBatches,
}
