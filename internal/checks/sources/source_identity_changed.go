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
	OnlyIf:   "the newest offset file names the right source",
	Title:    "a source is now another table, stream or topic",
	Meaning: `A source line has the same form as before, but names another table or stream, or none of its topics. A table
dropped and created again under its old name has a new ID. A changed name in the query's code looks the same, and so do two
sources in swapped order. Offsets of one mean nothing in the other.`,
	NextStep: `Find out which of the two is meant. Keep the last offset file before the change: it records where the old
source ended. Start a new checkpoint for the new source, at a start offset you choose.`,
	Avoid: `Do not edit the ID or the name in the log: the offset next to it is of the other source.`,
	Run:   runSourceIsAnother,
	Walk: func(p *checks.Pass) checks.Walker {
		m, made := basics.FollowSources(p), findRecreated(p)
		return checks.Walker{Done: made.end, Batch: func(_, b *checkpoint.Batch) {
			made.see(b)
			for _, s := range m.Step(b) {
				if s.To.None || !basics.SameKind(s.From, s.To) || !basics.OtherIdentity(s.From, s.To) {
					continue
				}
				p.Reportf(b.ID, s.To.Where, "source %s: %s → %s; it was at %s (%s), and is now at %s", s.Key,
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
		return "no offset"
	}
	return strings.Join(texts, ", ")
}
