package sources

import (
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var SourceKindChanged = &checks.Check{
	Code:     "source-kind-changed",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	Title:    "the offsets of a source changed their shape",
	Meaning: `The line of a source has a form that the kind of source before it does not write. The log knows a source only by
its position, so this is another source at the same place: the order of the sources in the query was changed, one was replaced by
another, or a line was edited. The new one fails at a line it cannot read, or starts anew.`,
	NextStep: `Compare the order and the kinds of the sources in the query's code before and after this batch. Bring the old
order back, or take the positions from the last batch before the change for a new checkpoint.`,
	Avoid: `Do not move lines by hand until it is known which source each belongs to: two sources of one kind accept each
other's lines without a word.`,
	Walk: func(p *checks.Pass) checks.Walker {
		m := basics.FollowSources(p)
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			var changed []string
			var first basics.SourceMove
			for _, s := range m.Step(b) {
				if s.To.None || basics.SameKind(s.From, s.To) || len(s.From.Kinds) == 0 || brokenLine(s.To) {
					continue // what an unknown source writes may look like anything
				}
				if len(changed) == 0 {
					first = s
				}
				changed = append(changed, fmt.Sprintf("source %s: %s (%s) → %s (%s)", s.Key, kindWords(s.From), s.AsOf, kindWords(s.To), b.Plan.File))
			}
			if len(changed) > 0 {
				p.Reportf(b.ID, first.To.Where, "%s", phrase.Clauses(changed, 8))
			}
		}}
	},
}

// brokenLine reports whether a line does not parse at all, which is told with the plan.
func brokenLine(o source.Offset) bool { return o.Problem != nil && len(o.Kinds) == 0 }

// kindWords are the kinds that write a line: "kafka or event-hubs", "unknown".
func kindWords(o source.Offset) string {
	names := o.KindNames()
	if len(names) > 3 {
		names = append(names[:3:3], "another")
	}
	return strings.Join(names, " or ")
}
