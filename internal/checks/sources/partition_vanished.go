package sources

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var PartitionVanished = &checks.Check{
	Code:     "partition-vanished",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	OnlyIf:   "the vanished partitions were read to their end",
	Title:    "a partition the query read is no longer in the offset log",
	Meaning: `From this batch on, the offset log no longer lists these partitions. Likely causes: the topic was deleted or
created again with fewer partitions, or the query subscribes to other topics. Or the source gave an incomplete answer and
failOnDataLoss was false. Records after the last offsets were not read, if any existed. A partition that is added again counts
as new, and Spark reads it from its beginning.`,
	NextStep: `Check in the source whether the partitions exist, and how far they are past the last offsets. Keep the last
offset file that lists them: no other file has these offsets.`,
	Avoid: `Do not add the partitions to the newest offset file by hand: the topic may no longer be the same.`,
	Walk: func(p *checks.Pass) checks.Walker {
		m := basics.FollowSources(p)
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			for _, s := range m.Step(b) {
				gone := basics.PartsOnlyIn(s.From, s.To)
				if !basics.ComparesParts(s) || len(gone) == 0 {
					continue
				}
				var texts []string
				for _, part := range gone {
					texts = append(texts, fmt.Sprintf("%s was at %s", part.Name, part.Position.Text))
				}
				p.Reportf(b.ID, s.To.Where, "source %s, in %s and no longer in %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(texts, 8))
			}
		}}
	},
}
