package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// retention is how long a topic keeps its records, as its settings say.
type retention struct {
	told    bool
	err     error // why it was not told
	ms      int64 // retention.ms; -1 for no limit of time
	bytes   int64 // retention.bytes, of one partition; -1 for no limit
	cleanup string
}

// asked settings, by the names of TopicConfig.
const (
	retentionMs    = "retention.ms"
	retentionBytes = "retention.bytes"
	cleanupPolicy  = "cleanup.policy"
)

// settings asks how long the topics keep records. That a right is missing for it, or that the brokers do not know such
// questions (services that only speak Kafka's protocol), is no error: all else is known.
func (q *inquiry) settings(ctx context.Context) error {
	req := kmsg.NewPtrDescribeConfigsRequest()
	for _, name := range slices.Sorted(maps.Keys(q.topics)) {
		if q.topics[name].err != nil {
			continue
		}
		r := kmsg.NewDescribeConfigsRequestResource()
		r.ResourceType, r.ResourceName = kmsg.ConfigResourceTypeTopic, name
		r.ConfigNames = []string{retentionMs, retentionBytes, cleanupPolicy}
		req.Resources = append(req.Resources, r)
	}
	if len(req.Resources) == 0 {
		return nil
	}
	if err := q.may(ctx); err != nil {
		return err
	}
	for _, shard := range q.client.RequestSharded(ctx, req) {
		if shard.Err == nil {
			q.settingsOf(shard)
		}
	}
	return ctx.Err()
}

func (q *inquiry) settingsOf(shard kgo.ResponseShard) {
	for _, r := range shard.Resp.(*kmsg.DescribeConfigsResponse).Resources {
		t := q.topics[r.ResourceName]
		if t == nil || r.ResourceType != kmsg.ConfigResourceTypeTopic {
			continue
		}
		t.retention = retention{ms: -1, bytes: -1, err: kerr.ErrorForCode(r.ErrorCode)}
		for _, c := range r.Configs {
			if c.Value == nil {
				continue
			}
			n, err := strconv.ParseInt(*c.Value, 10, 64)
			switch {
			case c.Name == cleanupPolicy:
				t.cleanup = *c.Value
			case err != nil || n < -1:
			case c.Name == retentionMs:
				t.ms, t.told = n, true
			case c.Name == retentionBytes:
				t.bytes = n
			}
		}
	}
}

// deletes reports whether records go after a time at the latest, and are compacted by nothing.
func (r *retention) deletes() bool { return r.cleanup == "delete" }

// span returns how long a record is kept at least; 0 where that is not known, or where time is not what bounds it.
func (r *retention) span() time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	if !r.told || !r.deletes() || r.bytes >= 0 || r.ms < 0 || r.ms > most {
		return 0
	}
	return time.Duration(r.ms) * time.Millisecond
}

// words returns the settings as the topic has them, and what they mean.
func (r *retention) words() string {
	switch {
	case r.err != nil:
		return "the brokers did not return its retention"
	case !r.told:
		return "its retention is unknown"
	}
	var parts []string
	if r.cleanup != "" {
		text := cleanupPolicy + "=" + cut(r.cleanup)
		if strings.Contains(r.cleanup, "compact") {
			text += " (compaction removes older records of a key, so gaps between offsets are normal)"
		}
		parts = append(parts, text)
	}
	parts = append(parts, fmt.Sprintf("%s=%d (%s)", retentionMs, r.ms, span(r.ms)))
	limit := "no limit"
	if r.bytes >= 0 {
		limit = "a larger partition loses its oldest records earlier"
	}
	return strings.Join(append(parts, fmt.Sprintf("%s=%d (%s)", retentionBytes, r.bytes, limit)), ", ")
}

// span puts a number of milliseconds into words: "7 days".
func span(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case ms < 0:
		return "no limit"
	case ms > int64(1<<63-1)/int64(time.Millisecond):
		return "forever"
	case d >= 48*time.Hour:
		return trimmed(d.Hours()/24) + " days"
	case d >= 2*time.Hour:
		return trimmed(d.Hours()) + " hours"
	default:
		return d.String()
	}
}

func trimmed(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// findWritten looks for how old the records are at which the next start begins: a time before which they were not
// written. It halves the time that the topic keeps them, in a few rounds for all partitions at once; the broker
// answers by the times in the records, which rise with the offsets where producers have right clocks.
func (q *inquiry) findWritten(ctx context.Context) error {
	now := q.o.Now().UnixMilli()
	search := map[*partition]*bounds{}
	for _, s := range q.sources {
		for _, start := range s.startOffsets() {
			t, p := q.find(start.part)
			if p == nil || p.err != nil || t.span() == 0 || start.offset < p.earliest || start.offset >= p.latest || start.offset < 0 {
				continue
			}
			if p.later >= 0 && p.later <= start.offset && p.laterTime <= now+clockSkew.Milliseconds() {
				p.written = s.Time // it was written after the newest plan
				if p.later == start.offset {
					p.written = p.laterTime
				}
				continue
			}
			b := &bounds{position: start.offset, low: now - t.span().Milliseconds(), high: now, oldest: true}
			if other := search[p]; other != nil {
				b.position = min(b.position, other.position) // two sources read the same partition
			}
			search[p] = b
		}
	}
	for range searchRounds {
		if len(search) == 0 {
			return nil
		}
		err := q.offsets(ctx, question{0,
			func(_ *topic, p *partition) (int64, bool) { b := search[p]; return b.ask(), b != nil && !b.over },
			func(p *partition, offset, time int64) { search[p].take(offset, time, now) },
		})
		if err != nil {
			return err
		}
	}
	for p, b := range search {
		p.written, p.aged = b.written, b.aged
	}
	return nil
}

// searchRounds halve a retention of a week to eleven hours.
const searchRounds = 5

// bounds is the search for the time of one record.
type bounds struct {
	position  int64
	low, high int64 // ms since the epoch; the first question is about low
	oldest    bool  // it was not asked yet
	over      bool  // the times in the records are made up
	written   int64
	aged      bool
}

func (b *bounds) ask() int64 {
	switch {
	case b == nil:
		return 0
	case b.oldest:
		return max(b.low, 0)
	}
	return max(b.low+(b.high-b.low)/2, 0)
}

// take narrows the bounds by the first offset whose record is as late as what was asked.
func (b *bounds) take(offset, time, now int64) {
	asked := b.ask()
	early := offset >= 0 && offset <= b.position
	switch {
	case offset >= 0 && time > now+clockSkew.Milliseconds():
		b.over, b.written, b.aged = true, 0, false
	case b.oldest && !early:
		b.aged, b.high = true, b.low
	case offset == b.position && time > 0:
		b.written, b.low = max(b.written, time), max(asked, time)
	case early:
		b.written, b.low = max(b.written, asked), asked
	default:
		b.high = asked
	}
	b.oldest = false
}
