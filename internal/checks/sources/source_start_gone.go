package sources

import (
	"context"
	"slices"

	"tidemark/internal/checks"
)

var SourceStartGone = &checks.Check{
	Code:     "source-start-gone",
	Severity: checks.Medium,
	Question: checks.SameQuery,
	Title:    "the source has no more where the query first began, and still has where it goes on",
	Meaning: `Nothing that the next start reads is gone: the position at which it goes on is still there. Only the one at which the query once
began has been expired. Some releases of the Iceberg connector look it up at every start all the same, with the trigger AvailableNow above all, and
then stop ("Cannot load current offset at snapshot …, the snapshot was expired or removed").`,
	NextStep: `Keep the checkpoint. Where a start stops with those words, use another trigger or a release of the connector that does not look there.`,
	Avoid:    `Do not take this for lost data, and do not begin a new checkpoint because of it.`,
	Needs:    NeedsKept,
	Run: func(_ context.Context, p *checks.Pass) error {
		for i := range p.Kept.Sources {
			s := Held(p.Kept, i)
			first, ok := s.snapshotOf(s.Recorded.First)
			if !ok || s.Other != "" || slices.Contains(s.Snapshots, first) {
				continue
			}
			next, ok := s.snapshotOf(s.Recorded.From)
			if !ok || !slices.Contains(s.Snapshots, next) || slices.Contains(s.Aside, next) {
				continue // nothing to go on at, or told by source-data-gone
			}
			p.Reportf(s.Recorded.Batch, s.Recorded.First.Where, "source %s: it first began at snapshot %d, which the table has no more; batch %d begins at snapshot %d, which it has (%s)",
				s.Key, first, s.Recorded.Batch, next, s.ToldBy())
		}
		return nil
	},
}
