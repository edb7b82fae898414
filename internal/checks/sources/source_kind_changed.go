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
	OnlyIf:   "the code lists the sources as the newest offset file does",
	Title:    "the offsets of a source changed their form",
	Meaning: `A source line has a form the earlier kind of source does not write. The log knows a source only by its position,
so another source is now at this one. Likely causes: the order of sources changed, one was replaced, or a line was edited. The
new source fails at a line it cannot read, or starts from its beginning.`,
	NextStep: `Compare the order and kinds of the sources in the query's code before and after this batch. Restore the old
order, or start a new checkpoint at the offsets of the last batch before the change.`,
	Avoid: `Do not move lines by hand before you know which source each is from: sources of one kind silently accept each
other's lines.`,
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

// brokenLine reports whether a line does not parse at all, which is reported with the plan.
func brokenLine(o source.Offset) bool { return o.Problem != nil && len(o.Kinds) == 0 }

// kindWords are the kinds that write a line: "kafka or event-hubs", "unknown".
func kindWords(o source.Offset) string {
	names := o.KindNames()
	if len(names) > 3 {
		names = append(names[:3:3], "another")
	}
	return strings.Join(names, " or ")
}
