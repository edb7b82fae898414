package sources

import (
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how many findings are about what the sources still have; else whether they were asked at all.
func badge(s *kit.Session) kit.Badge {
	var worst checks.Severity
	n := 0
	for i := range s.Verdict.Findings {
		switch f := &s.Verdict.Findings[i]; {
		case !strings.HasPrefix(f.Code, "source-"):
		case n == 0 || f.Severity > worst:
			worst, n = f.Severity, 1
		case f.Severity == worst:
			n++
		}
	}
	switch {
	case n > 0:
		return kit.SignBadge(phrase.Severities.Of(worst.String()), n)
	case s.Verdict.Kept == nil:
		return kit.NotChecked
	case !s.Verdict.Done:
		return kit.Reading
	}
	return kit.Checked
}
