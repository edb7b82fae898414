package kafka

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
)

// The tests run against kfake, brokers in this process that speak the protocol of Kafka.

// planned is when the newest batch of every test was planned.
var planned = time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)

// now is ten minutes later.
func now() time.Time { return planned.Add(10 * time.Minute) }

// fake is a cluster and a client that may change it.
type fake struct {
	t *testing.T
	*kfake.Cluster
	client *kgo.Client
	mu     sync.Mutex
	asked  map[int16]int // requests by key, those of client aside
}

func newFake(t *testing.T, opts ...kfake.Opt) *fake {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(2)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &fake{t: t, Cluster: c, asked: map[int16]int{}}
}

// as has the changing client log in, or use TLS.
func (f *fake) as(opts ...kgo.Opt) *fake {
	f.t.Helper()
	client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(f.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics()}, opts...)...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(client.Close)
	f.client = client
	return f
}

// watch counts requests from now on.
func (f *fake) watch() {
	f.Control(func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.asked[r.Key()]++
		return nil, nil, false
	})
}

// keys are the kinds of requests since watch, by their numbers.
func (f *fake) keys() []int16 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.asked))
}

func (f *fake) request(r kmsg.Request) kmsg.Response {
	f.t.Helper()
	resp, err := f.client.Request(f.t.Context(), r)
	if err != nil {
		f.t.Fatal(err)
	}
	return resp
}

func (f *fake) create(topic string, partitions int32, settings ...string) {
	f.t.Helper()
	r := kmsg.NewPtrCreateTopicsRequest()
	rt := kmsg.NewCreateTopicsRequestTopic()
	rt.Topic, rt.NumPartitions, rt.ReplicationFactor = topic, partitions, 1
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		rt.Configs = append(rt.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: name, Value: &value})
	}
	r.Topics = append(r.Topics, rt)
	if resp := f.request(r).(*kmsg.CreateTopicsResponse); resp.Topics[0].ErrorCode != 0 {
		f.t.Fatalf("topic %s: error %d", topic, resp.Topics[0].ErrorCode)
	}
	f.client.PurgeTopicsFromClient(topic)
}

func (f *fake) drop(topic string) {
	f.t.Helper()
	r := kmsg.NewPtrDeleteTopicsRequest()
	rt := kmsg.NewDeleteTopicsRequestTopic()
	rt.Topic = &topic
	r.TopicNames, r.Topics = []string{topic}, append(r.Topics, rt)
	if resp := f.request(r).(*kmsg.DeleteTopicsResponse); resp.Topics[0].ErrorCode != 0 {
		f.t.Fatalf("topic %s: error %d", topic, resp.Topics[0].ErrorCode)
	}
	f.client.PurgeTopicsFromClient(topic)
}

// grow gives a topic more partitions.
func (f *fake) grow(topic string, partitions int32) {
	f.t.Helper()
	r := kmsg.NewPtrCreatePartitionsRequest()
	rt := kmsg.NewCreatePartitionsRequestTopic()
	rt.Topic, rt.Count = topic, partitions
	r.Topics = append(r.Topics, rt)
	if resp := f.request(r).(*kmsg.CreatePartitionsResponse); resp.Topics[0].ErrorCode != 0 {
		f.t.Fatalf("topic %s: error %d", topic, resp.Topics[0].ErrorCode)
	}
}

// write adds n records, a second apart, the first of them at a time.
func (f *fake) write(topic string, partition int32, n int, from time.Time) {
	f.t.Helper()
	var all []*kgo.Record
	for i := range n {
		all = append(all, &kgo.Record{Topic: topic, Partition: partition, Value: []byte{byte(i)}, Timestamp: from.Add(time.Duration(i) * time.Second)})
	}
	if err := f.client.ProduceSync(f.t.Context(), all...).FirstErr(); err != nil {
		f.t.Fatal(err)
	}
}

// forget deletes the records before an offset, as retention does.
func (f *fake) forget(topic string, partition int32, before int64) {
	f.t.Helper()
	r := kmsg.NewPtrDeleteRecordsRequest()
	rt := kmsg.NewDeleteRecordsRequestTopic()
	rp := kmsg.NewDeleteRecordsRequestTopicPartition()
	rp.Partition, rp.Offset = partition, before
	rt.Topic, rt.Partitions = topic, append(rt.Partitions, rp)
	r.Topics = append(r.Topics, rt)
	for _, shard := range f.client.RequestSharded(f.t.Context(), r) {
		if shard.Err != nil {
			f.t.Fatal(shard.Err)
		}
		if code := shard.Resp.(*kmsg.DeleteRecordsResponse).Topics[0].Partitions[0].ErrorCode; code != 0 {
			f.t.Fatalf("%s/%d: error %d", topic, partition, code)
		}
	}
}

// cluster is what is tested, on these brokers.
func (f *fake) cluster(properties string) *Cluster {
	f.t.Helper()
	return newCluster(f.t, Options{Brokers: f.ListenAddrs()}, properties, nil)
}

func newCluster(t *testing.T, o Options, properties string, files map[string]string) *Cluster {
	t.Helper()
	if properties != "" {
		p, err := ParseProperties("client.properties", []byte(properties))
		if err != nil {
			t.Fatal(err)
		}
		o.Client = p
	}
	o.Now, o.Getenv = now, func(string) string { return "" }
	o.Read = func(name string) ([]byte, error) {
		data, ok := files[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(data), nil
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// at is what a checkpoint records that has committed a batch ending at these positions.
func at(positions string) availability.SourceProgress {
	o := source.Decode([]byte(positions), decode.Where{File: "offsets/7", Line: 3})
	none := source.Offset{None: true}
	return availability.SourceProgress{Index: 0, Kind: source.ByName("kafka"), Batch: 8, Time: planned.UnixMilli(), First: none, Prior: none, From: o, To: none}
}

// again is what it records where a batch is planned between two positions and not committed.
func again(from, to string) availability.SourceProgress {
	r := at(from)
	r.To = source.Decode([]byte(to), decode.Where{File: "offsets/8", Line: 3})
	r.Again = true
	return r
}

// ask is the answer about one source, and its text.
func (f *fake) ask(c *Cluster, r availability.SourceProgress) (availability.Source, string) {
	f.t.Helper()
	all, err := c.Probe(f.t.Context(), []availability.SourceProgress{r})
	if err != nil {
		f.t.Fatal(err)
	}
	if len(all) != 1 {
		f.t.Fatalf("%d sources are told of, want 1", len(all))
	}
	return all[0], text(all[0])
}

// text is what was told of a source, one line a thing. Topic ids differ from run to run.
func text(s availability.Source) string {
	var b strings.Builder
	number := func(p *source.Position) string {
		if p == nil {
			return "?"
		}
		return p.Text
	}
	for _, p := range s.Parts {
		fmt.Fprintf(&b, "%s: %s to %s, stable %s", p.Name, number(p.Earliest), number(p.Latest), number(p.Stable))
		if p.Retention > 0 {
			fmt.Fprintf(&b, ", kept %v", p.Retention)
		}
		if p.Written > 0 {
			fmt.Fprintf(&b, ", written %v", time.UnixMilli(p.Written).UTC().Sub(planned))
		}
		b.WriteString("\n")
	}
	if s.Whole {
		b.WriteString("whole\n")
	}
	if len(s.Gone) > 0 {
		fmt.Fprintf(&b, "gone: %s\n", strings.Join(s.Gone, ", "))
	}
	for _, c := range s.Created {
		fmt.Fprintf(&b, "recreated %s %v: %s\n", c.Name, time.UnixMilli(c.Time).UTC().Sub(planned), c.Shown)
	}
	for _, f := range s.Facts {
		fmt.Fprintf(&b, "fact: %s\n", f)
	}
	for _, u := range s.Unseen {
		fmt.Fprintf(&b, "unseen: %s\n", u)
	}
	if s.Err != nil {
		fmt.Fprintf(&b, "error: %v\n", s.Err)
	}
	return idText.ReplaceAllString(b.String(), "(id)")
}
