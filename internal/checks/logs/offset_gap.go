package logs

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var OffsetGap = &checks.Check{
	Code:     "offset-gap",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	OnlyIf:   "no other run uses this checkpoint",
	Title:    "an offset file is missing between two others",
	Meaning: `Spark plans batches one after the other, so this offset file existed, or its write was lost. Likely causes: a
cleanup, an incomplete copy, a storage fault, or two runs of the query at once. A restart reads only the two newest offset
files, so this gap does not stop it. What each missing batch read is no longer recorded.`,
	NextStep: `Find out what removed the file before you restart: check object versions or a backup, and look for a job or
second run that uses this folder.`,
	Avoid: `Do not invent the missing file or start a new checkpoint: what the query read would be read again.`,
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
		f := checks.Finding{Evidence: fmt.Sprintf("offsets/%d is the only offset file; offsets/%d is missing", last, last-1)}
		wordNeeded(p, basics.Span{First: last - 1, Last: last - 1}, &f)
		p.Report(f)
	}
	for _, hole := range basics.Holes(slices.Collect(p.Offsets.IDs())) {
		f := checks.Finding{Severity: checks.High, Batch: hole.First, Where: decode.Where{File: fmt.Sprintf("offsets/%d", hole.First)}}
		f.Evidence = fmt.Sprintf("offsets/%d and offsets/%d exist, %s between them %s missing", hole.First-1, hole.Last+1, hole.In("offsets"), hole.Verb())
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
	f.Meaning = fmt.Sprintf(`A restart needs the newest offset file, offsets/%d, and the one before it, offsets/%d. The first
has the end offsets of the batch, the second its start offsets. Without both, Spark will fail. Likely causes: a lost write,
files removed or not copied, or two runs of the query at once.`, last, hole.Last)
	if !p.Spark.AtLeast(spark.Version{Major: 2, Minor: 3}) {
		f.Meaning = fmt.Sprintf(`A batch starts where the offset file before it ends. Spark %s does not need that file: if batch %d is not
committed, it silently reads every source from its beginning. Likely causes: a lost write, files removed or not copied, or two runs of the
query at once.`, p.Spark, last)
	}
	f.NextStep = fmt.Sprintf(`Look for offsets/%d in object versions or a backup, and put it back.`, hole.Last)
	if before := hole.First - 1; p.Offsets.Find(before) != nil && p.Commits.Find(last) == nil && p.Commits.Last() == before {
		f.NextStep += fmt.Sprintf(` If it is not found: %sThen check the sink for rows of batch %d and later, and set
offsets/%d aside. The newest offset file is then offsets/%d, which is committed. Spark plans batch %d again and writes its
rows again.`,
			basics.LowerFirst(basics.CopyFirst), hole.First, last, before, hole.First)
	}
}
