package kafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tidemark/internal/availability"
)

// clockSkew is how far the clocks of producers, brokers and the query may differ before a difference proves something.
const clockSkew = time.Minute

// A topic that was deleted and made again begins at offset 0 again. Nothing in a checkpoint tells the two apart, nor
// does a position that both have. But records before the position were read by a batch, so they were written before
// the batch was planned: where the oldest record that is left lies before the position and says that it was written
// after that, the offsets count from 0 again.

// partOffset is an offset in a part.
type partOffset struct {
	part   string
	offset int64
}

// startOffsets returns the offsets at which the next start begins to read.
func (s *asked) startOffsets() []partOffset {
	var all []partOffset
	for i := range s.From.Parts {
		all = append(all, partOffset{s.From.Parts[i].Name, s.From.Parts[i].Position.Num})
	}
	return all
}

// endOffsets returns the offsets up to which the newest plan reads.
func (s *asked) endOffsets() []partOffset {
	o := s.To
	if o.None {
		o = s.From
	}
	var all []partOffset
	for i := range o.Parts {
		all = append(all, partOffset{o.Parts[i].Name, o.Parts[i].Position.Num})
	}
	return all
}

// find returns a partition by the name of its part; nil where the cluster has none.
func (q *inquiry) find(part string) (*topic, *partition) {
	name, number, ok := splitPart(part)
	t := q.topics[name]
	if !ok || t == nil || t.err != nil {
		return nil, nil
	}
	return t, t.partitions[number]
}

// holdsBefore reports whether a partition still holds records before an offset; false where that is not known.
func (p *partition) holdsBefore(offset int64) bool {
	return p != nil && p.err == nil && p.earliest >= 0 && p.earliest < p.latest && p.earliest < offset
}

// findRecreated asks which record of each partition is the first that was written after the newest plan.
func (q *inquiry) findRecreated(ctx context.Context) error {
	after := map[*partition]int64{}
	for _, s := range q.sources {
		for _, r := range s.endOffsets() {
			if _, p := q.find(r.part); s.Time > 0 && p.holdsBefore(r.offset) {
				after[p] = max(after[p], s.Time+clockSkew.Milliseconds())
			}
		}
	}
	if len(after) == 0 {
		return nil
	}
	return q.offsets(ctx, question{0,
		func(_ *topic, p *partition) (int64, bool) { at, wanted := after[p]; return at, wanted },
		takeLater,
	})
}

// recreated returns the topics that were made again since the newest plan.
func (q *inquiry) recreated(s *asked) []availability.Created {
	type evidence struct {
		shown   *availability.Created
		against bool
	}
	byTopic := map[string]*evidence{}
	var order []string
	now := q.o.Now().UnixMilli()
	for _, r := range s.endOffsets() {
		t, p := q.find(r.part)
		if !p.holdsBefore(r.offset) {
			continue // nothing is left of what was read
		}
		e := byTopic[t.name]
		if e == nil {
			e = &evidence{}
			byTopic[t.name] = e
			order = append(order, t.name)
		}
		if p.later != p.earliest || p.laterTime <= s.Time+clockSkew.Milliseconds() || p.laterTime > now+clockSkew.Milliseconds() {
			e.against = true // it is as old as it should be, or its time is made up
			continue
		}
		if e.shown == nil || p.laterTime < e.shown.Time {
			e.shown = &availability.Created{Name: t.name, Time: p.laterTime,
				Shown: fmt.Sprintf("its oldest record, %d of %s, has the timestamp %s", p.earliest, r.part, utc(p.laterTime))}
		}
	}
	var all []availability.Created
	for _, name := range slices.Sorted(slices.Values(order)) {
		if e := byTopic[name]; e.shown != nil && !e.against {
			all = append(all, *e.shown)
		}
	}
	return all
}

func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05 UTC") }
