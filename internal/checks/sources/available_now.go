package sources

import (
	"context"
	"fmt"
	"strings"

	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// runAvailableNow tells of partitions that came while a batch was open, where the trigger makes that a trap.
func runAvailableNow(ctx context.Context, p *checks.Pass) error {
	s := basics.NextStart(ctx, p)
	if !basics.AvailableNow(p) {
		return nil
	}
	for _, k := range rangedSources(s) {
		came := k.cameSince()
		if len(came) == 0 {
			continue
		}
		f := checks.Finding{Severity: checks.High, Batch: s.L, Where: k.line.Where,
			Title: "Trigger.AvailableNow will fail at every start: a partition was added",
			Evidence: fmt.Sprintf("the spec has the trigger available-now; %s is not committed and has for source %d only %s; %s shows %s too",
				s.Last.Plan.File, k.held.Recorded.Index, phrase.List(k.ends.names(), 3), k.held.From, phrase.List(came, 3)),
			NextStep: fmt.Sprintf(`Use Spark 3.5.7, 4.0.2, 4.1.0 or later. If that is not possible: start the query once with
another trigger, such as Trigger.Once, until batch %d is committed. Then go back to AvailableNow.`, s.L),
			Avoid: `Do not remove the offset file of the batch or start a new checkpoint: the files are not the cause.`}
		fails := fmt.Sprintf(`Spark re-runs batch %d with its recorded offsets, which lack the new partition. It compares them
with the partitions the topic had when the query started. It fails with %s at every start (SPARK-53560).`, s.L, mismatchedCondition)
		switch {
		case !s.OnSpark(3, 4), s.OnSpark(4, 1):
			f.Severity = checks.Info
			f.Title = "a partition was added while a batch is uncommitted"
			f.Meaning = fmt.Sprintf(`Spark re-runs batch %d without the new partition; the next batch reads it from its first
record. Spark 3.4, 3.5.0 to 3.5.6, 4.0.0 and 4.0.1 fail here with Trigger.AvailableNow, at every start (SPARK-53560). Spark %s
does not.`, s.L, p.Spark)
			f.NextStep = `Nothing is needed for a restart with this release.`
		case s.OnSpark(3, 5):
			f.Meaning = fmt.Sprintf(`With Spark %s: %s Spark %s and later will start. The patch release that will run the
query is unknown.`, map[bool]string{true: "4.0.0 and 4.0.1", false: "3.5.0 to 3.5.6"}[p.Spark == spark.Version{Major: 4}],
				fails, map[bool]string{true: "4.0.2", false: "3.5.7"}[p.Spark == spark.Version{Major: 4}])
		default:
			f.Meaning = strings.ToUpper(fails[:1]) + fails[1:]
		}
		if (!k.told || k.topics.Assign != nil) && f.Severity > checks.Info {
			f.Meaning += ` A query that names its partitions one by one (assign) is not affected; the spec does not say what
the query subscribes to.`
		}
		p.Report(f)
	}
	return nil
}
