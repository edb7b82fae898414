package drift

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how many differences stop a restart, or make its results wrong; else how many values Spark keeps as recorded; else
// whether a spec was compared at all.
func badge(s *kit.Session) kit.Badge {
	stops, kept := 0, 0
	for i := range s.Verdict.Drift {
		switch s.Verdict.Drift[i].Effect {
		case checks.RefusesDrift, checks.Misreads:
			stops++
		case checks.KeepsRecorded:
			kept++
		}
	}
	switch {
	case stops > 0:
		return kit.SignBadge(phrase.Severities.Of("critical"), stops)
	case s.Examine.Spec == nil:
		return kit.NotChecked
	case !s.Verdict.Done:
		return kit.Reading
	case kept > 0:
		return kit.SignBadge(phrase.Effects.Of(string(checks.KeepsRecorded)), kept)
	}
	return kit.Checked
}
