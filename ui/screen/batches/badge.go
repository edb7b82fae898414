package batches

import (
	"strconv"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// badge is how many batches have a file.
func badge(s *kit.Session) kit.Badge {
	if s.Checkpoint == nil {
		return kit.NotChecked
	}
	return kit.Badge{Text: strconv.Itoa(max(len(s.Checkpoint.Offsets.Files), len(s.Checkpoint.Commits.Files))), Role: phrase.Dim}
}
