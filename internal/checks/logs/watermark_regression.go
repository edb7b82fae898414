package logs

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var WatermarkRegression = &checks.Check{
	Code:     "watermark-regression",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "the watermark decreased",
	Meaning: `Spark never lowers a watermark, not even at a restart. Likely an offset file was edited by hand, put back from a
backup, or written by a second run. From this batch on, rows that were late count as in time again. Spark removed their state
when the watermark passed it. So a window already emitted may be emitted again, with only the late rows.`,
	NextStep: basics.CopyFirst + `Then compare the offset file with its neighbors and with a backup. Check the sink for
windows duplicated from this batch on.`,
	Avoid: `Do not raise the number by hand: later batches already ran with the lower one.`,
	Walk:  walkWatermarkRegression,
}

func walkWatermarkRegression(p *checks.Pass) checks.Walker {
	var highest *checkpoint.Batch             // the plan with the highest watermark so far
	var before, first, last *checkpoint.Batch // the first plan below it with the one that it fell from, and the last plan below it
	return checks.Walker{
		Batch: func(_, b *checkpoint.Batch) {
			switch {
			case b.Plan == nil || !b.Plan.HasMetadata:
			case highest == nil || b.Plan.Watermark >= highest.Plan.Watermark:
				highest = b
			case first == nil:
				before, first, last = highest, b, b
			default:
				last = b
			}
		},
		Done: func(bool) {
			if first == nil {
				return
			}
			text := fmt.Sprintf("%s to %s: %s → %s", before.Plan.File, first.Plan.File, basics.Stamp(before.Plan.Watermark), basics.Stamp(first.Plan.Watermark))
			if last != first {
				text += fmt.Sprintf("; %s is still lower", last.Plan.File)
			}
			p.Reportf(first.ID, decode.Where{File: first.Plan.File, Line: 2}, "%s", text)
		},
	}
}
