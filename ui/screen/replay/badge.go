package replay

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is the answer to the question whether a replay is safe.
func badge(s *kit.Session) kit.Badge {
	sign := phrase.Answers.Of(page.Answer(&s.Verdict, checks.ReplaySafe).Answer)
	switch {
	case s.Checkpoint == nil:
		return kit.NotChecked
	case sign.Role == phrase.Open && s.Verdict.Restart.Outcome == checks.Rerun:
		return kit.Badge{Text: "!", Role: phrase.Warn}
	}
	return kit.Badge{Text: sign.Symbol, Role: sign.Role}
}
