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
	Title:    "a partition that was read is gone from the plan",
	Meaning: `From this batch on the plan no longer lists these partitions. The topic was deleted or created again with fewer
partitions, the query subscribes to other topics, or the source gave an incomplete answer while the query was told to go on in
spite of lost data (failOnDataLoss=false). Records behind the last positions were not read, if there were any. A partition that
comes back counts as new, and is read from its beginning.`,
	NextStep: `Ask the source whether the partitions are there, and how far they go beyond the last positions. Keep the last plan
that lists them: the positions stand nowhere else.`,
	Avoid: `Do not add the partitions to the newest plan by hand before it is known whether the topic is still the same one.`,
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
					texts = append(texts, fmt.Sprintf("%s stood at %s", part.Name, part.Position.Text))
				}
				p.Reportf(b.ID, s.To.Where, "source %s, in %s and no longer in %s: %s", s.Key, s.AsOf, b.Plan.File, phrase.Clauses(texts, 8))
			}
		}}
	},
}
