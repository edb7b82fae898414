package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
)

// inquiry is one probe of a cluster: what is asked, and what was answered.
type inquiry struct {
	*Cluster
	client  *kgo.Client
	sources []*asked
	topics  map[string]*topic // by name; all that a source reads
	err     error             // why the probe ended early; nil where it did not
}

// asked is a source that reads from Kafka.
type asked struct {
	availability.SourceProgress
	topics  []string                // that it reads, in order; those of its pattern are added as they are found
	parts   []string                // that the newest plan has and that the spec assigns: "orders/3"; some may occur twice
	pattern func(topic string) bool // says of a topic that it matches the one to which it subscribes; nil for none
	unseen  []string
}

// topic is what the cluster says of one.
type topic struct {
	name       string
	id         [16]byte
	err        error // why nothing is known of it; kerr.UnknownTopicOrPartition where it does not exist
	partitions map[int32]*partition
	retention
}

// partition is what the cluster says of one.
type partition struct {
	number                   int32
	err                      error // why not all is known of it
	earliest, latest, stable int64 // -1 where not known

	// later is the first offset whose record is at least as late as a time, and laterTime what that record says; -1
	// where there is none, unknown where it was not asked.
	later, laterTime int64

	written int64 // ms since the epoch: the record at the recorded position was not written before; 0 where not known
	aged    bool  // the records at the recorded position are older than the topic keeps records
}

const unknown = -1

// open prepares a probe of the topics of all sources that Kafka may have; q is nil where there is none.
func (c *Cluster) open(recorded []availability.SourceProgress) (q *inquiry, all []*asked, err error) {
	for _, r := range recorded {
		if isKafka(&r) {
			all = append(all, newAsked(r))
		}
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	client, err := kgo.NewClient(c.opts...)
	if err != nil {
		return nil, nil, err
	}
	return &inquiry{Cluster: c, client: client, sources: all, topics: map[string]*topic{}}, all, nil
}

func (q *inquiry) close() { q.client.Close() }

// isKafka reports whether the positions of a source have the shape that Kafka's have.
func isKafka(r *availability.SourceProgress) bool {
	if r.Kind != nil {
		return r.Kind.Topics
	}
	return r.Declared != nil && availability.Of(source.ByName(r.Declared.Kind)).Ask == availability.AskBrokers
}

// newAsked gathers the topics that a source reads.
func newAsked(r availability.SourceProgress) *asked {
	s := &asked{SourceProgress: r}
	names := map[string]bool{}
	for _, o := range []source.Offset{r.From, r.To} {
		for i := range o.Parts {
			if name, _, ok := splitPart(o.Parts[i].Name); ok {
				names[name] = true
				s.parts = append(s.parts, o.Parts[i].Name)
			}
		}
	}
	if d := r.Declared; d != nil {
		sub, _, err := d.Subscription()
		if err != nil {
			s.unseen = append(s.unseen, fmt.Sprintf("not checked: topics matching %.80q (a Java pattern tidemark cannot parse)", d.Pattern))
		}
		if sub.Pattern() {
			s.pattern = sub.ReadsTopic
		}
		for _, name := range sub.Named() {
			names[name] = true
		}
		for _, t := range sub.Assign {
			for _, n := range t.Partitions {
				s.parts = append(s.parts, t.Topic+"/"+strconv.FormatInt(n, 10))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if isTopicName(name) {
			s.topics = append(s.topics, name)
		} else {
			s.unseen = append(s.unseen, fmt.Sprintf("not checked: %.80q (not a valid Kafka topic name)", name))
		}
	}
	return s
}

// partName returns "orders/0" for a topic and a partition.
func partName(topic string, number int32) string { return topic + "/" + strconv.Itoa(int(number)) }

// splitPart returns the topic and the partition of "orders/0".
func splitPart(part string) (topic string, number int32, ok bool) {
	topic, n := availability.CutPart(part)
	return topic, int32(n), n >= 0 && n <= math.MaxInt32
}

// isTopicName reports whether a topic may have this name (Topic.validate of the Kafka clients). Others are never sent:
// a checkpoint may hold anything.
func isTopicName(name string) bool {
	return name != "" && len(name) <= 249 && name != "." && name != ".." &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// probe asks for all that is told of the sources. What is not known after an error is not known; err of the inquiry
// says why. The error that is returned means that no more is to be asked of anybody. nil: no source is Kafka's.
func (c *Cluster) probe(ctx context.Context, recorded []availability.SourceProgress) (*inquiry, error) {
	q, _, err := c.open(recorded)
	if q == nil {
		return nil, err
	}
	defer q.close()
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rounds := []func(context.Context) error{
		q.metadata,
		func(ctx context.Context) error { return q.offsets(ctx, firstOffset) },
		func(ctx context.Context) error { return q.offsets(ctx, nextOffset) },
		func(ctx context.Context) error { return q.offsets(ctx, stableOffset) },
		q.settings,
		q.findRecreated,
		q.findWritten,
	}
	for _, round := range rounds {
		if err := round(limited); err != nil {
			q.err = q.words(err)
			return q, q.stop(ctx, err)
		}
	}
	return q, nil
}

// stop returns the error after which nobody is to be asked any more; nil where only this cluster does not answer.
func (q *inquiry) stop(ctx context.Context, err error) error {
	if limit, ok := errors.AsType[*limitError](err); ok {
		return limit.error
	}
	return ctx.Err()
}

// limitError is the error of Options.May.
type limitError struct{ error }

func (e *limitError) Unwrap() error { return e.error }

// may asks before each round whether it is allowed.
func (q *inquiry) may(ctx context.Context) error {
	if q.o.May != nil {
		if err := q.o.May(); err != nil {
			return &limitError{err}
		}
	}
	return ctx.Err()
}

// metadata asks which partitions the topics have, and which topics match a pattern.
func (q *inquiry) metadata(ctx context.Context) error {
	var names []string
	patterns := false
	for _, s := range q.sources {
		names = append(names, s.topics...)
		patterns = patterns || s.pattern != nil
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 {
		req := kmsg.NewPtrMetadataRequest()
		for _, name := range names {
			t := kmsg.NewMetadataRequestTopic()
			t.Topic = kmsg.StringPtr(name)
			req.Topics = append(req.Topics, t)
		}
		if err := q.topicsOf(ctx, req, func(string) bool { return true }); err != nil {
			return err
		}
	}
	if !patterns {
		return nil
	}
	err := q.topicsOf(ctx, kmsg.NewPtrMetadataRequest(), func(name string) bool {
		return slices.ContainsFunc(q.sources, func(s *asked) bool { return s.matches(name) })
	})
	for _, s := range q.sources {
		for _, name := range slices.Sorted(maps.Keys(q.topics)) {
			if s.matches(name) && !slices.Contains(s.topics, name) {
				s.topics = append(s.topics, name)
			}
		}
		slices.Sort(s.topics)
	}
	return err
}

func (s *asked) matches(name string) bool {
	return s.pattern != nil && s.pattern(name) && isTopicName(name)
}

// topicsOf takes the topics of an answer that are wanted. Without names in it, a request is for all topics.
func (q *inquiry) topicsOf(ctx context.Context, req *kmsg.MetadataRequest, wanted func(string) bool) error {
	if err := q.may(ctx); err != nil {
		return err
	}
	var resp *kmsg.MetadataResponse
	var err error
	if req.Topics == nil {
		resp, err = req.RequestWith(ctx, q.client)
	} else {
		resp, err = q.client.RequestCachedMetadata(ctx, req, 0) // ListOffsets looks into the same cache for leaders
	}
	if err != nil {
		return err
	}
	for i := range resp.Topics {
		t := &resp.Topics[i]
		if t.Topic == nil || !wanted(*t.Topic) || q.topics[*t.Topic] != nil {
			continue
		}
		got := &topic{name: *t.Topic, id: t.TopicID, err: kerr.ErrorForCode(t.ErrorCode), partitions: map[int32]*partition{}}
		for _, p := range t.Partitions {
			got.partitions[p.Partition] = newPartition(p.Partition, partitionError(p.ErrorCode))
		}
		q.topics[got.name] = got
	}
	return nil
}

// newPartition makes a partition of which no offset is known.
func newPartition(number int32, err error) *partition {
	return &partition{number: number, err: err, earliest: unknown, latest: unknown, stable: unknown, later: unknown, laterTime: unknown}
}

// question is one round of ListOffsets.
type question struct {
	isolation int8
	at        func(*topic, *partition) (time int64, asked bool) // a time in ms since the epoch, or one of the special ones
	take      func(p *partition, offset, time int64)
}

// The special times of ListOffsets.
const (
	endOfLog   = -1
	startOfLog = -2
)

var (
	firstOffset  = question{0, special(startOfLog), func(p *partition, offset, _ int64) { p.earliest = offset }}
	nextOffset   = question{0, special(endOfLog), func(p *partition, offset, _ int64) { p.latest = offset }}
	stableOffset = question{1, special(endOfLog), func(p *partition, offset, _ int64) { p.stable = offset }}
)

// takeLater takes the first offset at a time, and what its record says.
func takeLater(p *partition, offset, time int64) { p.later, p.laterTime = offset, time }

// special asks all partitions for one time.
func special(time int64) func(*topic, *partition) (int64, bool) {
	return func(*topic, *partition) (int64, bool) { return time, true }
}

// offsets asks one question of all partitions that are known and wanted.
func (q *inquiry) offsets(ctx context.Context, x question) error {
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID, req.IsolationLevel = -1, x.isolation
	for _, name := range slices.Sorted(maps.Keys(q.topics)) {
		t := q.topics[name]
		rt := kmsg.NewListOffsetsRequestTopic()
		rt.Topic = name
		for _, n := range slices.Sorted(maps.Keys(t.partitions)) {
			at, wanted := x.at(t, t.partitions[n])
			if t.err != nil || t.partitions[n].err != nil || !wanted {
				continue
			}
			rp := kmsg.NewListOffsetsRequestTopicPartition()
			rp.Partition, rp.Timestamp, rp.CurrentLeaderEpoch = n, at, -1
			rt.Partitions = append(rt.Partitions, rp)
		}
		if len(rt.Partitions) > 0 {
			req.Topics = append(req.Topics, rt)
		}
	}
	if len(req.Topics) == 0 {
		return nil
	}
	if err := q.may(ctx); err != nil {
		return err
	}
	shards, failed := q.client.RequestSharded(ctx, req), 0
	for _, shard := range shards {
		if shard.Err != nil {
			failed++
			q.shardFailed(shard)
			continue
		}
		for _, t := range shard.Resp.(*kmsg.ListOffsetsResponse).Topics {
			for _, p := range t.Partitions {
				q.answered(t.Topic, &p, x)
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == len(shards) && failed > 0:
		return shards[0].Err
	}
	return nil
}

// answered takes the answer about one partition.
func (q *inquiry) answered(name string, a *kmsg.ListOffsetsResponseTopicPartition, x question) {
	t := q.topics[name]
	if t == nil || t.partitions[a.Partition] == nil {
		return // nobody asked
	}
	p := t.partitions[a.Partition]
	if err := partitionError(a.ErrorCode); err != nil {
		p.err = err
		return
	}
	x.take(p, max(a.Offset, unknown), max(a.Timestamp, unknown))
}

// shardFailed notes that a broker did not answer, or that the leader of partitions is not known: all else is.
func (q *inquiry) shardFailed(shard kgo.ResponseShard) {
	for _, t := range shard.Req.(*kmsg.ListOffsetsRequest).Topics {
		for _, p := range t.Partitions {
			if known := q.topics[t.Topic]; known != nil && known.partitions[p.Partition] != nil {
				known.partitions[p.Partition].err = shard.Err
			}
		}
	}
}

// partitionError returns the error of a partition; that a replica is down is none.
func partitionError(code int16) error {
	if err := kerr.ErrorForCode(code); err != nil && err != kerr.ReplicaNotAvailable {
		return err
	}
	return nil
}

// at asks which offset belongs to a time, and for the head.
func (q *inquiry) at(ctx context.Context, t time.Time) error {
	if err := q.metadata(ctx); err != nil {
		return err
	}
	if err := q.offsets(ctx, nextOffset); err != nil {
		return err
	}
	return q.offsets(ctx, question{0, special(max(t.UnixMilli(), 0)), takeLater})
}
