package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
)

// overview is the first screen: what a restart does, the three questions, the worst findings, and
// where the query stands. It answers without a key.

// ---- model

type overview struct {
	s       *session
	at      scope
	cursor  int     // the selected finding
	moved   bool    // a person has moved the cursor
	rows    []int64 // what the newest batches read, oldest first; -1 where that cannot be counted
	unit    string  // what rows counts
	asked   bool    // rows were asked for
	reading bool    // and are on their way
	last    *checkpoint.Batch
	h       int
}

// sparkBatches is how many of the newest batches the line of rows shows.
const sparkBatches = 60

func newOverview(s *session) *overview { return &overview{s: s} }

func (o *overview) title() string { return "overview" }

// ---- keys

func (o *overview) keys() []key.Binding {
	enter := keys.enter
	enter.SetHelp("enter", "open finding")
	switch {
	case o.s.cp == nil:
		return []key.Binding{keys.reread, keys.quit}
	case len(o.s.verdict.Findings) == 0:
		enter.SetHelp("enter", "open batch")
	}
	return []key.Binding{enter, keys.batches, keys.findings, keys.state, keys.tree, keys.question, keys.down, keys.up}
}

// ---- update

func (o *overview) load(at scope) tea.Cmd {
	o.at, o.rows, o.asked, o.reading, o.last = at, nil, false, false, nil
	return nil
}

func (o *overview) resize(w, h int) { o.h = h }

func (o *overview) update(msg tea.Msg) (action, tea.Cmd) {
	switch msg := msg.(type) {
	case grown:
		return nil, o.readRows()
	case page[*checkpoint.Batch]:
		for _, b := range msg.items {
			o.count(b)
		}
		o.reading = msg.next != nil
		return nil, msg.next
	case tea.KeyPressMsg:
		n := len(o.s.verdict.Findings)
		switch {
		case pressed(msg, keys.down):
			o.cursor, o.moved = max(min(o.cursor+1, n-1), 0), true
		case pressed(msg, keys.up):
			o.cursor, o.moved = max(o.cursor-1, 0), true
		case pressed(msg, keys.top):
			o.cursor = 0
		case pressed(msg, keys.bottom):
			o.cursor = max(n-1, 0)
		case pressed(msg, keys.enter):
			return o.enter(), nil
		case pressed(msg, keys.back):
			return back{}, nil
		}
	}
	return nil, nil
}

// readRows reads the newest batches for the line of rows, once all else has been looked at: what
// matters comes first, and most of them have been read by then.
func (o *overview) readRows() tea.Cmd {
	if o.asked || !o.s.verdict.Done || o.s.verdict.Err != nil || o.s.cp == nil {
		return nil
	}
	o.asked, o.reading = true, true
	var ids []int64
	for id := range o.s.cp.Offsets.IDs() {
		ids = append(ids, id)
	}
	ids = ids[max(0, len(ids)-sparkBatches-1):]
	return stream(o.at.life, o.at.id, o.s.cp.BatchesOf(o.at.ctx, slices.Values(ids)))
}

func (o *overview) count(b *checkpoint.Batch) {
	if o.last != nil {
		if n, unit, ok := single(checkpoint.Reads(o.last, b, nil)); ok {
			o.rows, o.unit = append(o.rows, n), unit
		} else {
			o.rows = append(o.rows, -1)
		}
	}
	o.last = b
}

func (o *overview) enter() action {
	if o.cursor < len(o.s.verdict.Findings) {
		f := newFindings(o.s)
		f.choose(o.cursor)
		return open{f}
	}
	if id := o.s.verdict.Restart.Batch; o.s.cp != nil && o.s.verdict.Known && id >= 0 && id <= o.s.verdict.Batches.LastPlanned {
		return open{newBatch(o.s, id)}
	}
	if o.s.cp != nil {
		return jump{"batches"}
	}
	return nil
}
