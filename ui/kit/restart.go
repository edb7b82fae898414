package kit

import (
	"tidemark/internal/checks"
	"tidemark/internal/page"
)

// RestartStrip is the answer in half a line.
func RestartStrip(s *Session) string {
	return s.Theme.Draw(1, page.Paragraph{Text: append(page.Plain("restart: "), page.OutcomeWhy(&s.Verdict)...), Whole: true})[0]
}

// wayBackRanges is how many lines of ranges a way back shows.
const wayBackRanges = 12

// WaysBack are the ways from damaged files to a start, for the question whether the checkpoint is intact.
func WaysBack(s *Session, w int) []string {
	ways := page.Recovery(&s.Verdict)
	if len(ways.Blocks) == 0 {
		return nil
	}
	return append([]string{""}, s.Theme.Say(w-3, ways.Short(wayBackRanges, ""))...)
}

// RangesOf are ranges part by part in no more than h lines. Of a batch that is not planned yet (next) only the starts
// are known.
func RangesOf(s *Session, ranges []checks.Range, w, h int, next bool) []string {
	if len(ranges) == 0 || h <= 0 {
		return nil
	}
	return s.Theme.Draw(w, page.RangesOf(&s.Verdict, ranges, next).First(h, s.FirstKey(Keys.Batches)))
}
