package findings

import (
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// complete are the codes of what was found, and of what did not run.
func complete(s *kit.Session, before []string, text string) []kit.Candidate {
	if len(before) > 0 {
		return nil
	}
	var out []kit.Candidate
	have := map[string]bool{}
	add := func(code, what string) {
		if strings.HasPrefix(code, text) && !have[code] {
			have[code] = true
			out = append(out, kit.Candidate{Line: code, Does: what})
		}
	}
	for i := range s.Verdict.Findings {
		f := &s.Verdict.Findings[i]
		add(f.Code, f.Severity.String()+": "+kit.Prose(f.Title))
	}
	for i := range s.Verdict.NotRun {
		add(s.Verdict.NotRun[i].Code, phrase.NotRun.Word+": "+kit.Safe(page.Needs(&s.Verdict.NotRun[i])))
	}
	return out
}
