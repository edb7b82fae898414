package page

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Restart is what Spark does at the next start, in full sentences, and what it then reads.
func Restart(v *checks.Verdict, c phrase.Clock) Section {
	s := Section{Key: "restart", Title: "What the restart does"}
	r := &v.Restart
	s.add(Paragraph{Text: Text{does(v, c)}})
	if r.Because != "" {
		s.say(0, phrase.Sentence(phrase.Prose(r.Because)))
	}
	if r.Outcome == checks.Refuses && r.Error != "" {
		s.say(0, "Spark's error: "+phrase.Printable(r.Error))
	}
	var facts []string
	if r.StateVersion >= 0 && r.Outcome != checks.Fresh {
		facts = append(facts, fmt.Sprintf("loads state version %d", r.StateVersion))
	}
	if r.Watermark != 0 {
		facts = append(facts, "watermark "+c.Full(r.Watermark))
	}
	if len(facts) > 0 {
		s.say(0, strings.Join(facts, " · "))
	}
	if ranges := RangesOf(v, r.Ranges, r.Outcome == checks.Next); len(ranges.Rows) > 0 {
		s.add(ranges)
	}
	return s
}

// does is what Spark does, in one sentence.
func does(v *checks.Verdict, c phrase.Clock) Span {
	r, spark := &v.Restart, strings.TrimSpace("Spark "+v.Spark.String())
	switch r.Outcome {
	case checks.Fresh:
		if v.Standing.LastCommitted >= 0 || r.StateVersion == 0 { // what was planned is gone
			return Span{phrase.Strong, spark + " starts batch 0: the offset log is empty."}
		}
		return Span{phrase.Strong, spark + " starts batch 0: no batch was planned here."}
	case checks.Next:
		return Span{phrase.Strong, fmt.Sprintf("%s starts batch %d where the newest committed batch ended.", spark, r.Batch)}
	case checks.Rerun:
		when := ""
		if planned := v.Standing.Last.Timestamp(); planned != 0 && v.Standing.LastPlanned == r.Batch {
			when = ", planned " + c.Aged(planned)
		}
		batch := "uncommitted batch"
		if v.Standing.LastCommitted > r.Batch { // 3.0 and older re-run a batch that has a commit
			batch = "batch"
		}
		return Span{phrase.Strong, fmt.Sprintf("%s re-runs %s %d with its recorded offsets%s.", spark, batch, r.Batch, when)}
	case checks.Refuses:
		return Span{phrase.Bad, fmt.Sprintf("✗ %s %s.", spark, r.Does())}
	}
	return Span{phrase.Open, "? What a restart does is unknown."}
}

// RangesOf are ranges part by part. Of a batch that is not planned yet (next) only the start offsets are known.
func RangesOf(v *checks.Verdict, all []checks.Range, next bool) Ranges {
	var out Ranges
	plain := make([]source.Range, len(all))
	for i := range all {
		r := &all[i]
		plain[i] = r.Range
		from, to := phrase.Ends(r.Range)
		out.Rows = append(out.Rows, Range{Name: PartName(v, r.Source, r.Part), From: from, To: to, Amount: phrase.Amount(r.Range),
			Start: next && r.To == nil})
	}
	if len(all) > 1 { // one range says it itself
		out.Sum = phrase.Total(plain)
	}
	return out
}

// PartName names a part of a source: with its source where there are several, or where the part has no name.
func PartName(v *checks.Verdict, index int, part string) string {
	if part == "" || len(v.Sources) > 1 {
		return strings.TrimSpace(fmt.Sprintf("source %d %s", index, phrase.Printable(part)))
	}
	return phrase.Printable(part)
}
