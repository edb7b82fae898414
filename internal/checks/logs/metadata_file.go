package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var MetadataMissing = &checks.Check{
	Code:     "metadata-missing",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Title:    "the file with the query id is not there",
	Meaning: `The batches go on where they were, but under a new id: up to Spark 4.1 a start makes one up without a word. Sinks that
remember the query id and the batch id (Delta among them) then do not recognize a batch that comes again, and its rows are
written twice. From Spark 4.2 on the start refuses instead. A clean-up of old files, a lifecycle rule, or a copy that took
only the folders leaves this behind.`,
	NextStep: `Find the old id in the driver's log, in progress events or in the sink's transaction log. Look for the file in a
backup or among older versions of the object, and put it back before the restart. If there is none, make sure that the batch
to be run is not in the sink yet.`,
	Avoid: `Do not write the file with a random id: it silences the error, and the sink still does not know the query.`,
	Run:   runMetadataMissing,
}

func runMetadataMissing(_ context.Context, p *checks.Pass) error {
	if p.Survey.Metadata != nil || p.Offsets.Last() < 0 && p.Commits.Last() < 0 {
		return nil
	}
	if basics.UnreadBelow(p, "metadata") {
		return nil
	}
	f := checks.Finding{Severity: checks.High, Batch: -1, Where: decode.Where{File: "metadata"}}
	next := p.Offsets.Last()
	does := fmt.Sprintf("by them batch %d is run again", next)
	if p.Commits.Last() >= next {
		next++
		does = fmt.Sprintf("by them batch %d is next", next)
	}
	if p.Spark.AtLeast(spark.Version{Major: 4, Minor: 2}) {
		does += fmt.Sprintf(", but Spark %s refuses to start: STREAMING_CHECKPOINT_MISSING_METADATA_FILE", p.Spark)
	}
	f.Evidence = fmt.Sprintf("metadata is not there, the logs reach batch %d; %s", max(p.Offsets.Last(), p.Commits.Last()), does)
	for _, e := range p.Root.Entries {
		if !e.Dir && log.ParseName(e.Name).Role == log.Temp {
			f.Evidence += fmt.Sprintf("; %s beside it may hold the id", e.Name)
			break
		}
	}
	p.Report(f)
	return nil
}

var MetadataMalformed = &checks.Check{
	Code:     "metadata-malformed",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Salvage:  true,
	Title:    "the file with the query id does not parse",
	Meaning: `A start reads this file first and fails in its JSON parser, before it looks at any batch. Nothing else of the
checkpoint is touched by that. A write that was cut off, a full disk, or an edit leaves this behind.`,
	NextStep: basics.CopyFirst + `Then put the file back from a backup or an older version of the object. If there is none, find the id in
the driver's log, in progress events or in the sink's transaction log, and write {"id":"…"} with that id, without a line end.`,
	Avoid: `Do not remove the file to get past the error: the query would go on under a new id, and sinks that remember the old
one would take repeated batches for new ones.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		if m := p.Survey.Metadata; m != nil && len(m.Problems) > 0 {
			p.Reportf(-1, m.Problems[0].Where, "%s", problems(m.Problems))
		}
		return nil
	},
}
