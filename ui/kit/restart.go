package kit

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
)

// RestartStrip is the answer in half a line.
func RestartStrip(s *Session) string {
	return s.Theme.Draw(1, page.Paragraph{Text: append(page.Plain("restart: "), page.OutcomeWhy(&s.Verdict)...), Whole: true})[0]
}

// RangesOf are ranges part by part in no more than h lines. Of a batch that is not planned yet (next) only the starts
// are known.
func RangesOf(s *Session, ranges []checks.Range, w, h int, next bool) []string {
	if len(ranges) == 0 || h <= 0 {
		return nil
	}
	return s.Theme.Draw(w, page.RangesOf(&s.Verdict, ranges, next).First(h, s.FirstKey(Keys.Batches)))
}
