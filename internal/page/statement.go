package page

import (
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Statement is which ranges are safe, read again, duplicated or lost at the next start, oldest first, each with its
// evidence; for a postmortem.
func Statement(v *checks.Verdict) Section {
	s := Section{Key: "statement", Title: "What happens to each range"}
	fates := checks.Statement(v)
	if len(fates) == 0 {
		s.say(0, noRange)
		return s
	}
	t := Table{Columns: []Column{{Title: "batch", Right: true}, {Title: "part"}, {Title: "from", Right: true},
		{Title: "to", Right: true}, {Title: "how much", Right: true},
		{Title: "what happens"}, {Title: "evidence"}}}
	for i := range fates {
		t.Rows = append(t.Rows, fateCells(v, &fates[i]))
	}
	s.add(t)
	if !v.Complete {
		s.say(0, notAll)
	}
	return s
}

// What is said of a statement without ranges, and of one that may lack some.
const (
	noRange = "No batch was planned or committed, so there is no range."
	notAll  = "Not everything was checked."
)

// fateCells is one line of the statement.
func fateCells(v *checks.Verdict, f *checks.Fate) []Cell {
	part, from, to, amount := "all", "–", "–", "–"
	if r := f.Part; r != nil {
		part = PartName(v, r.Source, r.Part)
		from, to = phrase.Ends(r.Range)
		amount = phrase.Amount(r.Range)
	}
	return []Cell{{Text: fateBatches(f)}, {Text: part}, {Text: from}, {Text: to}, {Text: amount}, fateWord(f), {Text: phrase.Prose(f.Evidence)}}
}
