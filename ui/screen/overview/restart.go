package overview

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// restartPart is what Spark does at the next start, and what it then reads, in no more than h lines.
func (o *model) restartPart(w, h int) []string {
	s := o.Session
	says := page.Restart(&s.Verdict, s.Clock).Prose()
	if way := s.Verdict.Recover.Cheapest(); way != nil {
		says.Blocks = append(says.Blocks, page.Paragraph{Text: page.Plain("The cheapest way back: " + phrase.Printable(way.Short()) + "; " + s.QuestionKey(0) + " shows all ways back.")})
	}
	lines := s.Theme.Say(w-1, says)
	lines = lines[:min(len(lines), max(h-1, 2))]
	ranges := kit.RangesOf(s, s.Verdict.Restart.Ranges, w-4, h-len(lines), s.Verdict.Restart.Outcome == checks.Next)
	return append(lines, kit.Indent(ranges)...)
}
