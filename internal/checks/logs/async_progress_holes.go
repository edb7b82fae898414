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
	Meaning: `This is how a query with asynchronous progress tracking logs: only some of its batches are written, and a restart
reads on from the newest one. The checkpoint does not record whether that mode was on. Without it, the same files were
removed from both logs.`,
	NextStep: `If the query runs with asyncProgressTrackingEnabled, nothing has to be done: leave it on. If it does not, find out
what removes files from this folder.`,
	Avoid: `Do not switch the mode off while the two newest batches are not neighbors: the start then looks for a plan that
was never written.`,
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
		f.Evidence += fmt.Sprintf("; the newest plans are %d and %d", basics.PlanBefore(p, last), last)
		f.Where.File = basics.LogName(&p.Offsets, last)
		if p.Restart.Outcome == checks.Refuses && missesPlan(p.Restart.Error) {
			f.Severity = checks.High
			f.Meaning = fmt.Sprintf(`Only some batches are logged, as a query with asynchronous progress tracking does. Without that mode a start
needs offsets/%d beside offsets/%d and refuses: batch %d doesn't exist.`, last-1, last, last-1)
			f.NextStep = `Restart with asyncProgressTrackingEnabled as before. To leave the mode, first let the query run on with
asyncProgressTrackingCheckpointIntervalMs set to 0, so that every batch is logged, and switch it off after that.`
		}
	}
	p.Report(f)
	return nil
}

// missesPlan reports whether Spark's words are about a plan that is not there.
func missesPlan(words string) bool {
	return strings.Contains(words, "doesn't exist") || strings.Contains(words, "not found in offset log")
}
