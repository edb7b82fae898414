package logs

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var OffsetGap = &checks.Check{
	Code:     "offset-gap",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Title:    "a plan is missing between two others",
	Meaning: `Batches are planned one after the other, so this plan was written and is gone, or its write was lost. A clean-up,
a copy that skipped it, a storage fault, and two runs of the query at once all leave this behind. Spark reads only the two
newest plans at a start, so this hole does not stop it; but what each missing batch read is no longer recorded.`,
	NextStep: `Find out what removed the file before the query runs on: look for a backup or an older version of the object, and
for a job or a second run of the query that works in this folder.`,
	Avoid: `Do not invent the missing file, and do not start over with a new checkpoint: what the query read would be read again.`,
	Run:   runOffsetGap,
}

func runOffsetGap(_ context.Context, p *checks.Pass) error {
	if !basics.LogsListed(p) {
		return nil
	}
	if basics.AsyncHoles(p) {
		return nil
	}
	last := p.Offsets.Last()
	if last > 0 && basics.PlanBefore(p, last) < 0 && !basics.Continuous(p) {
		f := checks.Finding{Evidence: fmt.Sprintf("offsets/%d is the only plan, offsets/%d is not there", last, last-1)}
		wordNeeded(p, basics.Span{First: last - 1, Last: last - 1}, &f)
		p.Report(f)
	}
	for _, hole := range basics.Holes(slices.Collect(p.Offsets.IDs())) {
		f := checks.Finding{Severity: checks.High, Batch: hole.First, Where: decode.Where{File: fmt.Sprintf("offsets/%d", hole.First)}}
		f.Evidence = fmt.Sprintf("offsets/%d and offsets/%d are there, %s between them %s not", hole.First-1, hole.Last+1, hole.In("offsets"), hole.Verb())
		if hole.Last == last-1 && !basics.Continuous(p) {
			wordNeeded(p, hole, &f)
		}
		p.Report(f)
	}
	return nil
}

// wordNeeded words the hole just below the newest plan.
func wordNeeded(p *checks.Pass, hole basics.Span, f *checks.Finding) {
	last := p.Offsets.Last()
	f.Severity = checks.Critical
	f.Batch = hole.Last
	f.Where.File = fmt.Sprintf("offsets/%d", hole.Last)
	f.Meaning = fmt.Sprintf(`A start needs the newest plan, offsets/%d, and the one before it, offsets/%d: the first says where the batch
ends, the second where it starts. Without it Spark refuses ("batch %d doesn't exist"). A lost write, files that were removed
or not copied, and two runs of the query at once all leave this behind.`, last, hole.Last, hole.Last)
	f.NextStep = fmt.Sprintf(`Look for offsets/%d in a backup or among older versions of the object, and put it back.`, hole.Last)
	if before := hole.First - 1; p.Offsets.Find(before) != nil && p.Commits.Find(last) == nil && p.Commits.Last() == before {
		f.NextStep += fmt.Sprintf(` If there is none: %sThen look in the sink for output of batch %d and later, because it would be written
again, and move offsets/%d aside. The newest plan is then offsets/%d, which is committed, and the query plans batch %d anew.`,
			basics.LowerFirst(basics.CopyFirst), hole.First, last, before, hole.First)
	}
}
