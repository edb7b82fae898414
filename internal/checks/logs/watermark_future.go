package logs

import (
	"fmt"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// How far a watermark may be ahead of the clock. Clocks differ by minutes and a wrong time zone by
// hours; a day is no clock any more.
const (
	ahead    = int64(time.Hour / time.Millisecond)
	farAhead = int64(24 * time.Hour / time.Millisecond)
)

// aheadOfClock reports whether a watermark lies more than an hour after the time of its batch, both ms
// since the epoch.
func aheadOfClock(watermark, clock int64) bool { return clock > 0 && watermark-clock > ahead }

var WatermarkFuture = &checks.Check{
	Code:     "watermark-future",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	Title:    "the watermark is ahead of the clock",
	Meaning: `A row had an event time in the future, and the watermark followed it. A watermark never decreases: until the
clock catches up, rows with correct times are late and dropped. Earlier windows stay closed. Likely causes: a wrong unit
(seconds, milliseconds, microseconds), a wrong time zone, or a wrong clock at the sender. A query over future events has such
a watermark by design.`,
	NextStep: `Find the row: it was read in the batch before the one named here. In the query's code, filter future event
times before the watermark. Dropped rows can only be read again with a new checkpoint.`,
	Avoid: `Do not lower the watermark in the log by hand: the state of the earlier windows is already evicted.`,
	Walk: func(p *checks.Pass) checks.Walker {
		var first, last *checkpoint.Batch // of the run of newest batches that are ahead
		return checks.Walker{
			Batch: func(_, b *checkpoint.Batch) {
				switch {
				case b.Plan == nil || !b.Plan.HasMetadata:
				case !aheadOfClock(b.Plan.Watermark, b.Plan.Timestamp):
					first, last = nil, b
				default:
					last = b
					if first == nil {
						first = b
					}
				}
			},
			Done: func(bool) { toldAhead(p, first, last) },
		}
	},
}

// toldAhead reports the newest watermark where it is ahead: that of the newest plan, or the one that
// its commit hands on to the next batch.
func toldAhead(p *checks.Pass, first, last *checkpoint.Batch) {
	if last == nil {
		return
	}
	watermark, clock := last.Plan.Watermark, last.Plan.Timestamp
	at := decode.Where{File: last.Plan.File, Line: 2}
	if first != nil {
		at.File = first.Plan.File
	} else if last.Commit != nil && aheadOfClock(last.Commit.NextWatermark, clock) {
		first, watermark = last, last.Commit.NextWatermark
		at.File = last.Commit.File
	} else {
		return
	}
	severity := checks.Medium
	if watermark-clock > farAhead {
		severity = checks.High
	}
	banner := ""
	if next := p.Restart.Watermark; next != 0 {
		banner = fmt.Sprintf("rows before %s will be dropped as late", phrase.Time(next))
	}
	p.Report(checks.Finding{Severity: severity, Batch: first.ID, Where: at, Banner: banner,
		Evidence: fmt.Sprintf("since batch %d: the watermark is %s and batch %d was planned at %s, %s earlier", first.ID, basics.Stamp(watermark), last.ID, basics.Stamp(clock), farFrom(watermark-clock))})
}

// farFrom is a length of time in ms for people; what is longer than a century is no time any more.
func farFrom(ms int64) string {
	const year = 365 * 24 * 3600 * 1000
	if ms > 100*year {
		return "more than a hundred years"
	}
	return basics.Duration(ms)
}
