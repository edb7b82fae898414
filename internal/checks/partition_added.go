package checks

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
)

var partitionAdded = &Check{
	Code:     "partition-added",
	Severity: Info,
	Question: Intact,
	Title:    "a partition joined",
	Meaning: `The plan lists partitions that the one before did not have: the topic got more partitions, or the query subscribes
to another topic. Such a partition is read from its earliest record. Where that was is not recorded, so what this batch read of it
cannot be told from here.`,
	NextStep: `Nothing, if the topic was meant to grow.`,
	Run:      runAvailableNow,
	Walk: func(p *Pass) Walker {
		m := followSources(p)
		type seen struct{ at, asOf string }
		gone := map[[2]string]seen{} // by source and part
		return Walker{Batch: func(_, b *checkpoint.Batch) {
			for _, s := range m.step(b) {
				if !comparesParts(s) {
					continue
				}
				var came, back []string
				for _, part := range partsOnlyIn(s.to, s.from) {
					if was, ok := gone[[2]string{s.key, part.Name}]; ok {
						back = append(back, fmt.Sprintf("%s at %s (it stood at %s in %s)", part.Name, part.Position.Text, was.at, was.asOf))
					} else {
						came = append(came, fmt.Sprintf("%s at %s", part.Name, part.Position.Text))
					}
				}
				for _, part := range partsOnlyIn(s.from, s.to) {
					gone[[2]string{s.key, part.Name}] = seen{part.Position.Text, s.asOf}
				}
				if len(came) > 0 {
					p.Reportf(b.ID, s.to.Where, "source %s, in %s and not in %s: %s", s.key, b.Plan.File, s.asOf, phrase.Clauses(came, 8))
				}
				if len(back) > 0 {
					p.Report(Finding{Severity: High, Batch: b.ID, Where: s.to.Where,
						Title: "a partition came back",
						Meaning: `These partitions were in older plans, went, and are here again. Spark takes a partition that the plan before does not
list for a new one and reads it from its earliest record, so what had been read of it came again.`,
						NextStep: `Look in the sink for rows of these partitions that are there twice, from this batch on.`,
						Evidence: fmt.Sprintf("source %s, in %s: %s", s.key, b.Plan.File, phrase.Clauses(back, 8))})
				}
			}
		}}
	},
}
