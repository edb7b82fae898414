package sources

import (
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var SourceIdentityChanged = &checks.Check{
	Code:     "source-identity-changed",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	Title:    "a source is another table, stream or topic than before",
	Meaning: `The line of a source has the same form as before and names another table, another stream, or none of the topics it
named before. A table that was dropped and created again under its old name has a new id; a changed name in the query's code, and
two sources that changed places, look the same. Positions of the one mean nothing in the other.`,
	NextStep: `Find out which of the two is meant. The last plan before the change is where the old one was left: keep it. Give
the new one a checkpoint of its own, with a start position that was chosen on purpose.`,
	Avoid: `Do not edit the id or the name in the log: the position beside it belongs to the other one.`,
	Run:   runSourceIsAnother,
	Walk: func(p *checks.Pass) checks.Walker {
		m, made := basics.FollowSources(p), findRecreated(p)
		return checks.Walker{Done: made.end, Batch: func(_, b *checkpoint.Batch) {
			made.see(b)
			for _, s := range m.Step(b) {
				if s.To.None || !basics.SameKind(s.From, s.To) || !basics.OtherIdentity(s.From, s.To) {
					continue
				}
				p.Reportf(b.ID, s.To.Where, "source %s: %s → %s; it stood at %s (%s), and now at %s", s.Key,
					s.From.Identity(), s.To.Identity(), standsAt(s.From), s.AsOf, standsAt(s.To))
			}
		}}
	},
}

// standsAt are the positions of an offset in words, up to four of them: "version 44, index 3".
func standsAt(o source.Offset) string {
	const shown = 4
	var texts []string
	for _, p := range o.Parts[:min(shown, len(o.Parts))] {
		texts = append(texts, basics.PartPrefix(p.Name)+p.Position.Text)
	}
	if more := len(o.Parts) - shown; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	if len(texts) == 0 {
		return "no position"
	}
	return strings.Join(texts, ", ")
}
