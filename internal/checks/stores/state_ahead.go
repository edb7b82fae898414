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
	Title:    "state of a batch that is not committed is written already",
	Meaning: `The batch wrote its state and was not committed: it is running now, or it was cut off in between. A restart runs it again from
the version before, and replaces these files.`,
	NextStep: `Nothing has to be done before a restart.`,
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
		Evidence: fmt.Sprintf("%d stores hold versions up to %d, the next start loads version %d", stores, newest, version)}
	if stores == 1 {
		f.Evidence = fmt.Sprintf("one store holds version %d, the next start loads version %d", newest, version)
	}
	switch last := p.Offsets.Last(); {
	case newest > last+2:
		f.Severity = checks.Medium
		f.Title = "state is further on than the logs"
		f.Meaning = fmt.Sprintf(`State of batch %d is here, and the newest plan is of batch %d. The logs were taken back to an older batch, or are an older
copy than the state. A restart goes on from version %d and replaces the versions above it, so nothing of them is used.`, newest-1, last, version)
		f.NextStep = `If the logs were taken back on purpose, nothing has to be done here; check that the sink takes those batches twice. If not, find the
newer logs before a restart.`
		f.Avoid = `Do not restart before it is clear which of the two is meant: the batches in between are read and written again.`
	case !p.Spark.AtLeast(spark.Version{Major: 2, Minor: 2}):
		f.Severity = checks.Medium
		f.Meaning += fmt.Sprintf(`Batch %d wrote its state and was not committed. A restart runs it again and writes the same version again; Spark %s cannot replace
a file that is there, and fails on the rename (SPARK-19677). 2.2 and later replace it.`, version, p.Spark)
		f.NextStep = basics.CopyFirst + fmt.Sprintf(`Then restart with a newer release, or move the state files of version %d and above, and only those, out of the folder.`, version+1)
	}
	p.Report(f)
}
