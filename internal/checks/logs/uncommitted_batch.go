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
	Title:    "the newest batch is planned and not committed",
	Meaning: `This is the normal shape while a batch is running, and after a crash inside one. A restart runs the batch
again with exactly the planned offsets. Its rows come twice only where the first attempt had already written some of
them and the sink does not recognize a repeated batch.`,
	NextStep: `Make sure that no run of the query is still alive, then restart it. Before that, look whether the sink
already holds rows of this batch, and whether it recognizes a batch id that comes again.`,
	Avoid: `Do not write the commit file by hand: a batch that is marked as done and is not loses its rows.`,
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
			Title:    "epochs are logged that are not committed",
			Evidence: basics.Span{First: committed + 1, Last: last}.In("offsets") + " " + basics.Span{First: committed + 1, Last: last}.Verb() + " newer than the newest commit",
			Meaning: `The plans look like those of continuous processing, where offsets run some epochs ahead of commits. A restart
goes on from the newest commit, so what was read after it is read again.`,
			NextStep: `Make sure that no run of the query is still alive, then restart it.`})
		return nil
	}
	if b.Plan.Has(decode.NoMetadata) {
		return nil // cannot be run again either
	}
	f := checks.Finding{Severity: checks.Info, Batch: last, Where: at, Evidence: fmt.Sprintf("%s is there, commits/%d is not", at.File, last)}
	if basics.BeforeCommits(p) {
		f.Title = "the newest batch runs again: releases before 2.2 kept no commits"
		f.Evidence = fmt.Sprintf("%s is there and pins no settings, and there is no commit: the layout of Spark before 2.2", at.File)
		f.Meaning = `Releases before 2.2 have no commit log, so none is missing. Whether the newest batch was completed is not recorded: every
restart runs it again with exactly the planned offsets. Its rows come twice if the sink has them and does not recognize a repeated batch.`
	}
	if p.Restart.Outcome == checks.Refuses {
		f.Meaning = `This is the normal shape while a batch is running, and after a crash inside one. Here the start refuses for another
reason; once that is mended, the batch is run again with exactly the planned offsets.`
		f.NextStep = `Mend first what stops the start. Before the restart, look whether the sink already holds rows of this batch, and
whether it recognizes a batch id that comes again.`
	}
	p.Report(f)
	return nil
}
