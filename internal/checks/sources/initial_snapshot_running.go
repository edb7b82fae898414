package sources

import (
	"context"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var InitialSnapshotRunning = &checks.Check{
	Code:     "initial-snapshot-running",
	Severity: checks.Info,
	Question: checks.Intact,
	Title:    "a table source is still reading its first snapshot",
	Meaning: `A query on a table first reads everything the table had at one version. The version in the offset log does not
change until then. The query is not stuck. A starting version applies only to a new query; it does not end this.`,
	NextStep: `Wait, or let the query read more files per batch (maxFilesPerTrigger). Run no VACUUM before the snapshot is
read: the table's files of that version are needed.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		plan := basics.NewestPlan(p.Survey.Standing)
		if plan == nil {
			return nil
		}
		for i, o := range plan.InOrder() {
			if words, ok := o.Snapshot(); ok {
				p.Reportf(p.Offsets.Last(), o.Where, "%s, %s: %s", plan.File, basics.SourceWords(basics.SourceKey(i, o), o), words)
			}
		}
		return nil
	},
}
