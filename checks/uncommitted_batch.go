package checks

import (
	"context"

	"tidemark/checkpoint/decode"
)

var uncommittedBatch = &Check{
	Code:     "uncommitted-batch",
	Severity: Info,
	Title:    "the newest batch is planned and not committed",
	Meaning: `This is the normal shape while a batch is running, and after a crash inside one. A restart runs
the batch again with exactly the planned offsets. Its rows come twice only where the first attempt had already
written some of them and the sink does not recognise a repeated batch.`,
	NextStep: `Make sure that no run of the query is still alive, and restart it. Before that, look whether the sink
already holds rows of this batch and whether it recognises a repeated batch id.`,
	Avoid: `Do not write the commit file by hand: a batch that is marked as done and is not loses its rows.`,
	Run: func(_ context.Context, p *Pass) error {
		last := p.Offsets.Last()
		if p.Offsets.Err != nil || p.Commits.Err != nil || last <= p.Commits.Last() {
			return nil
		}
		p.Reportf(last, decode.Where{File: logName(&p.Offsets, last)}, "%s is there, commits/%d is not", logName(&p.Offsets, last), last)
		return nil
	},
}
