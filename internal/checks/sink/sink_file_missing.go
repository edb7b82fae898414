package sink

import (
	"context"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/output"
)

var comparedOutputs = checks.Comparison{Short: "output files", One: "output file with its size in the sink's log", Many: "output files with their sizes in the sink's log"}

var SinkFileMissing = &checks.Check{
	Code:     "sink-file-missing",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "a file that the output's own log names is not there as it was written",
	Meaning: `The file sink lists in _spark_metadata each file that a batch wrote, with its size. Spark reads the output by that list: where a file is
gone, readers fail or leave its rows out; where its size differs, it is not the one that was written. A clean-up by age, a copy that left files out,
or a job that rewrites small files does this. A restart does not look at these files, and does not write them again.`,
	NextStep: `Look for the file in a backup or among older versions of the object, and put it back. If it was removed on purpose, everyone who reads this output must
know; its rows can be written again from the source, as long as that still has them.`,
	Avoid: `Do not edit _spark_metadata to take the file out while the query runs, and do not delete it: the query stops at the next compaction.`,
	Needs: NeedsSink,
	Run:   runSinkFileMissing,
}

// lostTold is how many files are told one by one.
const lostTold = 20

func runSinkFileMissing(ctx context.Context, p *checks.Pass) error {
	log, ok := p.Asked.(output.Logger)
	if !ok || !output.IsFile(p.Sink.Kind) || p.Sink.Highest < 0 {
		return nil
	}
	got, err := log.Logged(ctx, p.Deep)
	switch {
	case checkpoint.Stopped(err):
		return err
	case err != nil:
		p.Unread(checkpoint.Unread{Name: p.Sink.Location, Err: err})
		return nil
	case got.Alone:
		return nil
	}
	for i, f := range got.Lost {
		if i == lostTold {
			p.Reportf(-1, decode.Where{File: p.Sink.Location}, "%d more files that the log names are gone or have another size", len(got.Lost)-lostTold)
			break
		}
		text := fmt.Sprintf("%s names %s with %d bytes, and it is not there", f.Where.File, f.File, f.Size)
		if f.There >= 0 {
			text = fmt.Sprintf("%s names %s with %d bytes, and it has %d", f.Where.File, f.File, f.Size, f.There)
		}
		p.Reportf(f.Batch, f.Where, "%s", text)
	}
	p.Crosschecked(comparedOutputs, got.Compared)
	return nil
}
