package findings

import (
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is the worst severity and how many findings have it.
func badge(s *kit.Session) kit.Badge {
	worst, ok := s.Verdict.Worst()
	switch {
	case ok:
		return kit.SignBadge(phrase.Severities.Of(worst.String()), s.Verdict.Tally()[worst])
	case s.Checkpoint == nil:
		return kit.NotChecked
	case !s.Verdict.Done:
		return kit.Reading
	case s.Verdict.Open():
		return kit.NotChecked
	}
	return kit.Badge{Text: "0", Role: phrase.Dim}
}
