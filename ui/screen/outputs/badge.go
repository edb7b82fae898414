package outputs

import (
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how the sink and the checkpoint compare; a sink that was not named is not checked.
func badge(s *kit.Session) kit.Badge {
	if s.Verdict.Sink == nil {
		return kit.NotChecked
	}
	sign := phrase.Situations.Of(string(s.Verdict.Sink.Situation))
	return kit.Badge{Text: sign.Symbol, Role: sign.Role}
}
