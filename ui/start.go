package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// start is the screen without a location: the checkpoints that can be opened from here.

// ---- model

type start struct {
	s     *session
	table widget.Table
}

func newStart(s *session) *start {
	x := &start{s: s}
	x.table.Columns = []widget.Column{{Title: "checkpoint", Width: 28}, {Title: "what it is", Width: 20, Grow: true}}
	x.table.Look = s.theme.look()
	return x
}

func (x *start) title() string { return "start" }

// Len and Row make it the rows of its table.
func (x *start) Len() int { return len(x.s.Choices) }

func (x *start) Row(i int, r *widget.Row) {
	c := &x.s.Choices[i]
	r.Cells[0].Text, r.Cells[1].Text = safe(c.Label), safe(c.Detail)
	if c.Location != "" && c.Location != c.Label {
		r.Cells[1].Text += "  " + safe(c.Location)
	}
}

// ---- keys

func (x *start) keys() []key.Binding {
	return append([]key.Binding{keys.enter, keys.quit}, moving()...)
}

// ---- update

func (x *start) load(scope) tea.Cmd { return nil }

func (x *start) resize(w, h int) {
	x.table.Height = max(h-3, 1)
	x.table.Go(x.table.At, x.Len())
}

func (x *start) update(msg tea.Msg) (action, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case pressed(k, keys.enter) && x.table.At < x.Len():
		return begin{x.s.Choices[x.table.At]}, nil
	default:
		moved(k, &x.table.Cursor, x.Len())
	}
	return nil, nil
}

// ---- view

func (x *start) view(w, h int) []string {
	if x.Len() == 0 {
		return []string{"", "   There is nothing to choose from. Give the location of a checkpoint: tidemark LOCATION"}
	}
	return append([]string{" " + x.s.theme.section.Styled("WHICH CHECKPOINT?") + x.s.theme.dim.Styled("  or give one: tidemark LOCATION"), ""}, x.table.View(x, w, h-2)...)
}
