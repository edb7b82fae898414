package plan

import (
	"charm.land/bubbles/v2/key"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// plan is the way to a new checkpoint, as text to read and to copy.

// ---- model

type model struct {
	kit.Reader
	s *kit.Session
}

func newModel(s *kit.Session) *model { return &model{s: s} }

func (p *model) Title() string { return "plan" }

// ---- keys

func (p *model) Keys() []key.Binding { return kit.ReaderKeys(kit.Keys.Back, kit.Keys.Drift) }

// ---- view

func (p *model) View(w, h int) []string {
	plan := page.Plan(&p.s.Verdict)
	if !p.s.Verdict.Done {
		plan.Blocks = []page.Block{page.Paragraph{Text: page.Plain("… it can be told when all has been looked at.")}}
		return p.s.Theme.Say(w-3, plan)
	}
	printed := page.Paragraph{Text: page.Text{{Role: phrase.Dim, Text: "tidemark check prints this text, too."}}}
	plan.Blocks = append(plan.Blocks, page.Blank{}, printed)
	return p.Show(p.s, p.s.Theme.Say(w-3, plan), h)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "plan", Does: "the way to a new checkpoint",
	Open: func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return newModel(s), nil },
}
