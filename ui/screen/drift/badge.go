package drift

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how many differences stop a restart, or make its results wrong; else whether a spec was compared at all.
func badge(s *kit.Session) kit.Badge {
	stops := 0
	for i := range s.Verdict.Drift {
		if e := s.Verdict.Drift[i].Effect; e == checks.RefusesDrift || e == checks.Misreads {
			stops++
		}
	}
	switch {
	case stops > 0:
		return kit.SignBadge(phrase.Severities.Of("critical"), stops)
	case s.Examine.Spec == nil:
		return kit.NotChecked
	case !s.Verdict.Done:
		return kit.Reading
	}
	return kit.Checked
}
