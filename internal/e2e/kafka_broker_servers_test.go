//go:build servers

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// What the tests of kafka_servers_test.go stand on: a real broker that may be changed, a checkpoint of a real Spark that
// read from it, and the built program. .ci/kafka.sh starts the broker and names it in the environment.

// planned is when the batches of the checkpoint are made to have been planned: an hour before the test.
var planned = time.Now().Add(-time.Hour).Truncate(time.Second)

// broker is the real one.
type broker struct {
	*testing.T
	client *kgo.Client
	topic  string // of this test
}

func newBroker(t *testing.T, topic string) *broker {
	t.Helper()
	address := os.Getenv("TIDEMARK_TEST_KAFKA")
	if address == "" {
		t.Fatal("TIDEMARK_TEST_KAFKA is not set; .ci/kafka.sh sets it")
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.MetadataMinAge(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	b := &broker{t, client, topic}
	b.until("the broker answers", func(ctx context.Context) bool { return client.Ping(ctx) == nil })
	return b
}

// until waits for a state of the broker; the test's own deadline bounds it.
func (b *broker) until(what string, holds func(context.Context) bool) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 90*time.Second)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !holds(ctx) {
		select {
		case <-ctx.Done():
			b.Fatalf("it did not come to be that %s", what)
		case <-tick.C:
		}
	}
}

func (b *broker) request(r kmsg.Request) (kmsg.Response, error) {
	return b.client.Request(b.Context(), r)
}

// partitions is how many the topic has; -1 where one has no leader yet, 0 where there is no topic.
func (b *broker) partitions() int {
	r := kmsg.NewPtrMetadataRequest()
	t := kmsg.NewMetadataRequestTopic()
	t.Topic = &b.topic
	r.Topics = append(r.Topics, t)
	resp, err := r.RequestWith(b.Context(), b.client)
	if err != nil || resp.Topics[0].ErrorCode == 5 /* no leader yet */ {
		return -1
	}
	for _, p := range resp.Topics[0].Partitions {
		if p.Leader < 0 || p.ErrorCode != 0 {
			return -1
		}
	}
	return len(resp.Topics[0].Partitions)
}

func (b *broker) create(partitions int) {
	b.Helper()
	week := "604800000"
	b.until("the topic is made", func(context.Context) bool {
		r := kmsg.NewPtrCreateTopicsRequest()
		t := kmsg.NewCreateTopicsRequestTopic()
		t.Topic, t.NumPartitions, t.ReplicationFactor = b.topic, int32(partitions), 1
		t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: "retention.ms", Value: &week})
		r.Topics = append(r.Topics, t)
		resp, err := b.request(r)
		return err == nil && resp.(*kmsg.CreateTopicsResponse).Topics[0].ErrorCode == 0
	})
	b.until("its partitions have leaders", func(context.Context) bool { return b.partitions() == partitions })
}

func (b *broker) drop() {
	b.Helper()
	r := kmsg.NewPtrDeleteTopicsRequest()
	t := kmsg.NewDeleteTopicsRequestTopic()
	t.Topic = &b.topic
	r.TopicNames, r.Topics = []string{b.topic}, append(r.Topics, t)
	resp, err := b.request(r)
	if err != nil || resp.(*kmsg.DeleteTopicsResponse).Topics[0].ErrorCode != 0 {
		b.Fatal(err, resp)
	}
	b.until("the topic is gone", func(context.Context) bool { return b.partitions() == 0 })
	b.client.PurgeTopicsFromClient(b.topic)
}

func (b *broker) grow(partitions int) {
	b.Helper()
	r := kmsg.NewPtrCreatePartitionsRequest()
	t := kmsg.NewCreatePartitionsRequestTopic()
	t.Topic, t.Count = b.topic, int32(partitions)
	r.Topics = append(r.Topics, t)
	resp, err := b.request(r)
	if err != nil || resp.(*kmsg.CreatePartitionsResponse).Topics[0].ErrorCode != 0 {
		b.Fatal(err, resp)
	}
	b.until("its partitions have leaders", func(context.Context) bool { return b.partitions() == partitions })
}

// write adds records to partitions 0, 1, 2, a second apart, the first at a time.
func (b *broker) write(from time.Time, counts ...int) {
	b.Helper()
	for partition, n := range counts {
		for i := range n {
			r := &kgo.Record{Topic: b.topic, Partition: int32(partition), Value: []byte("x"), Timestamp: from.Add(time.Duration(i) * time.Second)}
			if err := b.client.ProduceSync(b.Context(), r).FirstErr(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// forget deletes the records of a partition before an offset.
func (b *broker) forget(partition int32, before int64) {
	b.Helper()
	r := kmsg.NewPtrDeleteRecordsRequest()
	t := kmsg.NewDeleteRecordsRequestTopic()
	p := kmsg.NewDeleteRecordsRequestTopicPartition()
	p.Partition, p.Offset = partition, before
	t.Topic, t.Partitions = b.topic, append(t.Partitions, p)
	r.Topics, r.TimeoutMillis = append(r.Topics, t), 20000
	for _, shard := range b.client.RequestSharded(b.Context(), r) {
		if shard.Err != nil {
			b.Fatal(shard.Err)
		}
		if code := shard.Resp.(*kmsg.DeleteRecordsResponse).Topics[0].Partitions[0].ErrorCode; code != 0 {
			b.Fatalf("error %d", code)
		}
	}
}

// bring makes topics as they stood. Their records are kept for ever.
func (b *broker) bring(topics map[string]stood) {
	b.Helper()
	forEver := "-1"
	r := kmsg.NewPtrCreateTopicsRequest()
	r.TimeoutMillis = 30000
	forget := kmsg.NewPtrDeleteRecordsRequest()
	forget.TimeoutMillis = 30000
	var records []*kgo.Record
	for name, stood := range topics {
		t := kmsg.NewCreateTopicsRequestTopic()
		t.Topic, t.NumPartitions, t.ReplicationFactor = name, int32(len(stood.partitions)), 1
		t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: "retention.ms", Value: &forEver})
		r.Topics = append(r.Topics, t)
		old := kmsg.NewDeleteRecordsRequestTopic()
		old.Topic = name
		for n, at := range stood.partitions {
			for i := range at.latest {
				written := stood.written.Add(time.Duration(i) * time.Second)
				records = append(records, &kgo.Record{Topic: name, Partition: int32(n), Value: []byte("x"), Timestamp: written})
			}
			if at.earliest > 0 {
				p := kmsg.NewDeleteRecordsRequestTopicPartition()
				p.Partition, p.Offset = int32(n), at.earliest
				old.Partitions = append(old.Partitions, p)
			}
		}
		if len(old.Partitions) > 0 {
			forget.Topics = append(forget.Topics, old)
		}
	}
	resp, err := b.request(r)
	if err != nil {
		b.Fatal(err)
	}
	for _, t := range resp.(*kmsg.CreateTopicsResponse).Topics {
		if t.ErrorCode != 0 {
			b.Fatalf("topic %s: error %d", t.Topic, t.ErrorCode)
		}
	}
	if err := b.client.ProduceSync(b.Context(), records...).FirstErr(); err != nil {
		b.Fatal(err)
	}
	for _, shard := range b.client.RequestSharded(b.Context(), forget) {
		if shard.Err != nil {
			b.Fatal(shard.Err)
		}
		for _, t := range shard.Resp.(*kmsg.DeleteRecordsResponse).Topics {
			for _, p := range t.Partitions {
				if p.ErrorCode != 0 {
					b.Fatalf("%s/%d: error %d", t.Topic, p.Partition, p.ErrorCode)
				}
			}
		}
	}
}

// longAgo is before the plans of all stories.
var longAgo = planned.Add(-7 * 24 * time.Hour)

// everything is what a client could have changed: the topics with their ids and the ends of their partitions, and the consumer groups.
func (b *broker) everything() (all []string) {
	b.Helper()
	r := kmsg.NewPtrMetadataRequest() // of all topics
	resp, err := r.RequestWith(b.Context(), b.client)
	if err != nil {
		b.Fatal(err)
	}
	ends := kmsg.NewPtrListOffsetsRequest()
	ends.ReplicaID = -1
	for _, t := range resp.Topics {
		all = append(all, fmt.Sprintf("topic %s has the ID %x and %d partitions", *t.Topic, t.TopicID, len(t.Partitions)))
		rt := kmsg.NewListOffsetsRequestTopic()
		rt.Topic = *t.Topic
		for _, p := range t.Partitions {
			rp := kmsg.NewListOffsetsRequestTopicPartition()
			rp.Partition, rp.CurrentLeaderEpoch = p.Partition, -1
			rt.Partitions = append(rt.Partitions, rp)
		}
		ends.Topics = append(ends.Topics, rt)
	}
	for _, at := range []int64{-2, -1} { // the first offset, and the next
		for i := range ends.Topics {
			for j := range ends.Topics[i].Partitions {
				ends.Topics[i].Partitions[j].Timestamp = at
			}
		}
		for _, shard := range b.client.RequestSharded(b.Context(), ends) {
			if shard.Err != nil {
				b.Fatal(shard.Err)
			}
			for _, t := range shard.Resp.(*kmsg.ListOffsetsResponse).Topics {
				for _, p := range t.Partitions {
					all = append(all, fmt.Sprintf("%s/%d: %d is at %d, error %d", t.Topic, p.Partition, at, p.Offset, p.ErrorCode))
				}
			}
		}
	}
	for _, shard := range b.client.RequestSharded(b.Context(), kmsg.NewPtrListGroupsRequest()) {
		if shard.Err != nil {
			b.Fatal(shard.Err)
		}
		for _, g := range shard.Resp.(*kmsg.ListGroupsResponse).Groups {
			all = append(all, "group "+g.Group)
		}
	}
	slices.Sort(all)
	return all
}

// allow gives a user a right on the topic.
func (b *broker) allow(user string, operations ...kmsg.ACLOperation) {
	b.Helper()
	r := kmsg.NewPtrCreateACLsRequest()
	for _, operation := range operations {
		c := kmsg.NewCreateACLsRequestCreation()
		c.ResourceType, c.ResourceName, c.ResourcePatternType = kmsg.ACLResourceTypeTopic, b.topic, kmsg.ACLResourcePatternTypeLiteral
		c.Principal, c.Host, c.Operation, c.PermissionType = "User:"+user, "*", operation, kmsg.ACLPermissionTypeAllow
		r.Creations = append(r.Creations, c)
	}
	resp, err := b.request(r)
	if err != nil {
		b.Fatal(err)
	}
	for _, result := range resp.(*kmsg.CreateACLsResponse).Results {
		if result.ErrorCode != 0 {
			b.Fatalf("error %d", result.ErrorCode)
		}
	}
}

var planTime = regexp.MustCompile(`"batchTimestampMs":\d+`)

// checkpoint unpacks one that Spark 3.5 wrote: batch 3 is planned from 24, 12 and 6 to 32, 16 and 8 and not committed. Its
// topic is that of the test, and its batches are planned a minute apart, the newest at planned.
func (b *broker) checkpoint() string {
	b.Helper()
	f, err := os.Open("testdata/golden/kafka-uncommitted.tar.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return filepath.Join(dir, "checkpoint")
		}
		if err != nil {
			b.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag != tar.TypeReg || strings.HasSuffix(name, ".crc") { // the sums would be those of the files before
			continue
		}
		var batch int
		if _, err := fmt.Sscanf(h.Name, "checkpoint/offsets/%d", &batch); err == nil {
			at := planned.Add(time.Duration(batch-3) * time.Minute).UnixMilli()
			data = planTime.ReplaceAll(data, fmt.Appendf(nil, `"batchTimestampMs":%d`, at))
		}
		data = bytes.ReplaceAll(data, []byte(`"orders-u"`), fmt.Appendf(nil, "%q", b.topic))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			b.Fatal(err)
		}
	}
}

// verdict is what the program says, as far as the stories ask.
type verdict struct {
	Complete  bool `json:"complete"`
	Questions []struct{ Name, Answer, Because string }
	Findings  []struct{ Code, Severity, Title, Evidence string }
	Kept      []struct {
		Parts []struct{ Part, State string }
	}
	status int
	errors string
}

// run is the program with these arguments.
func (b *broker) run(args ...string) (status int, out, errs string) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 60*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, os.Getenv("TIDEMARK_TEST_PROGRAM"), args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+b.TempDir())
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), stdout.String(), stderr.String()
	}
	if err != nil {
		b.Fatal(err)
	}
	return 0, stdout.String(), stderr.String()
}

// judge is the verdict on a checkpoint.
func (b *broker) judge(checkpoint string, args ...string) *verdict {
	b.Helper()
	v := &verdict{}
	var out string
	v.status, out, v.errors = b.run(append([]string{"check", checkpoint, "--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		b.Fatalf("%v in %s\n%s", err, out, v.errors)
	}
	return v
}

// ask judges over the listener without TLS.
func (b *broker) ask(checkpoint string) *verdict {
	b.Helper()
	return b.judge(checkpoint, "--kafka", os.Getenv("TIDEMARK_TEST_KAFKA"))
}

// is asserts an exit status, and findings by their code at "high" and above: each with a text in its evidence.
func (v *verdict) is(t *testing.T, status int, findings map[string]string) {
	t.Helper()
	if v.status != status {
		t.Errorf("exit status %d, want %d\n%s", v.status, status, v.errors)
	}
	left := map[string]string{}
	for code, text := range findings {
		left[code] = text
	}
	for _, f := range v.Findings {
		if f.Severity != "high" && f.Severity != "critical" {
			continue
		}
		text, wanted := findings[f.Code]
		if !wanted {
			t.Errorf("not expected: %s: %s", f.Code, f.Evidence)
		} else if strings.Contains(f.Evidence, text) {
			delete(left, f.Code)
		}
	}
	for code, text := range left {
		t.Errorf("no %s with %q in %+v", code, text, v.Findings)
	}
}

// states are the parts of the source and what is left of each, in the order of the verdict.
func (v *verdict) states() string {
	var all []string
	for _, s := range v.Kept {
		for _, p := range s.Parts {
			all = append(all, p.Part[strings.LastIndexByte(p.Part, '/')+1:]+" "+p.State)
		}
	}
	return strings.Join(all, ", ")
}

// answer is that of one question.
func (v *verdict) answer(name string) string {
	for _, q := range v.Questions {
		if q.Name == name {
			return q.Answer
		}
	}
	return ""
}
