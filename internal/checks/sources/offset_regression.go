package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var OffsetRegression = &checks.Check{
	Code:     "offset-regression",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Title:    "a source went backwards",
	Meaning: `This batch ends before the one before it ended. A topic, hub or table that was deleted and created again under its
name does this where the query is told to go on in spite of lost data; so does a position that was edited by hand, and a source
that numbers anew after a restart. What the new one holds below the old positions is read if the query goes on from here; what
it holds may also be the same rows once more.`,
	NextStep: `Find out when the source was created, and compare that with the time of this batch. From this batch on treat it as
a new source, and look in the sink for rows that are missing or there twice around it.`,
	Avoid: `Do not raise the numbers by hand to where they stood: if the source is a new one, its rows up to there would be
skipped.`,
	Walk: walkOffsetRegression,
}

func walkOffsetRegression(p *checks.Pass) checks.Walker {
	m := basics.FollowSources(p)
	return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
		for _, s := range m.Step(b) {
			if s.To.None || !basics.SameSource(s.From, s.To) || basics.Unordered(s.To) || s.To.Problem != nil || s.From.Problem != nil {
				continue
			}
			if back := backwards(s); len(back) > 0 {
				p.Reportf(b.ID, s.To.Where, "source %s, %s to %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(back, 8))
			}
		}
	}}
}

// backwards are the parts that ended earlier than before.
func backwards(s basics.SourceMove) []string {
	find := basics.PartFinder(s.From)
	var back []string
	for i, part := range s.To.Parts {
		at, known := find(i, part.Name)
		if !known {
			continue
		}
		if c, ordered := part.Position.Compare(at); ordered && c < 0 {
			text := fmt.Sprintf("%s%s → %s", basics.PartPrefix(part.Name), at.Text, part.Position.Text)
			if part.Unit != "" {
				text += " " + part.Unit
			}
			back = append(back, text)
		}
	}
	return back
}
