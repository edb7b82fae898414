package logs

import (
	"cmp"
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// How long a watermark must not advance before it is reported. Event times may be whole minutes, and
// batches follow each other within seconds, so both count: batches that read something, and time.
const (
	stuckBatches = 8
	stuckFor     = 5 * 60 * 1000 // ms between the first and the last of them
)

// watermarkPolicy is min (the default) or max: which of several inputs the watermark follows.
const watermarkPolicy = "spark.sql.streaming.multipleWatermarkPolicy"

var WatermarkStuck = &checks.Check{
	Code:     "watermark-stuck",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "the watermark does not advance although data arrives",
	Meaning: `The watermark is the latest event time seen, minus the delay. While it does not advance, windows stay open,
nothing is evicted, and state grows. With several sources and the policy min, a source without new rows holds it back.
Otherwise event times do not advance, or one row far ahead moved the watermark where the others are not yet.`,
	NextStep: `Check the event times of the newest rows of each source. If one source is idle by nature: send heartbeats
through it, or remove it from the query. The policy is fixed at the first batch and cannot change for this checkpoint.`,
	Avoid: `Do not delete state to free space: the results of open windows would be lost.`,
	Walk:  walkWatermarkStuck,
}

// standstill is the run of newest batches with one watermark.
type standstill struct {
	watermark   int64
	first, last *checkpoint.Batch
	batches     int
	read        int // batches after the first in which some source moved
	moved       map[string]bool
}

func walkWatermarkStuck(p *checks.Pass) checks.Walker {
	m := basics.FollowSources(p)
	var run standstill
	return checks.Walker{
		Batch: func(_, b *checkpoint.Batch) {
			steps := m.Step(b)
			if b.Plan == nil || !b.Plan.HasMetadata {
				return
			}
			if run.first == nil || b.Plan.Watermark != run.watermark {
				run = standstill{watermark: b.Plan.Watermark, first: b, last: b, batches: 1, moved: map[string]bool{}}
				return
			}
			run.last = b
			run.batches++
			read := false
			for _, s := range steps {
				if !basics.SamePositions(s.From, s.To) && !s.To.None {
					read, run.moved[s.Key] = true, true
				}
			}
			if read {
				run.read++
			}
		},
		Done: func(whole bool) {
			if whole {
				run.report(p)
			}
		},
	}
}

func (r *standstill) report(p *checks.Pass) {
	if r.first == nil || r.watermark <= 0 || r.read < stuckBatches || aheadOfClock(r.watermark, r.last.Plan.Timestamp) {
		return
	}
	from, to := r.first.Plan.Timestamp, r.last.Plan.Timestamp
	if from == 0 || to-from < stuckFor {
		return
	}
	policy := cmp.Or(r.last.Plan.Conf[watermarkPolicy], "min")
	var idle, busy []string
	for i, o := range r.last.Plan.InOrder() {
		key := basics.SourceKey(i, o)
		if r.moved[key] {
			busy = append(busy, basics.SourceWords(key, o)+idleParts(basics.SourceNamed(r.first.Plan, key), o))
		} else {
			idle = append(idle, basics.SourceWords(key, o))
		}
	}
	f := checks.Finding{Severity: checks.Medium, Batch: r.first.ID, Where: decode.Where{File: r.first.Plan.File, Line: 2},
		Evidence: fmt.Sprintf("the watermark is %s in offsets/%d to offsets/%d (%d batches, %s); new data in %d of them: %s moved",
			basics.Stamp(r.watermark), r.first.ID, r.last.ID, r.batches, basics.Duration(to-from), r.read, strings.Join(busy, ", "))}
	if len(idle) > 0 {
		f.Evidence += fmt.Sprintf("; %s did not; policy %s", strings.Join(idle, ", "), policy)
		if policy == "min" {
			f.Title = "the watermark does not advance, and a source is idle"
		}
	}
	p.Report(f)
}

// idleParts names the parts of a source that moved which themselves did not; "" where all did.
func idleParts(from, to source.Offset) string {
	find := basics.PartFinder(from)
	var idle []string
	for i, part := range to.Parts {
		if at, ok := find(i, part.Name); ok && part.Name != "" && at.Text == part.Position.Text {
			idle = append(idle, part.Name)
		}
	}
	if len(idle) == 0 || len(idle) == len(to.Parts) {
		return ""
	}
	return ", all but " + strings.ReplaceAll(phrase.Clauses(idle, 8), ";", ",") + ","
}
