package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var UncommittedBatch = &checks.Check{
	Code:     "uncommitted-batch",
	Severity: checks.Info,
	Question: checks.ReplaySafe,
	Title:    "the newest batch is not committed",
	Meaning: `This is normal while a batch runs, and after a crash inside one. A restart re-runs the batch with its recorded
offsets. Rows are duplicated only if the first attempt wrote some and the sink does not deduplicate batch IDs.`,
	NextStep: `Make sure no run of the query is still active. Check the sink for rows of this batch. Restart if they are
missing, or if the sink deduplicates batch IDs.`,
	Avoid: `Do not write the commit file by hand: rows not yet in the sink would be lost.`,
	Run:   runUncommittedBatch,
}

func runUncommittedBatch(_ context.Context, p *checks.Pass) error {
	last, committed := p.Offsets.Last(), p.Commits.Last()
	if !basics.LogsListed(p) || last <= committed {
		return nil
	}
	b := p.Survey.Standing.Last
	if b == nil || b.Plan == nil || b.Plan.Version == 0 || b.Plan.Has(decode.Empty, decode.Cut) {
		return nil // nothing that could be run again
	}
	at := decode.Where{File: basics.LogName(&p.Offsets, last)}
	if basics.Continuous(p) {
		p.Report(checks.Finding{Severity: checks.Info, Batch: last, Where: at,
			Title:    "some epochs are not committed",
			Evidence: basics.Span{First: committed + 1, Last: last}.In("offsets") + " " + basics.Span{First: committed + 1, Last: last}.Verb() + " newer than the newest commit",
			Meaning: `The offset files look like continuous processing, where offsets are some epochs ahead of commits. A
restart continues from the newest commit and reads again what was read after it.`,
			NextStep: `Make sure no run of the query is still active, then restart it.`})
		return nil
	}
	if b.Plan.Has(decode.NoMetadata) {
		return nil // cannot be run again either
	}
	f := checks.Finding{Severity: checks.Info, Batch: last, Where: at, Evidence: fmt.Sprintf("%s exists, commits/%d does not", at.File, last),
		Avoid: fmt.Sprintf(`Do not write commits/%d by hand: rows not yet in the sink would be lost.`, last)}
	if basics.BeforeCommits(p) {
		f.Title = "Spark re-runs the newest batch: releases before 2.2 kept no commits"
		f.Evidence = fmt.Sprintf("%s exists and pins no settings, and no commit exists: the layout of Spark before 2.2", at.File)
		f.Meaning = `Releases before 2.2 have no commit log, so no commit is missing. Whether the newest batch completed is
not recorded: every restart re-runs it with its recorded offsets. Rows are duplicated if the sink has them and does not
deduplicate batch IDs.`
	}
	if p.Restart.Outcome == checks.Refuses {
		f.Meaning = `This is normal while a batch runs, and after a crash inside one. Here the restart will fail for another
reason. Once that is fixed, Spark re-runs the batch with its recorded offsets.`
		f.NextStep = `Fix first what stops the restart. Then check the sink for rows of this batch, and check whether it
deduplicates batch IDs.`
	}
	p.Report(f)
	return nil
}
