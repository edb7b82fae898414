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
	OnlyIf:   "the query may get a new query ID",
	Title:    "the file with the query ID is missing",
	Meaning: `The query continues with its batches, but under a new query ID: up to Spark 4.1, a start creates one silently.
Sinks that remember the query ID and batch ID, such as Delta, then do not deduplicate a repeated batch. Its rows are written
twice. From Spark 4.2 on, the restart will fail instead. Likely causes: a cleanup of old files, a lifecycle rule, or a copy of
the folders only.`,
	NextStep: `Look for metadata in object versions or a backup, and put it back before you restart. If it is not found: make
sure the sink does not have the next batch yet. The old query ID is in the driver log, in progress events or in the sink's
transaction log.`,
	Avoid: `Do not write the file with a random ID: the error disappears, but the sink still does not know the query.`,
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
	does := fmt.Sprintf("from the logs, Spark would re-run batch %d", next)
	if p.Commits.Last() >= next {
		next++
		does = fmt.Sprintf("from the logs, Spark would start batch %d", next)
	}
	if p.Spark.AtLeast(spark.Version{Major: 4, Minor: 2}) {
		does += fmt.Sprintf(", but Spark %s refuses to start: STREAMING_CHECKPOINT_MISSING_METADATA_FILE", p.Spark)
	}
	f.Evidence = fmt.Sprintf("metadata is missing; the logs reach batch %d; %s", max(p.Offsets.Last(), p.Commits.Last()), does)
	for _, e := range p.Root.Entries {
		if !e.Dir && log.ParseName(e.Name).Role == log.Temp {
			f.Evidence += fmt.Sprintf("; %s next to it may hold the ID", e.Name)
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
	Title:    "the file with the query ID cannot be parsed",
	Meaning: `A restart reads this file first and fails in the JSON parser, before it reads any batch. The rest of the
checkpoint is not affected by it. Likely causes: an interrupted write, a full disk, or an edit.`,
	NextStep: basics.CopyFirst + `Then put the file back from object versions or a backup. If it is not found: find the query
ID in the driver log, in progress events or in the sink's transaction log. Then write {"id":"…"} with that ID, without a line
end.`,
	Avoid: `Do not remove the file to avoid the error: the query would continue under a new ID. Sinks that remember the old ID
would then write repeated batches again.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		if m := p.Survey.Metadata; m != nil && len(m.Problems) > 0 {
			p.Reportf(-1, m.Problems[0].Where, "%s", problems(m.Problems))
		}
		return nil
	},
}
