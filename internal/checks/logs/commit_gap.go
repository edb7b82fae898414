package logs

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var CommitGap = &checks.Check{
	Code:     "commit-gap",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Title:    "a batch has no commit although the query continued",
	Meaning: `Spark commits each batch before it plans the next one. So this commit was written and lost, or the batch never
completed; the files do not show which. Likely causes: a lost write, files removed or not copied, or two runs of the query at
once. A restart neither reads this commit nor re-runs the batch.`,
	NextStep: `Check the sink for rows of this batch. If the sink has them: restart; nothing else is needed. If the sink lacks
them: write them from the source in a separate run over exactly this range.`,
	Avoid: `Do not write the missing commit by hand: if the sink lacks the batch, its rows are lost.`,
	Run:   runCommitGap,
}

// commitGapRuns is how many runs of missing commits are reported one by one.
const commitGapRuns = 20

func runCommitGap(ctx context.Context, p *checks.Pass) error {
	if !basics.LogsListed(p) || basics.BeforeCommits(p) || len(uncommittedBelow(p, &p.Commits)) == 0 {
		return nil
	}
	// A running query may have committed between the two listings: look once more.
	commits := p.Dir(ctx, "commits")
	if commits.Err != nil {
		return commits.Err
	}
	gaps := basics.Runs(withoutCut(p, uncommittedBelow(p, &commits)))
	for i, gap := range gaps {
		if i == commitGapRuns {
			rest := basics.Span{First: gap.First, Last: gaps[len(gaps)-1].Last}
			f := commitGap(p, rest)
			f.Where.File = basics.LogName(&p.Commits, gap.First)
			f.Evidence = "also without a commit: batches " + phrase.List(basics.SpanNames(gaps[i:]), 10)
			p.Report(f)
			break
		}
		if err := reportCommitGap(ctx, p, gap); err != nil {
			return err
		}
	}
	return nil
}

// withoutCut leaves out what is reported as one cut of a copy: all commits, or their end.
func withoutCut(p *checks.Pass, ids []int64) []int64 {
	if p.Root.Err != nil || p.Sources.Err != nil || p.State.Err != nil || len(agedOut(p)) > 0 {
		return ids // no cut is reported then: see runPartialCopy
	}
	if p.Commits.Last() < 0 && !basics.Continuous(p) {
		return nil
	}
	cut, ok := cutCommits(p)
	return slices.DeleteFunc(ids, func(id int64) bool { return ok && slices.Contains(cut.missing, id) })
}

// uncommittedBelow are the planned batches without a commit that something newer is planned or
// committed after. A purge removes plans before commits, and may stop between the two: what lies
// below the oldest commit is no gap.
func uncommittedBelow(p *checks.Pass, commits *checkpoint.LogDir) []int64 {
	last, committed := p.Offsets.Last(), commits.Last()
	var ids []int64
	for id := range p.Offsets.IDs() {
		if id < commits.First() || id == last && committed < last || committed < id && basics.Continuous(p) {
			continue
		}
		ids = append(ids, id)
	}
	return basics.Except(ids, slices.Collect(commits.IDs()))
}

// commitGap is a finding of batches that have no commit. If the sink was read and has them, nothing need be decided.
func commitGap(p *checks.Pass, gap basics.Span) checks.Finding {
	f := checks.Finding{Severity: checks.High, Batch: gap.First, Where: decode.Where{File: fmt.Sprintf("commits/%d", gap.First)},
		OnlyIf: "the sink has the rows of " + gap.Batches()}
	if o := p.Sink; o != nil {
		switch o.Situation {
		case checks.InStep, checks.NotInSink, checks.Unacknowledged:
			f.Harmless = o.Highest >= p.Offsets.Last()-1
		}
	}
	return f
}

func reportCommitGap(ctx context.Context, p *checks.Pass, gap basics.Span) error {
	last, committed := p.Offsets.Last(), p.Commits.Last()
	f := commitGap(p, gap)
	f.Evidence = fmt.Sprintf("%s %s missing, although offsets/%d exists", gap.In("commits"), gap.Verb(), max(last, gap.Last))
	if committed > gap.Last {
		f.Evidence = fmt.Sprintf("%s %s missing, although commits/%d exists", gap.In("commits"), gap.Verb(), committed)
	}
	if committed < last && gap.Last == basics.PlanBefore(p, last) {
		f.Meaning = fmt.Sprintf(`Spark expects the newest commit to be at most one batch behind the newest offset file. A
restart logs a warning, re-runs only batch %d, and treats %s as done. Rows may be lost: nothing here proves that they reached
the sink. Likely causes: a lost commit, an incomplete copy, or two runs of the query at once.`, last, gap.Batches())
		f.NextStep = fmt.Sprintf(`Check the sink for rows of %s. If they are missing: %sThen set offsets/%d aside, so that
Spark re-runs the batch before it.`, gap.Batches(), basics.LowerFirst(basics.CopyFirst), last)
		if gap.Count() > 1 {
			f.NextStep = fmt.Sprintf(`Check the sink for rows of %s. If some are missing: %sThen set aside, in offsets, state
and source logs, all files newer than the first batch missing from the sink.`, gap.Batches(), basics.LowerFirst(basics.CopyFirst))
		}
	}
	text, err := covers(ctx, p, gap)
	if err != nil {
		return err
	}
	f.Evidence += text
	p.Report(f)
	return nil
}

// covers says what batches read, to follow other evidence: "; batches 92 … 96 cover orders/0 10100 to 10600". "" where that is not known.
func covers(ctx context.Context, p *checks.Pass, gap basics.Span) (string, error) {
	var from, to *checkpoint.Batch
	for b, err := range p.BatchesOf(ctx, slices.Values([]int64{gap.First - 1, gap.Last})) {
		if err != nil {
			return "", err
		}
		if b.ID == gap.Last {
			to = b
		} else {
			from = b
		}
	}
	text := basics.Reach(from.Plan, to.Plan)
	if text == "" {
		return "", nil
	}
	return fmt.Sprintf("; %s %s %s", gap.Batches(), map[bool]string{true: "covers", false: "cover"}[gap.Count() == 1], text), nil
}
