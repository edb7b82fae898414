package state

import (
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how many state partitions a restart cannot load; else whether all of them can.
func badge(s *kit.Session) kit.Badge {
	broken := 0
	for i := range s.Verdict.Loads {
		if l := &s.Verdict.Loads[i]; l.Store == nil || len(l.Missing)+len(l.Empty) > 0 {
			broken++
		}
	}
	for i := range s.Verdict.Findings {
		if f := &s.Verdict.Findings[i]; broken == 0 && strings.HasPrefix(f.Where.File, "state/") && f.Damage.Files() {
			broken = 1
		}
	}
	switch {
	case broken > 0:
		return kit.SignBadge(phrase.Severities.Of("critical"), broken)
	case s.Checkpoint == nil:
		return kit.NotChecked
	case s.Verdict.Known && len(s.Verdict.Operators) == 0 && len(s.Verdict.Loads) == 0:
		return kit.NoneBadge
	case !s.Verdict.Done:
		return kit.Reading
	case s.Verdict.Open():
		return kit.NotChecked
	}
	return kit.Checked
}
