package plan

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// ---- model

// model is the way to a new checkpoint, to read and to copy.
type model struct {
	kit.Board
	s *kit.Session
}

func newModel(s *kit.Session) *model { return &model{s: s} }

func (p *model) Title() string { return "plan" }

// ---- keys

func (p *model) Keys() []key.Binding {
	back := kit.Keys.Back
	back.SetHelp("esc", "back")
	return kit.PanelKeys(back, kit.Keys.Drift)
}

// ---- update

func (p *model) Load(kit.Scope) tea.Cmd { return nil }

func (p *model) Resize(w, h int) {}

func (p *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if k, ok := msg.(kit.Input); ok && p.Handle(k) == kit.NotForBoard && kit.Pressed(k, kit.Keys.Back) {
		return kit.Back{}, nil
	}
	return nil, nil
}

// ---- view

func (p *model) View(w, h int) []string {
	t := &p.s.Theme
	if !p.s.Verdict.Done {
		return p.Board.View(t, w, h, p.text("plan", "Migration plan", page.Paragraph{Text: page.Plain("… known when everything is read")}))
	}
	before, steps, after := parts(page.Plan(&p.s.Verdict).Blocks)
	start := p.text("plan", "Migration plan", before...)
	if start.Least = 4; steps == nil {
		return p.Board.View(t, w, h, start)
	}
	todo := p.s.StepsPanel(*steps, "Nothing to do.")
	todo.Title, todo.Rank, todo.Opens = "Steps", 0, kit.Keys.Copy
	todo.Least = min(max(h/2, 4), len(todo.Text(w-4)))
	keep := p.text("keep", "Keep", after...)
	keep.Rank, keep.Least = 1, 2
	if w < kit.TwoColumns {
		return p.Board.View(t, w, h, kit.Stack(start, todo, keep))
	}
	return p.Board.View(t, w, h, kit.Across([]int{1, 1}, kit.Stack(start, keep), todo))
}

// parts are the blocks of a plan before its steps, the steps, and the blocks after them.
func parts(blocks []page.Block) (before []page.Block, steps *page.Steps, after []page.Block) {
	at := slices.IndexFunc(blocks, func(b page.Block) bool { _, ok := b.(page.Steps); return ok })
	if at < 0 {
		return blocks, nil, nil
	}
	found, _ := blocks[at].(page.Steps)
	return blocks[:at], &found, blocks[at+1:]
}

func (p *model) text(id, title string, blocks ...page.Block) *kit.Panel {
	return &kit.Panel{ID: id, Title: title, Text: func(w int) []string { return p.s.Theme.Draw(min(w, kit.Measure), blocks...) }}
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "plan", Does: "the way to a new checkpoint", Home: "drift",
	Open: func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return newModel(s), nil },
}
