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
	Title:    "the snapshot the query first started from has expired",
	Meaning: `A restart starts from a later snapshot, which still exists; nothing it reads is lost. Only the snapshot the
query first started from has expired. Some releases of the Iceberg connector still look it up at every start, above all with
Trigger.AvailableNow. They then fail with "Cannot load current offset at snapshot …, the snapshot was expired or removed".`,
	NextStep: `Keep the checkpoint. If a start fails with that error: use another trigger, or a connector release that does
not look it up.`,
	Avoid: `Do not treat this as lost data, and do not start a new checkpoint because of it.`,
	Needs: NeedsKept,
	Run: func(_ context.Context, p *checks.Pass) error {
		for i := range p.Kept.Sources {
			s := Held(p.Kept, i)
			first, ok := s.snapshotOf(s.Recorded.First)
			if !ok || s.Other != "" || slices.Contains(s.Snapshots, first) {
				continue
			}
			next, ok := s.snapshotOf(s.Recorded.From)
			if !ok || !slices.Contains(s.Snapshots, next) || slices.Contains(s.Aside, next) {
				continue // nothing to continue at, or reported by source-data-gone
			}
			p.Reportf(s.Recorded.Batch, s.Recorded.First.Where, "source %s first started at snapshot %d, which the table no longer has; batch %d starts at snapshot %d, which it has (%s)",
				s.Key, first, s.Recorded.Batch, next, s.ToldBy())
		}
		return nil
	},
}
