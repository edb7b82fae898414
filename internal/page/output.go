package page

import (
	"cmp"
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

// othersShown is how many other writers of an output are told one by one.
const othersShown = 3

// Output is what the output of the query holds, where one was looked at.
func Output(v *checks.Verdict) Section {
	s := Section{Key: "output", Title: "The sink"}
	if v.Sink == nil {
		return s
	}
	sign := phrase.Situations.Of(string(v.Sink.Situation))
	s.add(Paragraph{Text: Text{{sign.Role, sign.Symbol + " " + outputHead(v.Sink)}}})
	if f := outputFacts(v.Sink); len(f.Rows) > 0 {
		s.add(f)
	}
	if ranges := RangesOf(v, v.Sink.Missing, false); len(ranges.Rows) > 0 {
		s.add(ranges)
	}
	return s
}

// outputHead is how an output stands to the checkpoint, in full sentences.
func outputHead(o *checks.Output) string {
	place := phrase.Or(o.Location, "a location the spec does not name")
	kind := cmp.Or(output.Named(o.Kind).Title, o.Kind, "the sink")
	return phrase.Sentence(phrase.Prose(kind + " at " + place + ": " + o.Says))
}

// outputFacts are what is known of an output, one by one.
func outputFacts(o *checks.Output) Facts {
	var f Facts
	say := func(name, format string, args ...any) {
		f.Rows = append(f.Rows, Fact{Name: name, Text: Plain(phrase.Prose(fmt.Sprintf(format, args...)))})
	}
	if o.Settle != "" {
		say("to know", "%s", o.Settle)
	}
	if o.Highest >= 0 && o.Unknown == "" {
		atLeast := ""
		if o.AtLeast {
			atLeast = "at least "
		}
		say("newest", "%sbatch %d, %s", atLeast, o.Highest, proved(o))
		say("by", "%s", by(o))
	}
	if n := len(o.Batches); n > 0 && o.Batches[0].Rows >= 0 {
		b := o.Batches[0]
		say("wrote", "%s in %s (batch %d)", phrase.Units(b.Rows, "rows"), phrase.Units(max(b.Files, 0), "files"), b.ID)
	}
	for i, w := range o.Others {
		if i == othersShown {
			say("also", "%d more IDs", len(o.Others)-i)
			break
		}
		say("also", "%s up to %d%s", w.ID, w.Highest, at(w.Time))
	}
	if o.Expires != "" {
		say("forgets", "records of writers older than %s", o.Expires)
	}
	if o.Unsure != "" {
		say("not seen", "%s", o.Unsure)
	}
	for _, note := range o.Notes {
		say("note", "%s", note)
	}
	return f
}

// proved is what shows the newest batch.
func proved(o *checks.Output) string {
	text := o.Proof.Where.String()
	if o.Proof.Version >= 0 {
		text += fmt.Sprintf(", %s %d", o.VersionWord(), o.Proof.Version)
	}
	return text + at(o.Proof.Time)
}

func at(ms int64) string {
	if ms == 0 {
		return ""
	}
	return ", " + phrase.Time(ms)
}

// by is what an output knows the query by.
func by(o *checks.Output) string {
	switch o.By {
	case output.Number:
		return "batch ID only: any query that wrote here counts"
	case output.Identifier:
		return fmt.Sprintf("the ID %q, not that of the query", o.Under)
	}
	return "the query ID"
}

// InOutput is whether a batch is in the output: "yes", "no", "taken out", "?". It is "" where no output was looked at.
func InOutput(o *checks.Output, batch int64) string {
	if o == nil {
		return ""
	}
	switch o.Holds(batch) {
	case output.Yes:
		return "yes"
	case output.No:
		return "no"
	case output.Gone:
		return "taken out"
	}
	return "?"
}
