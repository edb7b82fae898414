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
	OnlyIf:   "the code lists the sources as the newest offset file does",
	Title:    "the number of sources changed between two batches",
	Meaning: `An offset file has one line per source, in the order of the query and, in version 1, without names. From this
batch on the query read a different number of sources. Its code changed, or files of another release or query were put here. A
restart will fail if the query has a different number of sources than the two newest offset files.`,
	NextStep: `Find out which version of the query's code wrote which batches. Code with the old number of sources cannot
start from this batch on. Code with the new number cannot start before it. Then choose the code to run, and compare the line
of each source before and after.`,
	Avoid: `Do not add or delete source lines by hand: only their position identifies a source. Equal lines need not be the
same topic, or rows read twice.`,
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
					f.Meaning = p.Check.Meaning + ` These are the two newest, so no version of the query can start: one of
them always has the wrong number.`
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
