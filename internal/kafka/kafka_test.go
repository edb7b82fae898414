package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/spec"
)

// TestReadOnly holds what is asked to the requests that change nothing, and to a few of them.
func TestReadOnly(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 3, week)
	for p := range int32(3) {
		f.write("orders", p, 5, planned.Add(-time.Hour))
	}
	f.watch()
	f.ask(f.cluster(""), at(`{"orders":{"0":2,"1":3,"2":5},"not-there":{"0":1}}`))
	apiVersions, describeConfigs, metadata, listOffsets := int16(18), int16(32), int16(3), int16(2)
	if want := []int16{listOffsets, metadata, apiVersions, describeConfigs}; !slices.Equal(f.keys(), want) {
		t.Errorf("requests of the kinds %v were made, want %v", f.keys(), want)
	}
	if f.asked[metadata] != 1 || f.asked[describeConfigs] != 1 {
		t.Errorf("%d Metadata and %d DescribeConfigs, want one each", f.asked[metadata], f.asked[describeConfigs])
	}
	resp := f.request(kmsg.NewPtrMetadataRequest()).(*kmsg.MetadataResponse)
	if len(resp.Topics) != 1 {
		t.Errorf("the cluster has %d topics now, want the one that it had", len(resp.Topics))
	}
}

// TestNoTopicIsMade: a cluster that makes the topics that are asked for is not made to.
func TestNoTopicIsMade(t *testing.T) {
	f := newFake(t, kfake.AllowAutoTopicCreation()).as()
	_, got := f.ask(f.cluster(""), at(`{"orders":{"0":2}}`))
	if !strings.Contains(got, "none of the topics (orders)") {
		t.Error(got)
	}
	if resp := f.request(kmsg.NewPtrMetadataRequest()).(*kmsg.MetadataResponse); len(resp.Topics) != 0 {
		t.Errorf("the cluster has %d topics now, want none", len(resp.Topics))
	}
}

// TestOldBrokers: before 0.11 the question itself could make a topic.
func TestOldBrokers(t *testing.T) {
	f := newFake(t, kfake.MaxVersions(kversion.V0_10_2())).as()
	s, _ := f.ask(f.cluster(""), at(`{"orders":{"0":2}}`))
	if s.Err == nil || !strings.Contains(s.Err.Error(), "older than Kafka 0.11") {
		t.Errorf("error %v", s.Err)
	}
}

// TestMany bounds what a wide checkpoint costs: rounds, not requests per partition.
func TestMany(t *testing.T) {
	const topics, partitions = 50, 200
	f := newFake(t).as()
	var recorded strings.Builder
	for i := range topics {
		f.create(fmt.Sprintf("t%02d", i), partitions, week)
		fmt.Fprintf(&recorded, `,"t%02d":{"0":0`, i)
		for p := 1; p < partitions; p++ {
			fmt.Fprintf(&recorded, `,"%d":0`, p)
		}
		recorded.WriteString("}")
	}
	f.watch()
	s, _ := f.ask(f.cluster(""), at("{"+recorded.String()[1:]+"}"))
	if len(s.Parts) != topics*partitions || !s.Whole || s.Err != nil {
		t.Errorf("%d parts, whole %v, error %v; want all %d", len(s.Parts), s.Whole, s.Err, topics*partitions)
	}
	if n := f.asked[2] + f.asked[3] + f.asked[32]; n > 2*9+2 {
		t.Errorf("%d requests", n)
	}
	if len(s.Facts) > 2*factLimit {
		t.Errorf("%d facts", len(s.Facts))
	}
}

// TestDeclared: what the spec declares is asked for too, and a pattern finds topics that joined. Topics cost one request, a pattern one more.
func TestDeclared(t *testing.T) {
	f := newFake(t).as()
	for _, topic := range []string{"orders-eu", "orders-us", "refunds"} {
		f.create(topic, 1)
	}
	const metadata = int16(3)
	f.watch()
	r := at(`{"orders-eu":{"0":0}}`)
	names := func(d spec.Source) string {
		r.Declared = &d
		s, _ := f.ask(f.cluster(""), r)
		var all []string
		for _, p := range s.Parts {
			all = append(all, p.Name)
		}
		for _, name := range s.Gone {
			all = append(all, "-"+name)
		}
		return strings.Join(append(all, s.Unseen...), " ")
	}
	for _, c := range []struct {
		declared spec.Source
		want     string
		metadata int
	}{
		{spec.Source{Kind: "kafka"}, "orders-eu/0", 1},
		{spec.Source{Topics: []string{"orders-eu", "refunds"}}, "orders-eu/0 refunds/0", 1},
		{spec.Source{Topics: []string{"orders-ca", "refunds"}}, "orders-eu/0 refunds/0 -orders-ca", 1},
		{spec.Source{Assign: []spec.TopicPartitions{{Topic: "refunds", Partitions: []int64{0, 2}}, {Topic: "orders-ca", Partitions: []int64{0}}}},
			"orders-eu/0 refunds/0 -orders-ca -refunds/2", 1},
		{spec.Source{Pattern: "orders-.*"}, "orders-eu/0 orders-us/0", 2},
		{spec.Source{Pattern: "nothing-.*"}, "orders-eu/0", 2},
		{spec.Source{Pattern: "(?<=x)y"}, `orders-eu/0 not checked: topics matching "(?<=x)y" (a Java pattern tidemark cannot parse)`, 1},
	} {
		before := f.asked[metadata]
		if got := names(c.declared); got != c.want {
			t.Errorf("%+v: %s, want %s", c.declared, got, c.want)
		}
		if got := f.asked[metadata] - before; got != c.metadata {
			t.Errorf("%+v: %d Metadata requests, want %d", c.declared, got, c.metadata)
		}
	}
}

// TestKinds: sources of other kinds are not asked about.
func TestKinds(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 1)
	f.watch()
	none := source.Offset{None: true}
	for _, kind := range []string{"delta", "rate", "kinesis"} {
		all, err := f.cluster("").Probe(t.Context(), []availability.SourceProgress{{Kind: source.ByName(kind), From: none, To: none}, {From: none, To: none}})
		if all != nil || err != nil {
			t.Errorf("%s: %v, %v", kind, all, err)
		}
	}
	if len(f.keys()) > 0 {
		t.Errorf("requests %v were made", f.keys())
	}
	r := at(`{"orders":{"0":3}}`)
	r.Kind = source.ByName("event-hubs")
	if s, _ := f.ask(f.cluster(""), r); len(s.Parts) > 0 || len(s.Unseen) != 1 {
		t.Errorf("of Event Hubs %d parts were told, and %q", len(s.Parts), s.Unseen)
	}
}

// TestTransaction: a reader that sees only what was committed gets no further than the first open transaction.
func TestTransaction(t *testing.T) {
	f := newFake(t).as(kgo.TransactionalID("payer"))
	f.create("orders", 1)
	if err := f.client.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	f.write("orders", 0, 5, planned)
	_, got := f.ask(f.cluster(""), at(`{"orders":{"0":0}}`))
	if !strings.Contains(got, "orders/0: 0 to 5, stable 0") || !strings.Contains(got, "read_committed reads orders/0 up to 0") {
		t.Error(got)
	}
	if err := f.client.EndTransaction(t.Context(), kgo.TryCommit); err != nil {
		t.Fatal(err)
	}
	if _, got = f.ask(f.cluster(""), at(`{"orders":{"0":0}}`)); !strings.Contains(got, "orders/0: 0 to 6, stable 6") {
		t.Error(got)
	}
}

// TestAt: the first record at a time or later, and the head where there is none.
func TestAt(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 3)
	f.write("orders", 0, 10, planned)
	f.write("orders", 1, 10, planned.Add(-time.Hour))
	c := f.cluster("")
	parts, ok, err := c.At(t.Context(), at(`{"orders":{"0":3}}`), planned.Add(4*time.Second))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	var got []string
	for _, p := range parts {
		got = append(got, p.Name+" "+p.Earliest.Text+" of "+p.Latest.Text)
	}
	if want := []string{"orders/0 4 of 10", "orders/1 10 of 10", "orders/2 0 of 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, ok, err := c.At(t.Context(), at(`{"gone":{"0":3}}`), planned); !ok || err == nil {
		t.Errorf("of a topic that is not there: %v, %v", ok, err)
	}
	delta := availability.SourceProgress{Kind: source.ByName("delta"), From: source.Offset{None: true}, To: source.Offset{None: true}}
	if _, ok, err := c.At(t.Context(), delta, planned); ok || err != nil {
		t.Errorf("of a Delta table: %v, %v", ok, err)
	}
}

// TestLimit: where no more requests are allowed, nothing more is asked, and what was told stays.
func TestLimit(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 1)
	over := errors.New("the allowed number of requests is used up")
	rounds := 0
	var requests, bytes atomic.Int64
	c := newCluster(t, Options{Brokers: f.ListenAddrs(), May: func() error {
		if rounds++; rounds > 2 {
			return over
		}
		return nil
	}, Count: func(r, b int64) { requests.Add(r); bytes.Add(b) }}, "", nil)
	all, err := c.Probe(t.Context(), []availability.SourceProgress{at(`{"orders":{"0":0}}`)})
	if err != over {
		t.Errorf("error %v, want the one of the limit", err)
	}
	if len(all) != 1 || all[0].Err == nil || len(all[0].Parts) != 1 || all[0].Parts[0].Earliest == nil || all[0].Parts[0].Latest != nil {
		t.Errorf("told: %s", text(all[0]))
	}
	if requests.Load() < 3 || bytes.Load() == 0 {
		t.Errorf("%d requests and %d bytes were counted", requests.Load(), bytes.Load())
	}
}

// TestSilent: a broker that takes a question and never answers is left when the context ends.
func TestSilent(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f.ControlKey(int16(kmsg.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		cancel()
		return nil, nil, true
	})
	all, err := f.cluster("").Probe(ctx, []availability.SourceProgress{at(`{"orders":{"0":0}}`)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(all) != 1 || all[0].Err == nil || all[0].Parts[0].Earliest != nil {
		t.Errorf("told: %v", all)
	}
}

// TestOneBroker: what one broker does not tell is not known, and what the others tell is.
func TestOneBroker(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 2, week)
	for p := range int32(2) {
		if err := f.MoveTopicPartition("orders", p, p); err != nil {
			t.Fatal(err)
		}
	}
	f.write("orders", 0, 3, planned)
	f.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		if f.CurrentNode() != 1 {
			return nil, nil, false
		}
		return nil, errors.New("the connection is closed"), true
	})
	_, got := f.ask(f.cluster(""), at(`{"orders":{"0":3,"1":0}}`))
	want := "orders/0: 0 to 3, stable 3, kept 168h0m0s\norders/1: ? to ?, stable ?, kept 168h0m0s\nwhole\n" + settingsFact("orders", "2 partitions") +
		"error: partition orders/1: a broker closes the connection at the first request: it likely expects a login or TLS (security.protocol)\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPartitionError is a partition of which the broker says that it has trouble.
func TestPartitionError(t *testing.T) {
	f := newFake(t).as()
	f.create("orders", 1)
	f.ControlKey(int16(kmsg.ListOffsets), func(r kmsg.Request) (kmsg.Response, error, bool) {
		f.KeepControl()
		resp := r.ResponseKind().(*kmsg.ListOffsetsResponse)
		for _, t := range r.(*kmsg.ListOffsetsRequest).Topics {
			rt := kmsg.NewListOffsetsResponseTopic()
			rt.Topic = t.Topic
			for _, p := range t.Partitions {
				rp := kmsg.NewListOffsetsResponseTopicPartition()
				rp.Partition, rp.ErrorCode, rp.Offset = p.Partition, kerr.KafkaStorageError.Code, -1
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	})
	s, _ := f.ask(f.cluster(""), at(`{"orders":{"0":3}}`))
	if want := "partition orders/0: the brokers answered KAFKA_STORAGE_ERROR"; fmt.Sprint(s.Err) != want {
		t.Errorf("%v, want %s", s.Err, want)
	}
}

// TestNoSettings: services that only speak Kafka's protocol may not know the question.
func TestNoSettings(t *testing.T) {
	versions := kversion.Stable()
	versions.SetMaxKeyVersion(int16(kmsg.DescribeConfigs), -1)
	f := newFake(t, kfake.MaxVersions(versions)).as()
	f.create("orders", 1)
	_, got := f.ask(f.cluster(""), at(`{"orders":{"0":0}}`))
	want := "orders/0: 0 to 0, stable 0\nwhole\nfact: topic orders (id) has 1 partition: its retention is unknown\nunseen: the retention is unknown for orders\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestUnreachable: nobody listens there.
func TestUnreachable(t *testing.T) {
	f := newFake(t)
	addresses := f.ListenAddrs()
	f.Close()
	all, err := newCluster(t, Options{Brokers: addresses}, "", nil).Probe(t.Context(), []availability.SourceProgress{at(`{"orders":{"0":0}}`)})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if got := fmt.Sprint(all[0].Err); !strings.HasPrefix(got, "a broker cannot be reached: ") || !strings.Contains(got, "connection refused") {
		t.Error(got)
	}
	if all[0].Whole {
		t.Error("what is there is said to be known")
	}
}
