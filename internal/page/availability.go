package page

import (
	"cmp"
	"fmt"
	"slices"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// partsShown is how many parts of a source are shown: the worst first.
const partsShown = 12

// Availability is what the sources still have of what a restart reads, source by source.
func Availability(v *checks.Verdict) Section {
	s := Section{Key: "sources", Title: "WHAT THE SOURCES STILL HAVE"}
	if v.Kept == nil {
		return s
	}
	for i := range v.Kept.Sources {
		k := &v.Kept.Sources[i]
		s.say(0, phrase.Printable(fmt.Sprintf("source %s, told by %s", k.Key, k.ToldBy())))
		s.add(sourceBlocks(k)...)
	}
	return s
}

// sourceBlocks are what one source still has.
func sourceBlocks(k *checks.KeptSource) []Block {
	var s Section
	if k.Other != "" {
		s.add(Paragraph{Text: Text{{phrase.Bad, "✗ " + phrase.Sentence(phrase.Prose(k.Other))}}, Level: 1})
	}
	if parts := partsOf(k); len(parts.Rows) > 0 {
		s.add(parts)
	}
	for _, l := range k.Missing[:min(len(k.Missing), partsShown)] {
		s.add(Paragraph{Mark: Span{phrase.Bad, "✗"}, Text: Plain(phrase.Prose(l.What + ": " + l.Why)), Level: 1})
	}
	if n := len(k.Missing) - partsShown; n > 0 {
		s.say(1, fmt.Sprintf("… %d more", n))
	}
	for _, text := range slices.Concat(k.Facts, k.Unseen) {
		s.say(1, phrase.Sentence(phrase.Prose(text)))
	}
	return s.Blocks
}

// partsOf are the parts of a source, those with a loss first.
func partsOf(k *checks.KeptSource) Table {
	t := Table{Level: 1, Columns: []Column{{Title: "part", Path: true}, {Title: "begins at", Right: true}, {Title: "ends at", Right: true}, {Title: "oldest left", Right: true},
		{Title: "head", Right: true}, {Title: "behind", Right: true}, {Title: "what is left"}}}
	parts := make([]*checks.KeptPart, len(k.Reads))
	for i := range k.Reads {
		parts[i] = &k.Reads[i]
	}
	slices.SortStableFunc(parts, func(a, b *checks.KeptPart) int { return cmp.Compare(RemainsRank(a.State), RemainsRank(b.State)) })
	cell := func(text string) Cell { return Cell{Text: text} }
	for _, p := range parts[:min(partsShown, len(parts))] {
		left, sign := Remains(p), phrase.Remains.Of(string(p.State))
		if len(k.Missing) > 0 && p.State == checks.Complete {
			left, sign = "see below", phrase.Sign{}
		}
		behind := "–"
		if p.LagKnown {
			behind = phrase.Count(p.Lag)
		}
		t.Rows = append(t.Rows, []Cell{cell(cmp.Or(phrase.Printable(p.Name), "–")), cell(told(k, p.From)), cell(told(k, p.To)), cell(told(k, p.Earliest)), cell(told(k, p.Latest)),
			cell(behind), {sign.Symbol, left, sign.Role}})
	}
	if more := len(parts) - partsShown; more > 0 {
		t.More = fmt.Sprintf("… %d more", more)
	}
	return t
}

// told is a position as the source has it.
func told(k *checks.KeptSource, p *source.Position) string {
	if p == nil {
		return "–"
	}
	return phrase.Printable(k.Say(p))
}

// RemainsRank orders what is left of parts: those that need a person come first.
func RemainsRank(s checks.KeptState) int {
	return slices.Index([]checks.KeptState{checks.Another, checks.Beyond, checks.NotThere, checks.AllGone, checks.PartlyGone, checks.MaybeGone, checks.NotJudged, checks.Complete, checks.Joins}, s)
}

// Remains is what is left of what the next start reads of one part, in a few words.
func Remains(p *checks.KeptPart) string {
	text := "not judged"
	switch p.State {
	case checks.Complete:
		text = "all of it"
	case checks.PartlyGone:
		text = phrase.Units(p.Gone, p.Unit) + " gone"
	case checks.AllGone:
		text = "none of the batch"
		if p.GoneKnown {
			text += ", " + phrase.Units(p.Gone, p.Unit) + " gone"
		}
	case checks.MaybeGone:
		text = "not known: it begins later"
	case checks.Beyond:
		text = "it ends before that"
	case checks.Another:
		text = "another one now"
	case checks.NotThere:
		text = "there is no such part"
	case checks.Joins:
		text = "new: read from its start"
	}
	if p.Until > 0 {
		text += ", until " + phrase.Time(p.Until) + " at least"
	}
	return text
}
