package ui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/checks"
	"tidemark/internal/report"
	"tidemark/ui/widget"
)

// What Spark does at the next start, in words: for the verdict strip and for the overview.

// restartStrip is the answer in half a line.
func restartStrip(s *session) string {
	r, t := &s.verdict.Restart, &s.theme
	word, rest, style := "UNKNOWN", "", t.unknown
	if r.Because != "" && r.Outcome == checks.Unknown {
		rest = ", " + r.Because
	}
	switch r.Outcome {
	case checks.Fresh:
		word, rest, style = "FRESH", ", begins at batch 0", t.info
	case checks.Next:
		word, rest, style = "NEXT", fmt.Sprintf(", plans batch %d", r.Batch), t.good
		if s.verdict.Batches.LastPlanned >= 0 {
			rest += fmt.Sprintf(" from offsets/%d", s.verdict.Batches.LastPlanned)
		}
	case checks.Rerun:
		word, rest, style = "RE-RUNS", fmt.Sprintf(" batch %d", r.Batch), t.warn
	case checks.Refuses:
		word, rest, style = "REFUSES", "", t.critical
		if r.Batch >= 0 {
			rest = fmt.Sprintf(" at batch %d", r.Batch)
		}
		if why := cmp.Or(r.Because, r.Error); why != "" { // of the message often only a few words are known
			rest += ": " + why
		}
	}
	return "restart: " + style.Styled(word) + safe(rest)
}

// restartLines are the answer in full sentences.
func restartLines(s *session, w int) []string {
	r, t := &s.verdict.Restart, &s.theme
	spark := "Spark"
	if v := s.verdict.Spark.String(); v != "" {
		spark += " " + v
	}
	var lines []string
	say := func(style ansi.Style, sentence string) {
		for _, l := range widget.Wrap(sentence, w) {
			lines = append(lines, style.Styled(l))
		}
	}
	planned := s.verdict.Standing.Last.Timestamp()
	switch r.Outcome {
	case checks.Fresh:
		say(t.strong, spark+" begins at batch 0: nothing was ever planned here.")
	case checks.Next:
		say(t.strong, fmt.Sprintf("%s plans batch %d, from where the newest plan ends. That one is committed.", spark, r.Batch))
	case checks.Rerun:
		when := ""
		if planned != 0 && s.verdict.Batches.LastPlanned == r.Batch {
			when = " at " + s.clock.aged(planned)
		}
		say(t.strong, fmt.Sprintf("%s runs batch %d again, as it was planned%s. It was never committed.", spark, r.Batch, when))
	case checks.Refuses:
		about := "the start fails"
		if r.Batch >= 0 {
			about = fmt.Sprintf("the start fails at batch %d", r.Batch)
		}
		say(t.critical, fmt.Sprintf("✗ %s: %s.", spark, about))
	default:
		say(t.unknown, "? What a restart does is not known.")
	}
	if r.Because != "" {
		say(nil, report.Sentence(prose(r.Because)))
	}
	if r.Outcome == checks.Refuses && r.Error != "" {
		say(nil, "Spark's words: "+safe(r.Error))
	}
	if facts := restartFacts(s); facts != "" {
		say(nil, facts)
	}
	if w := s.verdict.Recover.Cheapest(); w != nil {
		say(nil, fmt.Sprintf("The cheapest way back: %s; %s shows all ways back.", safe(w.Short()), s.questionKey(0)))
	}
	return lines
}

// waysBack are the ways from damaged files to a start, for the question whether the checkpoint is intact.
func waysBack(s *session, w int) []string {
	r := &s.verdict.Recover
	if len(r.Ways)+len(r.Not) == 0 {
		return nil
	}
	lines := []string{"", " " + s.theme.section.Styled("THE WAYS BACK, CHEAPEST FIRST")}
	if len(r.Ways) > 0 {
		lines = append(lines, indent(widget.Wrap(report.BeforeAnyWay, w-6))...)
	}
	for i := range r.Ways {
		way := &r.Ways[i]
		lines = append(lines, indent(hanging(fmt.Sprintf("%d. ", i+1), prose(way.Does)+" "+report.Cost(way), w-6))...)
		for _, need := range way.Needs {
			lines = append(lines, indent(indent(hanging("· ", prose(need), w-9)))...)
		}
		if i == 0 || !r.Ways[0].Free() {
			lines = append(lines, indent(indent(rangesOf(s, way.Ranges, w-9, wayBackRanges, false)))...)
		}
	}
	for _, n := range r.Not {
		lines = append(lines, indent(hanging("✗ ", report.WayNames[n.Way]+": not possible. "+report.Sentence(prose(n.Because)), w-6))...)
	}
	return lines
}

// hanging is text after a mark, its later lines below the first word; w is the width of all.
func hanging(mark, text string, w int) []string {
	at := widget.Width(mark)
	lines := widget.Wrap(text, w-at)
	for i := range lines {
		if i == 0 {
			lines[i] = mark + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", at) + lines[i]
		}
	}
	return lines
}

// wayBackRanges is how many lines of ranges a way shows.
const wayBackRanges = 12

func restartFacts(s *session) string {
	r := &s.verdict.Restart
	var facts []string
	if r.StateVersion >= 0 && r.Outcome != checks.Fresh {
		facts = append(facts, fmt.Sprintf("state version %d is loaded", r.StateVersion))
	}
	if r.Watermark != 0 {
		facts = append(facts, "watermark "+s.clock.full(r.Watermark))
	}
	return strings.Join(facts, " · ")
}

// rangeLines are the positions that the restart reads, no more than h lines, the last of which says
// how many are not shown; and what they amount to.
func rangeLines(s *session, w, h int) []string {
	return rangesOf(s, s.verdict.Restart.Ranges, w, h, s.verdict.Restart.Outcome == checks.Next)
}

// rangesOf are ranges part by part. Of a batch that is not planned yet (next) only the starts are known.
func rangesOf(s *session, ranges []checks.Range, w, h int, next bool) []string {
	if len(ranges) == 0 || h <= 0 {
		return nil
	}
	name, from, to, number := 4, 1, 1, 1
	for i := range ranges[:min(len(ranges), h)] {
		x := &ranges[i]
		a, b := positions(x.Range)
		name, from, to = max(name, widget.Width(partName(x))), max(from, widget.Width(a)), max(to, widget.Width(b))
		number = max(number, widget.Width(counted(x.Range)))
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
		a, b := positions(x.Range)
		line := widget.Fit(widget.Middle(partName(x), name), name) + "  "
		if next && x.To == nil {
			line += "from "
		}
		line += widget.FitRight(widget.Middle(a, from), from)
		if x.To != nil || !next {
			line += " → " + widget.FitRight(widget.Middle(b, to), to) + "  " + widget.FitRight(counted(x.Range), number)
		}
		if i == shown-1 && shown == len(ranges) && sum != "" {
			line += "    " + s.theme.strong.Styled(sum)
		}
		lines = append(lines, line)
	}
	if shown < len(ranges) {
		more := fmt.Sprintf("… %d more (%s)", len(ranges)-shown, s.firstKey(keys.batches))
		if sum != "" {
			more += "    " + s.theme.strong.Styled(sum)
		}
		lines = append(lines, more)
	}
	return lines
}
