package kit

import (
	"cmp"
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// What Spark does at the next start, in words: for the verdict strip and for the overview.

// RestartStrip is the answer in half a line.
func RestartStrip(s *Session) string {
	r, t := &s.Verdict.Restart, &s.Theme
	word, rest, style := "UNKNOWN", "", t.Unknown
	if r.Because != "" && r.Outcome == checks.Unknown {
		rest = ", " + r.Because
	}
	switch r.Outcome {
	case checks.Fresh:
		word, rest, style = "FRESH", ", begins at batch 0", t.Info
	case checks.Next:
		word, rest, style = "NEXT", fmt.Sprintf(", plans batch %d", r.Batch), t.Good
		if s.Verdict.Batches.LastPlanned >= 0 {
			rest += fmt.Sprintf(" from offsets/%d", s.Verdict.Batches.LastPlanned)
		}
	case checks.Rerun:
		word, rest, style = "RE-RUNS", fmt.Sprintf(" batch %d", r.Batch), t.Warn
	case checks.Refuses:
		word, rest, style = "REFUSES", "", t.Critical
		if r.Batch >= 0 {
			rest = fmt.Sprintf(" at batch %d", r.Batch)
		}
		if why := cmp.Or(r.Because, r.Error); why != "" { // of the message often only a few words are known
			rest += ": " + why
		}
	}
	return "restart: " + style.Styled(word) + Safe(rest)
}

// RangesOf are ranges part by part. Of a batch that is not planned yet (next) only the starts are known.
func RangesOf(s *Session, ranges []checks.Range, w, h int, next bool) []string {
	if len(ranges) == 0 || h <= 0 {
		return nil
	}
	name, from, to, number := 4, 1, 1, 1
	for i := range ranges[:min(len(ranges), h)] {
		x := &ranges[i]
		a, b := Positions(x.Range)
		name, from, to = max(name, phrase.Width(partName(x))), max(from, phrase.Width(a)), max(to, phrase.Width(b))
		number = max(number, phrase.Width(Counted(x.Range)))
	}
	name, from, to = min(name, max(w/3, 8)), min(from, max(w/5, 6)), min(to, max(w/5, 6))
	sum := ""
	if len(ranges) > 1 { // one range says it itself
		sum = report.Total(ranges)
	}
	shown := len(ranges)
	if shown > h {
		shown = h - 1
	}
	var lines []string
	for i := range ranges[:shown] {
		x := &ranges[i]
		a, b := Positions(x.Range)
		line := phrase.Fit(phrase.Middle(partName(x), name), name) + "  "
		if next && x.To == nil {
			line += "from "
		}
		line += phrase.FitRight(phrase.Middle(a, from), from)
		if x.To != nil || !next {
			line += " → " + phrase.FitRight(phrase.Middle(b, to), to) + "  " + phrase.FitRight(Counted(x.Range), number)
		}
		if i == shown-1 && shown == len(ranges) && sum != "" {
			line += "    " + s.Theme.Strong.Styled(sum)
		}
		lines = append(lines, line)
	}
	if shown < len(ranges) {
		more := fmt.Sprintf("… %d more (%s)", len(ranges)-shown, s.FirstKey(Keys.Batches))
		if sum != "" {
			more += "    " + s.Theme.Strong.Styled(sum)
		}
		lines = append(lines, more)
	}
	return lines
}
