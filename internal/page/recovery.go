package page

import (
	"fmt"
	"strings"

	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// WayNames are the ways back as a person reads them.
var WayNames = map[checks.RecoveryWay]string{
	checks.PutBack: "put back", checks.SetAside: "set aside", checks.RollBack: "roll back", checks.NewCheckpoint: "new checkpoint",
}

// BeforeAnyWay is what comes before each of the ways.
const BeforeAnyWay = "First stop every run of the query and copy the whole checkpoint. Move files and never delete them: a deleted file cannot be recovered."

// Recovery are the ways from damaged files to a start, cheapest first, and what is none.
func Recovery(v *checks.Verdict) Section {
	s := Section{Key: "recovery", Title: "Ways to recover, cheapest first"}
	r := &v.Recover
	if len(r.Ways) > 0 {
		s.say(0, BeforeAnyWay)
	}
	for i := range r.Ways {
		w := &r.Ways[i]
		s.item(0, fmt.Sprint(i+1), phrase.Prose(w.Does)+" "+Cost(w))
		for _, need := range w.Needs {
			s.item(1, "·", phrase.Prose(need))
		}
		if ranges := RangesOf(v, w.Ranges, false); (i == 0 || !r.Ways[0].Free()) && len(ranges.Rows) > 0 {
			ranges.Level = 1
			s.add(ranges)
		}
	}
	for _, n := range r.Not {
		s.add(Paragraph{Mark: Span{phrase.Bad, "✗"}, Text: Plain(WayNames[n.Way] + ": not possible. " + phrase.Sentence(phrase.Prose(n.Because)))})
	}
	return s
}

// Cost is what a way costs, in one sentence.
func Cost(w *checks.Recovery) string {
	var parts []string
	if w.First >= 0 {
		parts = append(parts, "reads again what "+phrase.Batches(w.First, w.Last)+" read")
	}
	if n := len(w.Twice); n > 0 {
		parts = append(parts, "gives the sink "+phrase.Batches(w.Twice[0], w.Twice[n-1])+" a second time")
	}
	switch {
	case w.LosesState:
		parts = append(parts, "loses the state and the query ID")
	case w.LosesID:
		parts = append(parts, "loses the query ID, which a sink needs to deduplicate batches")
	}
	if len(parts) == 0 {
		return "No cost: no row is read again, written twice or lost."
	}
	return "It " + strings.Join(parts, " and ") + "."
}
