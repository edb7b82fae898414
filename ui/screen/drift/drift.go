package drift

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// drift is what the query declares beside what the checkpoint records, worst first, with what each
// difference does at a restart; below it the words on the selected one.

// ---- model

type model struct {
	kit.List
	s    *kit.Session
	rows []*checks.Drift // of the verdict, worst first
}

func newModel(s *kit.Session) *model {
	d := &model{s: s, List: kit.List{Across: 20, Down: 9}}
	d.Table.Columns = []widget.Column{
		{Title: "effect", Width: 17}, {Title: "what", Width: 17, Grow: true, Middle: true}, {Title: "declared", Width: 18, Grow: true}, {Title: "recorded", Width: 18, Grow: true},
		{Title: "what Spark does", Width: 18, Grow: true},
	}
	d.Table.Palette = s.Theme.Palette()
	return d
}

func (d *model) Title() string { return "drift" }

// Len and Row make it the rows of its table; see Row.
func (d *model) Len() int { return len(d.rows) }

func (d *model) len() int { return d.Table.Order.Len(len(d.rows)) }

// selected is the difference under the cursor, or nil.
func (d *model) selected() *checks.Drift {
	if d.Table.At >= d.len() {
		return nil
	}
	return d.rows[d.Table.Order.Row(d.Table.At)]
}

// ---- keys

func (d *model) Keys() []key.Binding {
	if len(d.rows) == 0 {
		return []key.Binding{kit.Keys.Plan}
	}
	enter := kit.Keys.Enter
	enter.SetHelp("enter", "open what records it")
	return kit.ListKeys(enter, kit.Keys.Plan)
}

// ---- update

func (d *model) Load(kit.Scope) tea.Cmd {
	d.gather()
	return nil
}

// gather takes in the differences that have become known.
func (d *model) gather() {
	d.rows = page.Compared(&d.s.Verdict)
	d.arrange()
}

func (d *model) arrange() {
	d.Table.Order.All()
	if d.Filter.Pattern != "" {
		d.Table.Order.Set(len(d.rows), func(i int) bool {
			x := d.rows[i]
			return d.Filter.Wants(fmt.Sprintf("%s %s %s %s %s", x.Effect, x.Field, x.Declared, x.Recorded, x.Error))
		}, nil)
	}
	d.Resize(d.W, d.H)
}

func (d *model) Resize(w, h int) { d.Layout(w, h, len(d.head()), d.len()) }

func (d *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if _, ok := msg.(kit.Grown); ok {
		d.gather()
		return nil, nil
	}
	_, act := d.Answer(msg, d.len(), d.arrange, d.key)
	return act, nil
}

func (d *model) key(k kit.Input) kit.Action {
	x := d.selected()
	switch {
	case kit.Pressed(k, kit.Keys.Plan):
		return kit.Go{Line: "plan"}
	case kit.Pressed(k, kit.Keys.Enter) && x != nil && x.Where.File != "" && d.s.Checkpoint != nil:
		return kit.GoFile(x.Where, -1)
	}
	return nil
}

func (d *model) Place() string {
	if x := d.selected(); x != nil {
		return kit.Safe(x.Where.String())
	}
	return ""
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "drift", Title: "drift", Args: "[FIELD]", Does: "what the query declares now beside what is recorded", Key: kit.Keys.Drift, Tab: "Drift", Badge: badge,
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: complete,
}
