package checks

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
)

var offsetGap = &Check{
	Code:     "offset-gap",
	Severity: Critical,
	Question: Intact,
	Damage:   Broken,
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

func runOffsetGap(_ context.Context, p *Pass) error {
	if !listed(p) {
		return nil
	}
	if asyncHoles(p) {
		return nil
	}
	last := p.Offsets.Last()
	if last > 0 && planBefore(p, last) < 0 && !continuous(p) {
		f := Finding{Evidence: fmt.Sprintf("offsets/%d is the only plan, offsets/%d is not there", last, last-1)}
		wordNeeded(p, span{last - 1, last - 1}, &f)
		p.Report(f)
	}
	for _, hole := range holes(slices.Collect(p.Offsets.IDs())) {
		f := Finding{Severity: High, Batch: hole.first, Where: decode.Where{File: fmt.Sprintf("offsets/%d", hole.first)}}
		f.Evidence = fmt.Sprintf("offsets/%d and offsets/%d are there, %s between them %s not", hole.first-1, hole.last+1, hole.in("offsets"), hole.verb())
		if hole.last == last-1 && !continuous(p) {
			wordNeeded(p, hole, &f)
		}
		p.Report(f)
	}
	return nil
}

// wordNeeded words the hole just below the newest plan.
func wordNeeded(p *Pass, hole span, f *Finding) {
	last := p.Offsets.Last()
	f.Severity = Critical
	f.Batch = hole.last
	f.Where.File = fmt.Sprintf("offsets/%d", hole.last)
	f.Meaning = fmt.Sprintf(`A start needs the newest plan, offsets/%d, and the one before it, offsets/%d: the first says where the batch
ends, the second where it starts. Without it Spark refuses ("batch %d doesn't exist"). A lost write, files that were removed
or not copied, and two runs of the query at once all leave this behind.`, last, hole.last, hole.last)
	f.NextStep = fmt.Sprintf(`Look for offsets/%d in a backup or among older versions of the object, and put it back.`, hole.last)
	if before := hole.first - 1; p.Offsets.Find(before) != nil && p.Commits.Find(last) == nil && p.Commits.Last() == before {
		f.NextStep += fmt.Sprintf(` If there is none: %sThen look in the sink for output of batch %d and later, because it would be written
again, and move offsets/%d aside. The newest plan is then offsets/%d, which is committed, and the query plans batch %d anew.`,
			lowerFirst(copyFirst), hole.first, last, before, hole.first)
	}
}
