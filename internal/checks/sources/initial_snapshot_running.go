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
	Meaning: `A query on a table begins with all that the table held at one version, and the version in the plan stays the same until
that is read. The query is not stuck. A starting version counts only for a new query; it does not end this.`,
	NextStep: `Wait, or let the query read more files in a batch (maxFilesPerTrigger). The table's files of that version must stay
until the snapshot is read: do not vacuum it meanwhile.`,
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
