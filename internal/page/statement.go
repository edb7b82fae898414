package page

import (
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Statement is which ranges are safe, read again, doubled or lost at the next start, oldest first, each with what shows
// it; for a postmortem.
func Statement(v *checks.Verdict) Section {
	s := Section{Key: "statement", Title: "WHAT BECOMES OF WHAT"}
	fates := checks.Statement(v)
	if len(fates) == 0 {
		s.say(0, "Nothing is planned or committed, so that there is no range to speak of.")
		return s
	}
	t := Table{Columns: []Column{{Title: "batch", Right: true}, {Title: "part"}, {Title: "from", Right: true}, {Title: "to", Right: true}, {Title: "how much", Right: true},
		{Title: "what becomes of it"}, {Title: "what shows it"}}}
	for i := range fates {
		t.Rows = append(t.Rows, Fate(v, &fates[i]))
	}
	s.add(t)
	if !v.Complete {
		s.say(0, "Not everything was looked at.")
	}
	return s
}

// Fate is one line of the statement, as cells.
func Fate(v *checks.Verdict, f *checks.Fate) []Cell {
	batch, part, from, to, amount := "–", "all", "–", "–", "–"
	switch {
	case f.First >= 0 && f.Last > f.First:
		batch = fmt.Sprintf("%d … %d", f.First, f.Last)
	case f.First >= 0:
		batch = fmt.Sprint(f.First)
	}
	if r := f.Part; r != nil {
		part = PartName(v, r.Source, r.Part)
		from, to = phrase.Ends(r.Range)
		amount = phrase.Amount(r.Range)
	}
	sign := phrase.Fates.Of(string(f.Word))
	return []Cell{{Text: batch}, {Text: part}, {Text: from}, {Text: to}, {Text: amount}, {sign.Symbol, sign.Word, sign.Role}, {Text: phrase.Prose(f.Evidence)}}
}
