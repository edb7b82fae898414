package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var SourceCountChanged = &checks.Check{
	Code:     "source-count-changed",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	Title:    "the number of sources changed between two batches",
	Meaning: `A plan has one line for each source of the query, in the order of the query's plan, and no names. With this batch
the query read another number of sources: its code was changed, or files of another release or another query were put here.
Spark stops at a start whose query has a different number of sources than the newest two plans.`,
	NextStep: `Find out which version of the query's code belongs to which batches. A version with the old number of sources
cannot start from this batch on, one with the new number not from before it. Then decide which plan the query is to have, and
compare the line of each source before and after.`,
	Avoid: `Do not add or delete source lines by hand: sources are told apart by their position only. Several lines that are
equal need not be several topics, nor rows read several times.`,
	Walk: func(p *checks.Pass) checks.Walker {
		var was *checkpoint.Batch
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			if !countsSources(b.Plan) {
				return
			}
			if was != nil && len(was.Plan.Sources) != len(b.Plan.Sources) {
				f := checks.Finding{Severity: checks.High, Batch: b.ID, Where: b.Plan.Sources[0].Where,
					Evidence: fmt.Sprintf("%s has %s, %s has %s", was.Plan.File, basics.Lines(len(was.Plan.Sources)), b.Plan.File, basics.Lines(len(b.Plan.Sources)))}
				if b.ID == p.Offsets.Last() && was.ID == b.ID-1 {
					f.Severity = checks.Critical
					f.Meaning = p.Check.Meaning + ` These are the newest two, so no version of the query can start: one of them always has the wrong number.`
				}
				p.Report(f)
			}
			was = b
		}}
	},
}

// countsSources reports whether a plan shows how many sources there are. Named sources (version 2) may
// come and go; a plan that is cut or has an empty line shows nothing.
func countsSources(plan *log.Plan) bool {
	if plan == nil || plan.Version != 1 || len(plan.Sources) == 0 || !plan.HasMetadata {
		return false
	}
	for _, o := range plan.Sources {
		if o.Raw == "" {
			return false
		}
	}
	return true
}
