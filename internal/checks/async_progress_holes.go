package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
)

var asyncProgressHoles = &Check{
	Code:     "async-progress-holes",
	Severity: Info,
	Question: Intact,
	Title:    "both logs skip the same batches",
	Meaning: `This is how a query with asynchronous progress tracking logs: only some of its batches are written, and a restart
reads on from the newest one. The checkpoint does not record whether that mode was on. Without it, the same files were
removed from both logs.`,
	NextStep: `If the query runs with asyncProgressTrackingEnabled, nothing has to be done: leave it on. If it does not, find out
what removes files from this folder.`,
	Avoid: `Do not switch the mode off while the two newest batches are not neighbours: the start then looks for a plan that
was never written.`,
	Run: runAsyncProgressHoles,
}

func runAsyncProgressHoles(_ context.Context, p *Pass) error {
	if !asyncHoles(p) {
		return nil
	}
	planned := slices.Collect(p.Offsets.IDs())
	gone := holes(planned)
	last := p.Offsets.Last()
	f := Finding{Severity: Info, Batch: -1, Where: decode.Where{File: "offsets"}}
	f.Evidence = fmt.Sprintf("offsets and commits both lack %s", phrase.List(spanNames(gone), 8))
	if p.Offsets.Find(last-1) == nil {
		f.Evidence += fmt.Sprintf("; the newest plans are %d and %d", planBefore(p, last), last)
		f.Where.File = logName(&p.Offsets, last)
		if p.Restart.Outcome == Refuses && missesPlan(p.Restart.Error) {
			f.Severity = High
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

// asyncHoles reports whether both logs have the same holes, in a query without state, as
// asynchronous progress tracking leaves them. A hole above the newest commit counts only beside
// such a one: alone it is a lost plan.
func asyncHoles(p *Pass) bool {
	from, to := max(p.Offsets.First(), p.Commits.First()), min(p.Offsets.Last(), p.Commits.Last())
	if !listed(p) || to < 0 || !stateless(p) || continuous(p) {
		return false
	}
	within := func(ids []int64) []int64 {
		return slices.DeleteFunc(ids, func(id int64) bool { return id < from || id > to })
	}
	planned, done := within(slices.Collect(p.Offsets.IDs())), within(slices.Collect(p.Commits.IDs()))
	return slices.Equal(planned, done) && len(holes(planned)) > 0
}

// asyncOff reports whether the query is known to run without asynchronous progress tracking.
func asyncOff(p *Pass) bool {
	return p.Spec != nil && p.Spec.AsyncProgress != nil && !*p.Spec.AsyncProgress
}

// asyncOn reports whether the query is known to run with it.
func asyncOn(p *Pass) bool {
	return p.Spec != nil && p.Spec.AsyncProgress != nil && *p.Spec.AsyncProgress
}
