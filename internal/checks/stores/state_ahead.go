package stores

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateAhead = &checks.Check{
	Code:     "state-ahead",
	Severity: checks.Info,
	Question: checks.Intact,
	OfState:  true,
	Rejudge:  true,
	Title:    "state of an uncommitted batch is already written",
	Meaning: `The batch wrote its state and was not committed. It is running now, or it was interrupted. A restart re-runs it from the
version before, and replaces these files.`,
	NextStep: `Nothing to do before a restart.`,
	Avoid:    `Do not delete state files of older versions: the restart loads them.`,
	Run:      runStateAhead,
}

func runStateAhead(_ context.Context, p *checks.Pass) error {
	version, ok := StartVersion(p)
	if !ok || len(p.Offsets.Files) == 0 {
		return nil
	}
	if _, _, over := startedOver(p); over {
		return nil // state-without-log tells of it
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		var newest, stores int64
		where := ""
		for _, part := range op.Partitions {
			for _, s := range part.Stores {
				v := state.Newest(s.Files)
				if v <= version {
					continue
				}
				stores++
				if v > newest {
					newest, where = v, s.Path(s.Files[len(s.Files)-1])
				}
			}
		}
		if stores > 0 {
			reportAhead(p, version, newest, stores, where)
		}
	}
	return nil
}

func reportAhead(p *checks.Pass, version, newest, stores int64, where string) {
	f := checks.Finding{Severity: checks.Info, Batch: version, Where: decode.Where{File: where},
		Evidence: fmt.Sprintf("%d state stores have versions up to %d; the restart loads version %d", stores, newest, version)}
	if stores == 1 {
		f.Evidence = fmt.Sprintf("one state store has version %d; the restart loads version %d", newest, version)
	}
	switch last := p.Offsets.Last(); {
	case newest > last+2:
		f.Severity = checks.Medium
		f.Title = "state is newer than the logs"
		f.Meaning = fmt.Sprintf(`State of batch %d exists, and the newest offset file is that of batch %d. The logs were set back to an
older batch, or are an older copy than the state. A restart continues from version %d and replaces all newer versions, so it uses none of
them.`, newest-1, last, version)
		f.NextStep = `Find out whether the logs were set back on purpose. If they were: check that the sink accepts those batches twice. If
not: find the newer logs before a restart.`
		f.Avoid = `Do not restart before you know which of the two is intended: Spark reads and writes the batches in between again.`
	case !p.Spark.AtLeast(spark.Version{Major: 2, Minor: 2}):
		f.Severity = checks.Medium
		f.Meaning += fmt.Sprintf(`Batch %d wrote its state and was not committed. A restart re-runs it and writes the same version. The
first releases of Spark %s fail on HDFS, because the file exists (SPARK-19677). Spark 2.1.3 keeps the existing file.`, version, p.Spark)
		f.NextStep = basics.CopyFirst + fmt.Sprintf(`If the restart fails on the rename: use a newer release, or set aside the state files of version %d and
above, and only those.`, version+1)
	}
	p.Report(f)
}
