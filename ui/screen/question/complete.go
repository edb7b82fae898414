package question

import (
	"strconv"
	"strings"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

func complete(_ *kit.Session, before []string, text string) []kit.Candidate {
	if len(before) > 0 {
		return nil
	}
	var out []kit.Candidate
	for i := range page.QuestionNames {
		if n := strconv.Itoa(i + 1); strings.HasPrefix(n, text) {
			out = append(out, kit.Candidate{Line: n, Does: page.QuestionNames[i].Asks})
		}
	}
	return out
}
