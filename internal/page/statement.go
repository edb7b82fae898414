package page

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Statement is which ranges are safe, read again, duplicated or lost at the next start, oldest first, each with its
// evidence; for a postmortem.
func Statement(v *checks.Verdict) Section {
	return statement(v, checks.Statement(v), func(fates []checks.Fate) Block {
		t := Table{Columns: []Column{{Title: "batch", Right: true}, {Title: "part"}, {Title: "from", Right: true},
			{Title: "to", Right: true}, {Title: "how much", Right: true},
			{Title: "what happens"}, {Title: "evidence"}}}
		for i := range fates {
			t.Rows = append(t.Rows, fateCells(v, &fates[i]))
		}
		return t
	})
}

// Fates is Statement without columns, for where a table has no room: what happens to a range is first. Of fates, which
// are those of checks.Statement, it shows the first n at most.
func Fates(v *checks.Verdict, fates []checks.Fate, n int) Section {
	return statement(v, fates, func(fates []checks.Fate) Block {
		var f Facts
		for i := range fates[:min(len(fates), n)] {
			sign := phrase.Fates.Of(string(fates[i].Word))
			f.Rows = append(f.Rows, Fact{Mark: Span{sign.Role, sign.Symbol}, Value: Span{sign.Role, sign.Word},
				Text: Plain(fateText(v, &fates[i]))})
		}
		return f
	})
}

// statement is fates as draw shows them, or why there are none, and whether that is all.
func statement(v *checks.Verdict, fates []checks.Fate, draw func([]checks.Fate) Block) Section {
	s := Section{Key: "statement", Title: "What happens to each range"}
	if len(fates) == 0 {
		s.say(0, "No batch was planned or committed, so there is no range.")
		return s
	}
	s.add(draw(fates))
	if !v.Complete {
		s.say(0, "Not everything was checked.")
	}
	return s
}

// fateText is the range of a fate and its evidence, in a sentence without a full stop.
func fateText(v *checks.Verdict, f *checks.Fate) string {
	var what []string
	if f.First >= 0 {
		what = append(what, phrase.Batches(f.First, max(f.First, f.Last)))
	}
	if r := f.Part; r != nil {
		from, to := phrase.Ends(r.Range)
		part := PartName(v, r.Source, r.Part)
		if r.To == nil {
			part += " from " + from
		} else {
			part += " " + from + " → " + to
		}
		what = append(what, part)
		if r.Counted {
			what = append(what, phrase.Amount(r.Range))
		}
	}
	if len(what) == 0 {
		return phrase.Prose(f.Evidence)
	}
	return strings.Join(what, ", ") + ": " + phrase.Prose(f.Evidence)
}

// fateCells is one line of the statement.
func fateCells(v *checks.Verdict, f *checks.Fate) []Cell {
	batch, part, from, to, amount := "–", "all", "–", "–", "–"
	switch {
	case f.First >= 0 && f.Last > f.First:
		batch = fmt.Sprintf("%d–%d", f.First, f.Last)
	case f.First >= 0:
		batch = fmt.Sprint(f.First)
	}
	if r := f.Part; r != nil {
		part = PartName(v, r.Source, r.Part)
		from, to = phrase.Ends(r.Range)
		amount = phrase.Amount(r.Range)
	}
	sign := phrase.Fates.Of(string(f.Word))
	return []Cell{{Text: batch}, {Text: part}, {Text: from}, {Text: to}, {Text: amount}, {sign.Symbol, sign.Word, sign.Role},
		{Text: phrase.Prose(f.Evidence)}}
}
