package checks

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
)

var partitionVanished = &Check{
	Code:     "partition-vanished",
	Severity: High,
	Question: Intact,
	Damage:   NoDamage,
	Title:    "a partition that was read is gone from the plan",
	Meaning: `From this batch on the plan no longer lists these partitions. The topic was deleted or created again with fewer
partitions, the query subscribes to other topics, or the source gave an incomplete answer while the query was told to go on in
spite of lost data (failOnDataLoss=false). Records behind the last positions were not read, if there were any. A partition that
comes back counts as new, and is read from its beginning.`,
	NextStep: `Ask the source whether the partitions are there, and how far they go beyond the last positions. Keep the last plan
that lists them: the positions stand nowhere else.`,
	Avoid: `Do not add the partitions to the newest plan by hand before it is known whether the topic is still the same one.`,
	Walk: func(p *Pass) Walker {
		m := followSources(p)
		return Walker{Batch: func(_, b *checkpoint.Batch) {
			for _, s := range m.step(b) {
				gone := partsOnlyIn(s.from, s.to)
				if !comparesParts(s) || len(gone) == 0 {
					continue
				}
				var texts []string
				for _, part := range gone {
					texts = append(texts, fmt.Sprintf("%s stood at %s", part.Name, part.Position.Text))
				}
				p.Reportf(b.ID, s.to.Where, "source %s, in %s and no longer in %s: %s", s.key, s.asOf, b.Plan.File, phrase.Clauses(texts, 8))
			}
		}}
	},
}
