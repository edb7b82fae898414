package ui

import (
	"charm.land/bubbles/v2/key"

	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// plan is the way to a new checkpoint, as text to read and to copy.

// ---- model

type plan struct {
	text
	s *session
}

func newPlan(s *session) *plan { return &plan{s: s} }

func (p *plan) title() string { return "plan" }

// ---- keys

func (p *plan) keys() []key.Binding { return textKeys(keys.back, keys.drift) }

// ---- view

func (p *plan) view(w, h int) []string {
	t := &p.s.theme
	lines := []string{" " + t.section.Styled("THE WAY TO A NEW CHECKPOINT"), ""}
	if !p.s.verdict.Done {
		return append(lines, "   … it can be told when all has been looked at.")
	}
	for _, l := range report.Plan(&p.s.verdict) {
		if l.Value {
			lines = append(lines, indent(indent(cells(safe(l.Text), w-8)))...)
			continue
		}
		lines = append(lines, indent(widget.Wrap(safe(l.Text), w-6))...)
	}
	lines = append(lines, "", t.dim.Styled("   tidemark check prints this text, too."))
	return p.show(p.s, lines, h)
}

// cells cuts text into lines of w cells, wherever that falls: it is to be copied whole.
func cells(text string, w int) []string {
	var lines []string
	for w = max(w, 1); widget.Width(text) > w; {
		head := text
		for i := range text {
			if widget.Width(text[:i]) > w {
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

var planSpec = Spec{
	command: "plan", does: "the way to a new checkpoint",
	open: func(s *session, _ *words) (screen, error) { return newPlan(s), nil },
}
