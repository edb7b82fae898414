package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
)

// overview is the first screen: what a restart does, the three questions, the worst findings, and
// where the query stands. It answers without a key. ← and → move it to another batch: then it shows what
// that batch was, and the strip above goes on to say what a restart does now.

// ---- model

type overview struct {
	gathered
	rows   []batchRow
	plot   timePlot
	cursor int  // the selected finding
	moved  bool // a person has moved the cursor
	kept   findingKey
	w, h   int
}

func newOverview(s *session) *overview { return &overview{gathered: gathered{s: s}} }

func (o *overview) title() string { return "overview" }

// ---- keys

func (o *overview) keys() []key.Binding {
	enter := keys.enter
	enter.SetHelp("enter", "open finding")
	switch {
	case o.s.cp == nil:
		return []key.Binding{keys.reread, keys.quit}
	case o.s.asOf >= 0:
		enter.SetHelp("enter", "open batch")
		now, oldest, newest := keys.back, keys.top, keys.bottom
		now.SetHelp("esc", "back to now")
		oldest.SetHelp("g home", "the oldest batch")
		newest.SetHelp("G end", "back to now")
		return []key.Binding{enter, keys.older, keys.newer, now, keys.batches, keys.state, keys.findings, oldest, newest}
	case len(o.s.verdict.Findings) == 0:
		enter.SetHelp("enter", "open batch")
	}
	return []key.Binding{enter, keys.older, keys.newer, keys.batches, keys.findings, keys.state, keys.tree, keys.question, keys.down, keys.up}
}

// ---- update

func (o *overview) load(at scope) tea.Cmd {
	o.restart(at)
	o.rows, o.plot = nil, timePlot{}
	if o.s.cp == nil {
		return nil
	}
	o.rows = batchRows(o.s.cp)
	o.resize(o.w, o.h)
	return o.readOn()
}

func (o *overview) loading() bool { return o.reading }

func (o *overview) resize(w, h int) {
	o.w, o.h = w, h
	o.plot.lay(o.s.cp, o.rows, min(w-3, overviewColumns+overviewNames+plotWords+3), overviewNames)
	o.point()
}

const (
	overviewColumns = 60 // columns of the plot at most
	overviewNames   = 11 // cells for the names of its lines
)

// point marks the batch that is looked at, or now the newest.
func (o *overview) point() {
	at := 0
	if o.s.asOf >= 0 {
		at = rowOf(o.rows, o.s.asOf)
	}
	o.plot.window.Go(at, len(o.rows))
}

func (o *overview) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case uncovered:
		o.point()
		return nil, o.readOn()
	case renewed:
		o.rows = batchRows(o.s.cp)
		o.renew()
		o.plot = timePlot{}
		o.resize(o.w, o.h)
	case grown:
		o.keep()
		return nil, o.readOn()
	case page[*checkpoint.Batch]:
		if next := o.take(msg); next != nil {
			return nil, next
		}
		return nil, o.readOn()
	case tea.KeyPressMsg:
		act := o.key(msg)
		if f := o.s.verdict.Findings; o.cursor < len(f) {
			o.kept = keyOfFinding(&f[o.cursor])
		}
		return act, o.readOn()
	}
	return nil, nil
}

// keep puts the cursor on the finding that a person has chosen, when others arrive above it.
func (o *overview) keep() {
	if !o.moved {
		return
	}
	for i := range o.s.verdict.Findings {
		if keyOfFinding(&o.s.verdict.Findings[i]) == o.kept {
			o.cursor = i
			return
		}
	}
	o.cursor = max(min(o.cursor, len(o.s.verdict.Findings)-1), 0)
}

func (o *overview) key(msg tea.KeyPressMsg) action {
	n := len(o.s.verdict.Findings)
	scrubbed := o.s.asOf >= 0
	switch {
	case pressed(msg, keys.older):
		o.scrub(1)
	case pressed(msg, keys.newer):
		o.scrub(-1)
	case scrubbed && (pressed(msg, keys.back) || pressed(msg, keys.bottom)):
		o.s.asOf = -1
	case scrubbed && pressed(msg, keys.top) && len(o.rows) > 0:
		o.s.asOf = o.rows[len(o.rows)-1].id
	case scrubbed && pressed(msg, keys.enter):
		if o.there(o.s.asOf) {
			return goBatch(o.s.asOf)
		}
	case pressed(msg, keys.down):
		o.cursor, o.moved = max(min(o.cursor+1, n-1), 0), true
	case pressed(msg, keys.up):
		o.cursor, o.moved = max(o.cursor-1, 0), true
	case pressed(msg, keys.top):
		o.cursor = 0
	case pressed(msg, keys.bottom):
		o.cursor = max(n-1, 0)
	case pressed(msg, keys.enter):
		return o.enter()
	case pressed(msg, keys.back):
		return back{}
	}
	o.point()
	return nil
}

// scrub goes by rows to an older batch (negative: to a newer one). From now it goes to the newest one, and
// from that one back to now. A run of missing batches is one step, at its newest.
func (o *overview) scrub(by int) {
	if len(o.rows) == 0 {
		return
	}
	at := -1
	if o.s.asOf >= 0 {
		at = rowOf(o.rows, o.s.asOf)
	}
	if at = min(at+by, len(o.rows)-1); at < 0 {
		o.s.asOf = -1
		return
	}
	o.s.asOf = o.rows[at].id + max(o.rows[at].missing-1, 0)
}

// readOn reads what is lacking: the batch that is looked at with its neighbours; and the plot, once all
// else has been looked at. What matters comes first, and most of the plot has been read by then.
func (o *overview) readOn() tea.Cmd {
	var ids []int64
	if at := o.s.asOf; at >= 0 {
		ids = append(ids, at, at-1, at+1)
	}
	if v := &o.s.verdict; v.Done && v.Err == nil {
		newestFirst := o.plot.wants(o.rows)
		slices.Reverse(newestFirst)
		ids = append(ids, newestFirst...)
	}
	if len(ids) == 0 || o.s.cp == nil {
		return nil
	}
	return o.want(ids)
}

func (o *overview) enter() action {
	if o.cursor < len(o.s.verdict.Findings) {
		return goLine{line: findingLine(&o.s.verdict, o.cursor)}
	}
	if id := o.s.verdict.Restart.Batch; o.s.cp != nil && o.s.verdict.Known && id >= 0 && id <= o.s.verdict.Batches.LastPlanned {
		return goBatch(id)
	}
	if o.s.cp != nil {
		return goLine{line: "batches"}
	}
	return nil
}

// ---- the lines that open it

var overviewSpec = Spec{
	command: "overview", title: "overview", args: "[N]", does: "what a restart does, or how it stood at batch N", key: keys.overview, hint: 1,
	make: func(s *session) screen { return newOverview(s) }, check: checkBatch, complete: batchWords,
}
