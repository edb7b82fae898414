package logs

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var CommitWithoutOffset = &checks.Check{
	Code:     "commit-without-offset",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Rejudge:  true,
	Title:    "commits are ahead of plans",
	Meaning: `A batch is planned before it is committed, so plans are gone that were here: removed by hand to step back, by a
clean-up, or left out by a copy. A start believes the plans. It runs the newest planned batch again, writes its rows to the
sink a second time, and then fails where the commit it wants to write is already there.`,
	Avoid: `Do not restart like this, and do not delete the checkpoint.`,
	NextStep: `Look for the missing plans in a backup or among older versions of the objects, and put them back. To step back
instead, ` + "stop every run of the query, copy the whole checkpoint, and remove the newer batches from both logs, not from one.",
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
		f.Evidence = fmt.Sprintf("%s %s there, the newest plan is offsets/%d", s.In("commits"), s.Verb(), last)
		if last < 0 {
			f.Evidence = fmt.Sprintf("%s %s there, and offsets holds no plan at all", s.In("commits"), s.Verb())
			f.Meaning = `Every plan is gone while commits are still here: removed by hand, by a clean-up, or left out by a copy. Up to Spark
4.0 a start takes this for a new query: it begins at batch 0 and reads everything again that the sources still offer. Newer
releases refuse to start.`
		}
		p.Report(f)
	}
	return nil
}
