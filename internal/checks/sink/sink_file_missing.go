package sink

import (
	"context"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/output"
)

var comparedOutputs = checks.Comparison{Short: "sink files", One: "sink file with its size in the sink's log", Many: "sink files with their sizes in the sink's log"}

var SinkFileMissing = &checks.Check{
	Code:     "sink-file-missing",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "a file named in the sink's log is missing or changed",
	Meaning: `The file sink lists each file a batch wrote, with its size, in _spark_metadata. Spark reads the sink by that list. If a file
is missing, readers fail or lack its rows. If its size differs, the file was changed. Likely causes: a clean-up by age, an incomplete
copy, or a job that rewrites small files. A restart does not check these files, and does not write them again.`,
	NextStep: `Look for the file in a backup or object versions, and put it back. If it was removed on purpose: inform everyone who reads
this sink. Its rows can be written again if the source still has them.`,
	Avoid: `Do not edit _spark_metadata to remove the file while the query runs, and do not delete it: the query stops at the next
compaction.`,
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
			p.Reportf(-1, decode.Where{File: p.Sink.Location}, "%d more files named in the log are missing or have another size", len(got.Lost)-lostTold)
			break
		}
		text := fmt.Sprintf("%s names %s with %d bytes, and it is missing", f.Where.File, f.File, f.Size)
		if f.There >= 0 {
			text = fmt.Sprintf("%s names %s with %d bytes, and it has %d", f.Where.File, f.File, f.Size, f.There)
		}
		p.Reportf(f.Batch, f.Where, "%s", text)
	}
	p.Crosschecked(comparedOutputs, got.Compared)
	return nil
}
