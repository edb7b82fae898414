package overview

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// restartLines are the answer in full sentences.
func restartLines(s *kit.Session, w int) []string {
	r, t := &s.Verdict.Restart, &s.Theme
	spark := "Spark"
	if v := s.Verdict.Spark.String(); v != "" {
		spark += " " + v
	}
	var lines []string
	say := func(style widget.Style, sentence string) {
		for _, l := range phrase.Wrap(sentence, w) {
			lines = append(lines, style.Styled(l))
		}
	}
	planned := s.Verdict.Standing.Last.Timestamp()
	switch r.Outcome {
	case checks.Fresh:
		say(t.Strong, spark+" begins at batch 0: nothing was ever planned here.")
	case checks.Next:
		say(t.Strong, fmt.Sprintf("%s plans batch %d, from where the newest plan ends. That one is committed.", spark, r.Batch))
	case checks.Rerun:
		when := ""
		if planned != 0 && s.Verdict.Batches.LastPlanned == r.Batch {
			when = " at " + s.Clock.Aged(planned)
		}
		say(t.Strong, fmt.Sprintf("%s runs batch %d again, as it was planned%s. It was never committed.", spark, r.Batch, when))
	case checks.Refuses:
		about := "the start fails"
		if r.Batch >= 0 {
			about = fmt.Sprintf("the start fails at batch %d", r.Batch)
		}
		say(t.Critical, fmt.Sprintf("✗ %s: %s.", spark, about))
	default:
		say(t.Unknown, "? What a restart does is not known.")
	}
	if r.Because != "" {
		say(widget.Style{}, phrase.Sentence(kit.Prose(r.Because)))
	}
	if r.Outcome == checks.Refuses && r.Error != "" {
		say(widget.Style{}, "Spark's words: "+kit.Safe(r.Error))
	}
	if facts := restartFacts(s); facts != "" {
		say(widget.Style{}, facts)
	}
	if w := s.Verdict.Recover.Cheapest(); w != nil {
		say(widget.Style{}, fmt.Sprintf("The cheapest way back: %s; %s shows all ways back.", kit.Safe(w.Short()), s.QuestionKey(0)))
	}
	return lines
}

func restartFacts(s *kit.Session) string {
	r := &s.Verdict.Restart
	var facts []string
	if r.StateVersion >= 0 && r.Outcome != checks.Fresh {
		facts = append(facts, fmt.Sprintf("state version %d is loaded", r.StateVersion))
	}
	if r.Watermark != 0 {
		facts = append(facts, "watermark "+s.Clock.Full(r.Watermark))
	}
	return strings.Join(facts, " · ")
}

// rangeLines are the positions that the restart reads, no more than h lines, the last of which says
// how many are not shown; and what they amount to.
func rangeLines(s *kit.Session, w, h int) []string {
	return kit.RangesOf(s, s.Verdict.Restart.Ranges, w, h, s.Verdict.Restart.Outcome == checks.Next)
}
