package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// partsShown is how many parts of a source are shown: the worst first.
const partsShown = 12

// Availability is what the sources still have of what a restart reads, source by source.
func Availability(v *checks.Verdict) Section {
	s := Section{Key: "sources", Title: "What the sources still have"}
	if v.Kept == nil {
		return s
	}
	for i := range v.Kept.Sources {
		k := &v.Kept.Sources[i]
		s.say(0, toldBy(k))
		s.other(k, 1)
		if parts := partsOf(k); len(parts.Rows) > 0 {
			s.add(parts)
		}
		s.known(k, 1)
	}
	return s
}

// PartLeft is what is left of one part of a source, in full: k is nil if the source was not checked.
func PartLeft(v *checks.Verdict, index int, k *checks.KeptSource, p *checks.KeptPart) Section {
	s := Section{Key: "part", Title: strings.TrimSpace(fmt.Sprintf("Source %d %s", index, phrase.Printable(p.Name)))}
	if k == nil {
		s.add(Paragraph{Mark: Span{phrase.Open, "?"}, Text: Text{{phrase.Open, "Not checked: what the source still has."}}})
		if flags := asksSources(slices.DeleteFunc(slices.Clone(v.Sources),
			func(x checks.Source) bool { return x.Index != index })); flags != "" {
			s.say(0, "Start again with "+flags+".")
		}
		return s
	}
	left := PartCells(k, p)[LeftOfPart]
	s.add(Paragraph{Mark: Span{left.Role, left.Mark}, Text: Text{{left.Role, phrase.Sentence(left.Text)}}})
	s.say(0, phrase.Sentence(toldBy(k)))
	s.other(k, 0)
	s.known(k, 0)
	return s
}

// toldBy is who says what a source still has.
func toldBy(k *checks.KeptSource) string {
	return phrase.Printable(fmt.Sprintf("source %s, from %s", k.Key, k.ToldBy()))
}

// other says that a source is not the one that was read.
func (s *Section) other(k *checks.KeptSource, level int) {
	if k.Other != "" {
		s.add(Paragraph{Text: Text{{phrase.Bad, "✗ " + phrase.Sentence(phrase.Prose(k.Other))}}, Level: level})
	}
}

// known says what is missing in a source, and what else is known of it.
func (s *Section) known(k *checks.KeptSource, level int) {
	for _, l := range k.Missing[:min(len(k.Missing), partsShown)] {
		s.add(Paragraph{Mark: Span{phrase.Bad, "✗"}, Text: Plain(phrase.Prose(l.What + ": " + l.Why)), Level: level})
	}
	if n := len(k.Missing) - partsShown; n > 0 {
		s.say(level, fmt.Sprintf("… %d more", n))
	}
	for _, text := range slices.Concat(k.Facts, k.Unseen) {
		s.say(level, phrase.Sentence(phrase.Prose(text)))
	}
}

// Where the cells of PartCells stand.
const (
	NameOfPart = iota
	BeginOfPart
	EndOfPart
	OldestOfPart
	HeadOfPart
	LagOfPart
	LeftOfPart
)

// PartColumns are the columns of what sources still have of their parts, in the order of PartCells.
var PartColumns = []Column{
	NameOfPart: {Title: "partition", Path: true}, BeginOfPart: {Title: "start", Right: true}, EndOfPart: {Title: "end", Right: true}, OldestOfPart: {Title: "oldest", Right: true},
	HeadOfPart: {Title: "newest", Right: true}, LagOfPart: {Title: "behind", Right: true}, LeftOfPart: {Title: "what is left"},
}

// PartCells are what a source still has of one part. k is nil where nobody asked it.
func PartCells(k *checks.KeptSource, p *checks.KeptPart) []Cell {
	behind := "–"
	if p.LagKnown {
		behind = phrase.Count(p.Lag)
	}
	return []Cell{
		NameOfPart: {Text: cmp.Or(phrase.Printable(p.Name), "–")}, BeginOfPart: {Text: told(k, p.From)}, EndOfPart: {Text: told(k, p.To)}, OldestOfPart: {Text: told(k, p.Earliest)},
		HeadOfPart: {Text: told(k, p.Latest)}, LagOfPart: {Text: behind}, LeftOfPart: left(k, p),
	}
}

// left is what is left of a part, in a few words. Of a source that lacks something that no position tells, it is said below.
func left(k *checks.KeptSource, p *checks.KeptPart) Cell {
	switch {
	case k == nil:
		return Cell{"?", "not checked", phrase.Open}
	case len(k.Missing) > 0 && p.State == checks.Complete:
		return Cell{Text: "see below"}
	}
	sign := phrase.Remains.Of(string(p.State))
	return Cell{sign.Symbol, Remains(p), sign.Role}
}

// partsOf are the parts of a source, those with a loss first.
func partsOf(k *checks.KeptSource) Table {
	t := Table{Level: 1, Columns: PartColumns}
	parts := make([]*checks.KeptPart, len(k.Reads))
	for i := range k.Reads {
		parts[i] = &k.Reads[i]
	}
	slices.SortStableFunc(parts, func(a, b *checks.KeptPart) int { return cmp.Compare(RemainsRank(a.State), RemainsRank(b.State)) })
	for _, p := range parts[:min(partsShown, len(parts))] {
		t.Rows = append(t.Rows, PartCells(k, p))
	}
	if more := len(parts) - partsShown; more > 0 {
		t.More = fmt.Sprintf("… %d more", more)
	}
	return t
}

// told is a position as the source has it, or as it is recorded where nobody asked the source.
func told(k *checks.KeptSource, p *source.Position) string {
	if p == nil || k == nil {
		return phrase.PositionOr(p, "–")
	}
	return phrase.Printable(k.Say(p))
}

// RemainsRank orders what is left of parts: those that need a person come first.
func RemainsRank(s checks.KeptState) int {
	return slices.Index([]checks.KeptState{checks.Another, checks.Beyond, checks.NotThere, checks.AllGone, checks.PartlyGone,
		checks.MaybeGone, checks.NotJudged, checks.Complete, checks.Joins}, s)
}

// Remains is what is left of what the next start reads of one part, in a few words.
func Remains(p *checks.KeptPart) string {
	text := "unknown"
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
		text = "unknown: it starts later"
	case checks.Beyond:
		text = "ends before that"
	case checks.Another:
		text = "replaced"
	case checks.NotThere:
		text = "no such partition"
	case checks.Joins:
		text = "new: read from its start"
	}
	if p.Until > 0 {
		text += ", at least until " + phrase.Time(p.Until)
	}
	return text
}
