package overview

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// stepsPanel is what to do, in steps. They are never cut: where there is no room for them all, they scroll.
func (o *model) stepsPanel() *kit.Panel {
	s, t := o.Session, &o.Session.Theme
	p := &kit.Panel{ID: stepsID, Title: "What to do", Right: t.Dim.Styled(s.FirstKey(kit.Keys.Copy) + " copies")}
	if s.Decision().State == checks.Safe {
		p.Title = "Before you restart"
	}
	p.Text = func(w int) []string {
		if lines := t.Draw(w, stepsOf(s)); len(lines) > 0 {
			return lines
		}
		if s.Verdict.NoCheckpoint() {
			return phrase.Wrap(s.WithKeys("Open another location with %sopen LOCATION.", kit.Keys.Command), w)
		}
		return []string{"No steps are known."}
	}
	return p
}
