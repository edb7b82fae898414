package drift

import (
	"strings"

	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// complete are the fields that are compared.
func complete(s *kit.Session, before []string, text string) []kit.Candidate {
	if len(before) > 0 {
		return nil
	}
	var out []kit.Candidate
	for _, x := range page.Compared(&s.Verdict) {
		if strings.HasPrefix(x.Field, text) {
			out = append(out, kit.Candidate{Line: kit.Quote(x.Field), Does: string(x.Effect)})
		}
	}
	return out
}
