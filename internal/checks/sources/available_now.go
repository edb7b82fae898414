package sources

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// cameSince are partitions of Kafka that are not in the plan of an open batch, where the query runs with Trigger.AvailableNow.
//
// From 3.4 on a Kafka source under that trigger asks for the newest offsets of all partitions as the query starts, and holds the end of
// each batch against them (KafkaMicroBatchStream.verifyEndOffsetForTriggerAvailableNow). A batch that is run again ends where it was
// planned, so a partition that was added meanwhile fails it, at every start. Since 3.5.7, 4.0.2 and 4.1.0 the offsets are asked for
// only as the first new batch is planned (SPARK-53560).
type cameSince struct {
	source int
	where  decode.Where // the line of the source in the plan
	from   string       // what told of the partitions
	parts  []string     // not in the plan
	had    []string     // in the plan

	subscribes bool // to whole topics, as the spec has it; else the query may name its partitions one by one
}

// partitionsSince are those partitions, by source; none where that was not asked, or where no batch is open.
func partitionsSince(s *basics.Start) []cameSince {
	if s.Kept == nil || s.AllCommitted() || s.Last == nil || s.Last.Plan == nil || basics.DeclaredTrigger(s.Pass) != "available-now" {
		return nil
	}
	var all []cameSince
	for i := range s.Kept.Sources {
		k := &s.Kept.Sources[i]
		d := k.Recorded.Declared
		if !k.Kind().PinsEnds || k.Recorded.To.None || k.Other != "" {
			continue
		}
		c := cameSince{source: k.Recorded.Index, where: k.Recorded.To.Where, from: k.Source.From, subscribes: d != nil &&
			(len(d.Topics) > 0 || d.Pattern != "")}
		planned := k.Recorded.To.Parts
		if k.Recorded.Kind.Taken != nil {
			planned, _ = k.Recorded.To.TakenAs(k.Recorded.Kind)
		}
		for _, part := range planned {
			c.had = append(c.had, part.Name)
		}
		for _, part := range k.Parts {
			if !slices.Contains(c.had, part.Name) && (k.Whole || slices.Contains(k.Topics, topicOf(part.Name))) {
				c.parts = append(c.parts, part.Name)
			}
		}
		if len(c.parts) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// runAvailableNow tells of partitions that came while a batch was open, where the trigger makes that a trap.
func runAvailableNow(ctx context.Context, p *checks.Pass) error {
	s := basics.NextStart(ctx, p)
	for _, c := range partitionsSince(s) {
		f := checks.Finding{Severity: checks.High, Batch: s.L, Where: c.where,
			Title: "Trigger.AvailableNow will fail at every start: a partition was added",
			Evidence: fmt.Sprintf("the spec has the trigger available-now; %s is not committed and has for source %d only %s; %s shows %s too",
				s.Last.Plan.File, c.source, phrase.List(c.had, 3), c.from, phrase.List(c.parts, 3)),
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
		if !c.subscribes && f.Severity > checks.Info {
			f.Meaning += ` A query that names its partitions one by one (assign) is not affected; the spec does not say what
the query subscribes to.`
		}
		p.Report(f)
	}
	return nil
}
