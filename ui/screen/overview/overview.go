package overview

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// overview is the first screen: why a restart is safe or not, what to do, the three questions, the worst findings and the newest
// batches. It answers without a key. ← and → show it as of another batch; the banner keeps the verdict of now.

// ---- model

type model struct {
	kit.BatchLoader
	kit.Board
	rows      []kit.BatchRow
	plot      kit.Timeline
	questions widget.Cursor
	findings  findings
	newest    widget.Table
	parts     []kit.PartColumn // columns of newest
	state     stateLines
	moved     bool // a person has moved a cursor, or chosen a panel
	above     int  // lines of the reason, as drawn last
	w, h      int
}

func newModel(s *kit.Session) *model {
	o := &model{BatchLoader: kit.BatchLoader{Session: s}}
	o.newest.Palette = s.Theme.Palette()
	return o
}

func (o *model) Title() string { return "overview" }

// The panels by their IDs.
const (
	whyID       = "why"
	stepsID     = "steps"
	questionsID = "questions"
	findingsID  = "findings"
	timelineID  = "timeline"
	batchesID   = "batches"
	stateID     = "state"
)

// ---- keys

func (o *model) Keys() []key.Binding {
	if o.Session.Checkpoint == nil {
		return kit.PanelKeys(kit.Keys.Reread, kit.Keys.Copy)
	}
	own := []key.Binding{kit.Keys.Enter, kit.Keys.Older, kit.Keys.Newer}
	if o.Session.AsOf >= 0 {
		now := kit.Keys.Back
		now.SetHelp("esc", "now")
		own = append(own, now)
	}
	if o.canFilter() {
		own = append(own, kit.Keys.Find)
	}
	return kit.PanelKeys(own...)
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
	o.plot.Layout(&o.BatchLoader, o.rows, o.timelineWidth())
	o.point()
}

// point marks the batch that is shown, or now the newest.
func (o *model) point() {
	at := 0
	if o.Session.AsOf >= 0 {
		at = kit.RowOfBatch(o.rows, o.Session.AsOf)
	}
	o.plot.Window.Go(at, len(o.rows))
	if o.Session.AsOf >= 0 && at < o.newestShown() {
		o.newest.Top, o.newest.Height = 0, o.newestShown()
		o.newest.Go(at, o.newestShown())
	}
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
		o.arrange()
		o.Resize(o.w, o.h) // the timeline has what the checks found
		return nil, o.readOn()
	case kit.Chunk[*checkpoint.Batch]:
		if next := o.Take(msg); next != nil {
			return nil, next
		}
		return nil, o.readOn()
	case kit.Input:
		act := o.key(msg)
		o.findings.keep(o.Session)
		return act, o.readOn()
	default:
		if o.findings.filter.Typing {
			o.findings.filter.Update(msg)
			o.arrange()
		}
	}
	return nil, nil
}

// arrange puts the findings in order again.
func (o *model) arrange() {
	o.findings.arrange(o.Session)
	o.refocus()
}

// refocus gives the keys to the panel with the worst row, until a person has chosen one.
func (o *model) refocus() {
	if o.moved || o.Session.AsOf >= 0 {
		return
	}
	o.SetFocus(questionsID)
	if len(o.Session.Verdict.Findings) > 0 {
		o.SetFocus(findingsID)
	}
}

func (o *model) key(in kit.Input) kit.Action {
	scrubbed := o.Session.AsOf >= 0
	switch {
	case kit.Pressed(in, kit.Keys.Older):
		o.scrub(1)
	case kit.Pressed(in, kit.Keys.Newer):
		o.scrub(-1)
	case kit.Pressed(in, kit.Keys.Back) && o.findings.filter.Pattern != "":
		o.findings.filter.Clear()
		o.arrange()
	case scrubbed && (kit.Pressed(in, kit.Keys.Back) || kit.Pressed(in, kit.Keys.Bottom)):
		o.Session.AsOf = -1
	case scrubbed && kit.Pressed(in, kit.Keys.Top) && len(o.rows) > 0:
		o.Session.AsOf = o.rows[len(o.rows)-1].ID
	case kit.Pressed(in, kit.Keys.Enter):
		return o.enter()
	case kit.Pressed(in, kit.Keys.Find) && o.canFilter():
		o.moved = true
		o.SetFocus(findingsID)
		o.findings.filter.Begin()
	case kit.Pressed(in, kit.Keys.Back):
		return kit.Back{}
	default:
		did := o.Board.Handle(in)
		o.moved = did != kit.NotForBoard || o.moved
		if scrubbed && did == kit.BoardRow && o.Focus() == batchesID {
			o.Session.AsOf = newestOf(o.rows[o.newest.At])
		}
	}
	o.point()
	return nil
}

// canFilter reports whether there are findings to filter.
func (o *model) canFilter() bool { return o.Session.AsOf < 0 && len(o.Session.Verdict.Findings) > 0 }

// Typing implements kit.Typist.
func (o *model) Typing() bool { return o.findings.filter.Typing }

// SetFilter implements kit.Filterer.
func (o *model) SetFilter(pattern string) {
	o.moved = true
	o.SetFocus(findingsID)
	o.findings.filter.Set(pattern)
	o.arrange()
}

// scrub goes by rows to an older batch (negative: to a newer one). From now it goes to the newest one, and from that one back to
// now. A run of missing batches is one step, at its newest.
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
	o.Session.AsOf = newestOf(o.rows[at])
}

// newestOf is the newest batch of a row.
func newestOf(r kit.BatchRow) int64 { return r.ID + max(r.Missing-1, 0) }

// readOn reads what is lacking: the batch that is shown with its neighbors; and the timeline, once all else was read. What matters
// is read first, and most of the timeline has been read by then.
func (o *model) readOn() tea.Cmd {
	var ids []int64
	if at := o.Session.AsOf; at >= 0 {
		ids = append(ids, at, at-1, at+1)
	}
	if v := &o.Session.Verdict; v.Done && v.Err == nil {
		ids = append(append(ids, o.batchesShown()...), o.plot.Wants(o.rows)...)
	}
	if len(ids) == 0 || o.Session.Checkpoint == nil {
		return nil
	}
	return o.Want(ids)
}

// enter opens the row under the cursor of the panel in focus.
func (o *model) enter() kit.Action {
	switch v := &o.Session.Verdict; {
	case o.Session.Checkpoint == nil:
		return nil
	case o.Session.AsOf >= 0:
		if o.There(o.Session.AsOf) {
			return kit.GoBatch(o.Session.AsOf)
		}
		return nil
	case o.Focus() == questionsID:
		return o.enterQuestion()
	case o.Focus() == findingsID:
		if i, ok := o.findings.selected(o.Session); ok {
			return kit.Go{Line: kit.FindingLine(v, i)}
		}
	case o.Focus() == batchesID && o.newest.At < len(o.rows):
		return kit.GoBatch(newestOf(o.rows[o.newest.At]))
	}
	return kit.Go{Line: "batches"}
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "overview", Title: "overview", Args: "[N]", Does: "what a restart does, or the state at batch N", Key: kit.Keys.Overview,
	Tab: "Overview", New: func(s *kit.Session) kit.Screen { return newModel(s) }, Check: kit.CheckBatch, Complete: kit.CompleteBatches,
}
