package page

import (
	"cmp"
	"fmt"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Outcome is what a restart does, in a few words: "NEXT, plans batch 8".
func Outcome(v *checks.Verdict) string {
	r, word := &v.Restart, outcomeSign(v).Word
	switch {
	case !v.Known:
	case r.Outcome == checks.Fresh:
		return word + ", begins at batch 0"
	case r.Outcome == checks.Next:
		return fmt.Sprintf("%s, plans batch %d", word, r.Batch)
	case r.Outcome == checks.Rerun:
		return fmt.Sprintf("%s batch %d", word, r.Batch)
	case r.Outcome == checks.Refuses && r.Batch >= 0:
		return fmt.Sprintf("%s at batch %d", word, r.Batch)
	}
	return word
}

func outcomeSign(v *checks.Verdict) phrase.Sign {
	if !v.Known {
		return phrase.Outcomes.Of("unknown")
	}
	return phrase.Outcomes.Of(string(v.Restart.Outcome))
}

// OutcomeWhy is Outcome with what it rests on, for a line that says nothing else of it. It begins with the word alone, which has the
// role of the outcome.
func OutcomeWhy(v *checks.Verdict) Text {
	r := &v.Restart
	word, more, _ := cutWord(Outcome(v))
	switch r.Outcome {
	case checks.Next:
		if v.Batches.LastPlanned >= 0 {
			more += fmt.Sprintf(" from offsets/%d", v.Batches.LastPlanned)
		}
	case checks.Refuses:
		if why := cmp.Or(r.Because, r.Error); why != "" { // of the message often only a few words are known
			more += ": " + why
		}
	case checks.Unknown:
		if r.Because != "" {
			more += ", " + r.Because
		}
	}
	return Text{{outcomeSign(v).Role, word}, {phrase.Plain, phrase.Printable(more)}}
}

// cutWord parts a text after its first word.
func cutWord(s string) (word, rest string, ok bool) {
	if i := strings.IndexAny(s, ", "); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", false
}

// Restart is what Spark does at the next start, in full sentences, and what it then reads.
func Restart(v *checks.Verdict, c phrase.Clock) Section {
	s := Section{Key: "restart", Title: "IF YOU RESTART NOW"}
	r := &v.Restart
	s.add(Paragraph{Text: Text{does(v, c)}})
	if r.Because != "" {
		s.say(0, phrase.Sentence(phrase.Prose(r.Because)))
	}
	if r.Outcome == checks.Refuses && r.Error != "" {
		s.say(0, "Spark's words: "+phrase.Printable(r.Error))
	}
	var facts []string
	if r.StateVersion >= 0 && r.Outcome != checks.Fresh {
		facts = append(facts, fmt.Sprintf("state version %d is loaded", r.StateVersion))
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
		return Span{phrase.Strong, spark + " begins at batch 0: nothing was ever planned here."}
	case checks.Next:
		return Span{phrase.Strong, fmt.Sprintf("%s plans batch %d, from where the newest plan ends. That one is committed.", spark, r.Batch)}
	case checks.Rerun:
		when := ""
		if planned := v.Standing.Last.Timestamp(); planned != 0 && v.Standing.LastPlanned == r.Batch {
			when = " " + c.Aged(planned)
		}
		return Span{phrase.Strong, fmt.Sprintf("%s runs batch %d again, as it was planned%s. It was never committed.", spark, r.Batch, when)}
	case checks.Refuses:
		at := ""
		if r.Batch >= 0 {
			at = fmt.Sprintf(" at batch %d", r.Batch)
		}
		return Span{phrase.Bad, fmt.Sprintf("✗ %s: the start fails%s.", spark, at)}
	}
	return Span{phrase.Open, "? What a restart does is not known."}
}

// RangesOf are ranges part by part. Of a batch that is not planned yet (next) only the starts are known.
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
