package sources

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// ---- what the batches read

// timesOf works out what batches read, part by part. It yields once, at the end, what could be read. The
// first batch is only where the second one begins.
func timesOf(ctx context.Context, cp *checkpoint.Checkpoint, ids []int64) iter.Seq2[*sourceTimes, error] {
	return func(yield func(*sourceTimes, error) bool) {
		var all []*checkpoint.Batch
		var stop error
		for b, err := range cp.BatchesOf(ctx, slices.Values(ids)) {
			if err != nil {
				stop = err
				break
			}
			all = append(all, b)
		}
		if !yield(newTimes(all), nil) || stop == nil {
			return
		}
		yield(nil, stop)
	}
}

func newTimes(all []*checkpoint.Batch) *sourceTimes {
	t := &sourceTimes{}
	first := min(1, max(len(all)-1, 0))
	for _, b := range all[first:] {
		t.batches = append(t.batches, b.ID)
	}
	for i := first; i < len(all); i++ {
		var before, after *checkpoint.Batch
		if i > 0 {
			before = all[i-1]
		}
		if i+1 < len(all) {
			after = all[i+1]
		}
		t.add(i-first, all[i], checkpoint.Reads(before, all[i], after))
	}
	for i := range t.sources {
		t.sources[i].sum(len(t.batches))
	}
	return t
}

// add takes in what one batch reads.
func (t *sourceTimes) add(column int, b *checkpoint.Batch, reads [][]source.Range) {
	for i, ranges := range reads {
		if i == len(t.sources) {
			t.sources = append(t.sources, sourceTime{index: i, known: map[string]int{}})
		}
		s := &t.sources[i]
		o := &b.Plan.Sources[i]
		s.title = kit.Safe(page.SourceName(i, o.Name, o.KindNames()))
		for _, r := range ranges {
			at, have := s.known[r.Part]
			if !have {
				at = len(s.parts)
				s.known[r.Part] = at
				s.parts = append(s.parts, partTime{name: r.Part, position: "–", amount: "–", reads: slices.Repeat([]int64{-1}, len(t.batches))})
			}
			s.parts[at].add(column, r)
			if r.Counted {
				s.unit = r.Unit
			}
			if column == len(t.batches)-1 {
				s.amount.Add(r)
			}
		}
	}
}

func (p *partTime) add(column int, r source.Range) {
	if at := cmp.Or(r.To, r.From); at != nil {
		p.position = kit.Safe(at.Text)
	}
	if r.Counted && r.Count >= 0 {
		p.reads[column] = r.Count
	}
	if newest := len(p.reads)-1 == column; newest {
		p.amount, p.gone = phrase.Amount(r), r.To == nil && r.From != nil && !r.Counted
	}
	if r.From != nil && r.To != nil && r.From.Text == r.To.Text {
		p.idle++
	} else {
		p.idle = 0
	}
}

// sum works out what the newest of n batches reads of the source.
func (s *sourceTime) sum(n int) {
	s.counted = len(s.parts) > 0
	for i := range s.parts {
		p := &s.parts[i]
		if v := p.reads[n-1]; v >= 0 {
			s.total += v
		} else if !p.gone {
			s.counted = false
		}
		if p.idle >= idleFrom {
			s.idle++
		}
	}
}

// skew is how many times the mean the fullest part reads in the newest batch; 0 where that means nothing.
func (s *sourceTime) skew() (times float64, fullest *partTime) {
	if !s.counted || s.total == 0 || len(s.parts) < 2 {
		return 0, nil
	}
	for i := range s.parts {
		if p := &s.parts[i]; fullest == nil || p.count() > fullest.count() {
			fullest = p
		}
	}
	return float64(fullest.count()) * float64(len(s.parts)) / float64(s.total), fullest
}
