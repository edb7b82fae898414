package logs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var AsyncProgressHoles = &checks.Check{
	Code:     "async-progress-holes",
	Severity: checks.Info,
	Question: checks.Intact,
	Title:    "both logs skip the same batches",
	Meaning: `A query with asynchronous progress tracking writes only some batches to its logs. A restart continues from the
newest one. The checkpoint does not record whether this mode was on. If it was off, the same files were removed from both
logs.`,
	NextStep: `If the query runs with asyncProgressTrackingEnabled: leave it on; nothing else is needed. If it does not: find
out what removes files from this folder.`,
	Avoid: `Do not switch the mode off while the two newest batches are not consecutive: a restart then needs an offset file
Spark never wrote.`,
	Run: runAsyncProgressHoles,
}

func runAsyncProgressHoles(_ context.Context, p *checks.Pass) error {
	if !basics.AsyncHoles(p) {
		return nil
	}
	planned := slices.Collect(p.Offsets.IDs())
	gone := basics.Holes(planned)
	last := p.Offsets.Last()
	f := checks.Finding{Severity: checks.Info, Batch: -1, Where: decode.Where{File: "offsets"}}
	f.Evidence = fmt.Sprintf("offsets and commits both lack %s", phrase.List(basics.SpanNames(gone), 8))
	if p.Offsets.Find(last-1) == nil {
		f.Evidence += fmt.Sprintf("; the newest offset files are %d and %d", basics.PlanBefore(p, last), last)
		f.Where.File = basics.LogName(&p.Offsets, last)
		if p.Restart.Outcome == checks.Refuses && missesPlan(p.Restart.Error) {
			f.Severity = checks.High
			f.Meaning = fmt.Sprintf(`Only some batches are logged, as with asynchronous progress tracking. Without that mode a
restart needs offsets/%d as well as offsets/%d, and Spark will fail.`, last-1, last)
			f.NextStep = `Restart with asyncProgressTrackingEnabled as before. To leave the mode, first run the query with
asyncProgressTrackingCheckpointIntervalMs set to 0. Spark then logs every batch, and you can switch the mode off.`
		}
	}
	p.Report(f)
	return nil
}

// missesPlan reports whether Spark's error is about a plan that is missing.
func missesPlan(words string) bool {
	return strings.Contains(words, "doesn't exist") || strings.Contains(words, "not found in offset log")
}
