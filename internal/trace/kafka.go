package trace

import (
	"slices"
	"strings"
)

// What the Kafka source and its client say of partitions:
//
//	Partition orders-0's offset was changed from 1000 to 500, some data may have been missed
//	Cannot fetch records in [1000, 2000) (GroupId: …, TopicPartition: orders-0)
//	Cannot fetch offset 1000 (GroupId: …, TopicPartition: orders-0)
//	Offsets out of range with no configured reset policy for partitions: {orders-0=1000}
//	Fetch position FetchPosition{offset=1000, …} is out of range for partition orders-0
//	Set(orders-2, orders-3) are gone. Some data may have been missed
var (
	topicPartition = `([A-Za-z0-9._-]{1,249})-(\d{1,9})`
	partitionNamed = patternOf(`(?:TopicPartition: ?|[Pp]artitions?:? \{?)` + topicPartition + `(?:=(\d{1,18}))?`)
	partitionSet   = patternOf(`Set\(([^)]+)\)`)
	partitionGone  = patternOf(`^(?:.* )?((?:` + topicPartition + `(?:, )?)+) are gone`)
	onePartition   = patternOf(`^` + topicPartition + `$`)

	offsetChanged = patternOf(`offset was changed from (\d{1,18}) to (\d{1,18})`)
	offsetRange   = patternOf(`(?:records in(?: offset)?|offset range) \[(\d{1,18}), ?(\d{1,18})\)`)
	offsetFetched = patternOf(`(?:Cannot fetch offset|FetchPosition\{offset=|[Rr]equested offset|record for offset|Tried to fetch|seek to) ?(\d{1,18})`)
)

// parts adds the partitions of topics that a text names.
func (t *Trace) parts(text string) {
	from, to := offsetsIn(text)
	for _, m := range partitionNamed.FindAllStringSubmatch(text, placeLimit) {
		p := Part{m[1], 0, from, to}
		p.Partition, _ = number(m[2])
		if n, ok := number(m[3]); ok {
			p.From = n
		}
		t.part(p)
	}
	sets := partitionSet.FindAllStringSubmatch(text, placeLimit)
	sets = append(sets, partitionGone.FindAllStringSubmatch(text, 1)...)
	for _, set := range sets {
		for name := range strings.SplitSeq(set[1], ",") {
			if m := onePartition.FindStringSubmatch(strings.TrimSpace(name)); m != nil {
				n, _ := number(m[2])
				t.part(Part{m[1], n, -1, -1})
			}
		}
	}
}

// offsetsIn is the offset that a text says was asked for, and where it names a range, its end; -1 for none.
func offsetsIn(text string) (from, to int64) {
	from, to = -1, -1
	for _, re := range []*pattern{offsetChanged, offsetRange, offsetFetched} {
		if m := re.FindStringSubmatch(text); m != nil && from < 0 {
			from, _ = number(m[1])
			if re == offsetRange {
				to, _ = number(m[2])
			}
		}
	}
	return from, to
}

func (t *Trace) part(p Part) {
	i := slices.IndexFunc(t.Parts, func(q Part) bool { return q.Topic == p.Topic && q.Partition == p.Partition })
	switch {
	case i >= 0:
		if q := &t.Parts[i]; q.From < 0 || q.From == p.From && q.To < 0 {
			q.From, q.To = p.From, p.To
		}
	case len(t.Parts) < placeLimit:
		t.Parts = append(t.Parts, p)
	}
}
