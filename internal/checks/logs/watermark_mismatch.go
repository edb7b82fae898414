package logs

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var comparedCommits = checks.Comparison{Short: "commit watermarks", One: "commit with the watermark of the next batch", Many: "commits with the watermark of the next batch"}

var WatermarkMismatch = &checks.Check{
	Code:     "watermark-mismatch",
	Severity: checks.Medium,
	Question: checks.Intact,
	Damage:   checks.Altered,
	Title:    "a commit and the next offset file have different watermarks",
	Meaning: `A commit records the watermark of the next batch, and the next offset file repeats it. These two differ, so at
least one is not from this run: changed by hand, put back from a backup, or written by a second run. If the watermark is too
high, rows in time count as late and are dropped silently. If it is too low, windows already emitted can be emitted again.`,
	NextStep: basics.CopyFirst + `Compare both files with a backup and with the progress events in the driver log. Check the
sink for windows that are missing or duplicated from this batch on.`,
	Avoid: `Do not change the number in either file before you know which one is wrong: rows could be dropped or windows
repeated.`,
	Walk: walkWatermarkMismatch,
}

// walkWatermarkMismatch holds each commit against the plan after it, and against its own plan.
//
// MicroBatchExecution: as a batch ends, WatermarkTracker.currentWatermark goes into its commit, and as the next is constructed into that
// plan.
// A start sets the tracker to the watermark of the newest plan or, where that is committed, the greater of the two. How several
// watermarks are made one (the policy) is done before; batches without data are planned and committed as others are. Commits of 2.2
// and 2.3 record no watermark, plans of continuous processing neither. A batch of an offline change of partitions copies the plan before
// it.
func walkWatermarkMismatch(p *checks.Pass) checks.Walker {
	compared := 0
	var lower, other repeated // of what the next start does not read, each reported once
	return checks.Walker{
		Batch: func(before, b *checkpoint.Batch) {
			if c := b.Commit; watermarked(b) && c != nil && c.HasWatermark && c.NextWatermark < b.Plan.Watermark {
				lower.add(checks.Finding{Severity: checks.Medium, Batch: b.ID, Where: decode.Where{File: c.File, Line: 2},
					Evidence: fmt.Sprintf("%s gives the next batch %s, but batch %d itself had %s", c.File, basics.Stamp(c.NextWatermark), b.ID, basics.Stamp(b.Plan.Watermark)),
					Title:    "a commit has a lower watermark than its own batch",
					Meaning: `Spark never lowers a watermark, so this commit or its offset file is not what Spark wrote. A
restart takes the higher of the two. If the commit is wrong, its number does no harm.`})
			}
			if before == nil || before.ID != b.ID-1 || before.Commit == nil || !before.Commit.HasWatermark || !watermarked(b) ||
				b.Plan.Control != "" {
				return
			}
			compared++
			want := before.Commit.NextWatermark
			if watermarked(before) {
				want = max(want, before.Plan.Watermark)
			}
			if b.Plan.Watermark == want {
				return
			}
			f := checks.Finding{Severity: checks.Medium, Batch: b.ID, Where: decode.Where{File: b.Plan.File, Line: 2},
				Evidence: fmt.Sprintf("%s has the watermark %s, but %s gave it %s", b.Plan.File, watermarkText(b.Plan.Watermark), before.Commit.File, watermarkText(want))}
			if b.ID == p.Offsets.Last() {
				f.Severity = checks.High
				f.Evidence += "; a restart uses the one in the offset file"
				p.Report(f)
				return
			}
			other.add(f)
		},
		Done: func(bool) {
			lower.report(p)
			other.report(p)
			p.Crosschecked(comparedCommits, compared)
		},
	}
}

// repeated is a finding that holds of many batches.
type repeated struct {
	checks.Finding       // of the first of them
	more           int64 // how many there are besides
	last           int64 // the newest of them
}

func (r *repeated) add(f checks.Finding) {
	if r.Where.File == "" {
		r.Finding = f
		return
	}
	r.more, r.last = r.more+1, f.Batch
}

// report tells of it once, and of how many batches it holds; of none it tells nothing.
func (r *repeated) report(p *checks.Pass) {
	if r.Where.File == "" {
		return
	}
	if r.more > 0 {
		r.Evidence += fmt.Sprintf("; the same in %d later %s, the newest is %d", r.more, map[bool]string{true: "batch", false: "batches"}[r.more == 1], r.last)
	}
	p.Report(r.Finding)
}

// watermarked reports whether the plan of a batch has a watermark that reads, 0 included.
func watermarked(b *checkpoint.Batch) bool {
	if b.Plan == nil || !b.Plan.HasMetadata {
		return false
	}
	return !b.Plan.Has(decode.Value, decode.Malformed, decode.Cut, decode.Blank, decode.NotObject, decode.Inexact)
}

// watermarkText is a watermark for people; 0 is none yet.
func watermarkText(ms int64) string {
	if ms == 0 {
		return "0 (none yet)"
	}
	return basics.Stamp(ms)
}
