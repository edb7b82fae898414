package checks

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
)

var offsetInvalid = &Check{
	Code:     "offset-invalid",
	Severity: High,
	Title:    "a position that may not stand in a log",
	Meaning: `A source never writes this value: before a batch is planned, "earliest" and "latest" are turned into real positions,
and a position is a number within its range. The line was edited by hand, made from the options of a query, or damaged. What Spark
does with it depends on the source: some stop, some read from another place than was meant.`,
	NextStep: `Compare with the plans before and after, and with a backup. Find out who wrote the line, and which position was
meant.`,
	Avoid: `Do not put "earliest" (-2) or "latest" (-1) into the log: they belong into the options of a new query.`,
	Walk: func(p *Pass) Walker {
		newest, count := map[string]Finding{}, map[string]int{}
		return Walker{
			Batch: func(_, b *checkpoint.Batch) {
				if b.Plan == nil {
					return
				}
				for i, o := range inPlanOrder(b.Plan) {
					e, ok := errors.AsType[*decode.Error](o.Problem)
					if !ok || e.Flaw != decode.Value {
						continue
					}
					key := sourceKey(i, o)
					newest[key] = Finding{Severity: High, Batch: b.ID, Where: e.Where, Evidence: fmt.Sprintf("source %s, %s: %v", key, e.What, e.Err)}
					count[key]++
				}
			},
			Done: func(bool) {
				for _, key := range slices.Sorted(maps.Keys(newest)) {
					f := newest[key]
					if more := count[key] - 1; more > 0 {
						f.Evidence += fmt.Sprintf("; so in %d older plans", more)
					}
					p.Report(f)
				}
			},
		}
	},
}
