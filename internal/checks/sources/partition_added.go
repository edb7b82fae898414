package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var PartitionAdded = &checks.Check{
	Code:     "partition-added",
	Severity: checks.Info,
	Question: checks.Intact,
	Title:    "a partition was added",
	Meaning: `This offset file lists partitions the previous one does not: the topic has more partitions, or the query
subscribes to another topic. Spark reads such a partition from its earliest record. That offset is not recorded, so what this
batch read of it is unknown.`,
	NextStep: `Nothing is needed if the topic was meant to grow.`,
	Run:      runAvailableNow,
	Walk: func(p *checks.Pass) checks.Walker {
		m := basics.FollowSources(p)
		type seen struct{ at, asOf string }
		gone := map[[2]string]seen{} // by source and part
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			for _, s := range m.Step(b) {
				if !basics.ComparesParts(s) {
					continue
				}
				var came, back []string
				for _, part := range basics.PartsOnlyIn(s.To, s.From) {
					if was, ok := gone[[2]string{s.Key, part.Name}]; ok {
						back = append(back, fmt.Sprintf("%s at %s (it was at %s in %s)", part.Name, part.Position.Text, was.at, was.asOf))
					} else {
						came = append(came, fmt.Sprintf("%s at %s", part.Name, part.Position.Text))
					}
				}
				for _, part := range basics.PartsOnlyIn(s.From, s.To) {
					gone[[2]string{s.Key, part.Name}] = seen{part.Position.Text, s.AsOf}
				}
				if len(came) > 0 {
					p.Reportf(b.ID, s.To.Where, "source %s, in %s and not in %s: %s", s.Key, b.Plan.File, s.AsOf, phrase.Clauses(came, 8))
				}
				if len(back) > 0 {
					onlyIf := ""
					if b.ID != p.Restart.Batch { // else its rows can still be kept from being written again
						onlyIf = "the sink may have duplicates since " + phrase.Batch(b.ID)
					}
					p.Report(checks.Finding{Severity: checks.High, Batch: b.ID, Where: s.To.Where, OnlyIf: onlyIf,
						Title: "a partition was removed and added again",
						Meaning: `These partitions were in older offset files, disappeared, and are back. Spark treats a
partition the previous offset file lacks as new and reads it from its earliest record. So rows that were read before were read
again.`,
						NextStep: `Check the sink for duplicated rows of these partitions, from this batch on.`,
						Evidence: fmt.Sprintf("source %s, in %s: %s", s.Key, b.Plan.File, phrase.Clauses(back, 8))})
				}
			}
		}}
	},
}
