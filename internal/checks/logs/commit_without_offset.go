package logs

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var CommitWithoutOffset = &checks.Check{
	Code:     "commit-without-offset",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Rejudge:  true,
	Title:    "the commit log is ahead of the offset log",
	Meaning: `Spark plans a batch before it commits it, so some offset files are lost: removed by hand, by a cleanup, or left
out of a copy. A restart follows the offset log. It re-runs the newest planned batch and writes its rows to the sink again.
Then it fails, because the commit it writes already exists.`,
	Avoid: `Do not restart now and do not delete the checkpoint: rows would be written again.`,
	NextStep: `Look for the missing offset files in object versions or a backup, and put them back. If you want to step back
instead: ` + "stop every run of the query and copy the whole checkpoint first. Then remove the newer batches from both logs, not from one.",
	Run: runCommitWithoutOffset,
}

func runCommitWithoutOffset(ctx context.Context, p *checks.Pass) error {
	last := p.Offsets.Last()
	if !basics.LogsListed(p) || p.Commits.Last() <= last {
		return nil
	}
	// A running query may have planned and committed between the two listings: look once more.
	offsets := p.Dir(ctx, "offsets")
	if offsets.Err != nil {
		return offsets.Err
	}
	if last = offsets.Last(); p.Commits.Last() <= last {
		return nil
	}
	ahead := slices.DeleteFunc(slices.Collect(p.Commits.IDs()), func(id int64) bool { return id <= last })
	for _, s := range basics.Runs(ahead) {
		f := checks.Finding{Severity: checks.Critical, Batch: s.First, Where: decode.Where{File: basics.LogName(&p.Commits, s.First)}}
		f.Evidence = fmt.Sprintf("%s %s newer than the newest offset file, offsets/%d", s.In("commits"), s.Verb(), last)
		switch {
		case last < 0:
			f.Evidence = fmt.Sprintf("%s %s present, but offsets has no batch", s.In("commits"), s.Verb())
			f.Meaning = `Every offset file is missing while commits exist: removed by hand, by a cleanup, or left out of a
copy. ` + withoutPlans(p)
		case keepsCommits(p):
			f.Meaning = fmt.Sprintf(`Spark plans a batch before it commits it, so some offset files are lost: removed by hand, by a
cleanup, or left out of a copy. A restart follows the offset log: it re-runs batch %d and writes its rows to the sink again. Spark %s
does not check whether a commit exists, so it continues silently. If it stops inside a batch that has an old commit, the next start
skips that batch. Its rows are then lost.`, last, p.Spark)
		}
		p.Report(f)
	}
	return nil
}

// keepsCommits reports whether the release keeps a commit that exists already, and continues: from 3.1 on it fails
// (MicroBatchExecution.runBatch).
func keepsCommits(p *checks.Pass) bool { return !p.Spark.AtLeast(spark.Version{Major: 3, Minor: 1}) }

// withoutPlans is what a start does with commits and no offset file.
func withoutPlans(p *checks.Pass) string {
	switch {
	case p.Spark.AtLeast(spark.Version{Major: 4, Minor: 1}):
		return `Up to Spark 4.0, a restart treats this as a new query. It starts at batch 0 and reads everything the sources still
have. From Spark 4.1 on, the restart will fail.`
	case keepsCommits(p):
		return fmt.Sprintf(`Spark %s treats this as a new query. It silently starts at batch 0 and reads everything the sources still have.
It keeps the old commits. If it stops inside a batch that has an old commit, the next start skips that batch. Its rows are then
lost.`, p.Spark)
	case p.Commits.Find(0) != nil:
		return fmt.Sprintf(`Spark %s treats this as a new query. It runs batch 0 over everything the sources still have. Then it fails,
because commits/0 exists; the rows may be in the sink by then.`, p.Spark)
	}
	return fmt.Sprintf(`Spark %s treats this as a new query. It silently starts at batch 0 and reads everything the sources still have.
It fails at the first batch whose commit exists.`, p.Spark)
}
