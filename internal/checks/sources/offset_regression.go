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
	OnlyIf:   "the source was reset on purpose",
	Title:    "the offsets of a source decreased",
	Meaning: `This batch ends before the previous batch ended. Likely a topic, hub or table was deleted and created again, and
the query continued in spite of lost data. Other causes: an offset edited by hand, or a source that numbers its records again
after a restart. The query reads what the source now has below the old offsets, and those may be the same rows again.`,
	NextStep: `Find out when the source was created, and compare that with the time of this batch. From this batch on, treat
it as a new source. Check the sink around this batch for missing or duplicated rows.`,
	Avoid: `Do not raise the offsets by hand: if the source is new, its rows up to there would be skipped.`,
	Walk:  walkOffsetRegression,
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
