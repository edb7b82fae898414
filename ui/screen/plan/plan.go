package plan

import (
	"charm.land/bubbles/v2/key"

	"tidemark/internal/phrase"
	"tidemark/internal/report"
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
	t := &p.s.Theme
	lines := []string{" " + t.Section.Styled("THE WAY TO A NEW CHECKPOINT"), ""}
	if !p.s.Verdict.Done {
		return append(lines, "   … it can be told when all has been looked at.")
	}
	for _, l := range report.Plan(&p.s.Verdict) {
		if l.Value {
			lines = append(lines, kit.Indent(kit.Indent(cells(kit.Safe(l.Text), w-8)))...)
			continue
		}
		lines = append(lines, kit.Indent(phrase.Wrap(kit.Safe(l.Text), w-6))...)
	}
	lines = append(lines, "", t.Dim.Styled("   tidemark check prints this text, too."))
	return p.Show(p.s, lines, h)
}

// cells cuts text into lines of w cells, wherever that falls: it is to be copied whole.
func cells(text string, w int) []string {
	var lines []string
	for w = max(w, 1); phrase.Width(text) > w; {
		head := text
		for i := range text {
			if phrase.Width(text[:i]) > w {
				break
			}
			head = text[:i]
		}
		if head == "" || head == text {
			break
		}
		lines, text = append(lines, head), text[len(head):]
	}
	return append(lines, text)
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "plan", Does: "the way to a new checkpoint",
	Open: func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return newModel(s), nil },
}
