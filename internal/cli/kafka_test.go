package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/storage"
)

// cluster is a Kafka in this process with topic orders-u as the golden kafka-uncommitted read it: batch 3 is planned from
// 24, 12 and 6 to 32, 16 and 8. Partition 0 begins at 26 there.
func cluster(t *testing.T) (brokers string, c *kfake.Cluster) {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(4, "orders-u"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	brokers = strings.Join(c.ListenAddrs(), ",")
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for partition, n := range []int{40, 20, 10} {
		for range n {
			r := &kgo.Record{Topic: "orders-u", Partition: int32(partition), Value: []byte("x"), Timestamp: now.Add(-time.Hour)}
			if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := kmsg.NewPtrDeleteRecordsRequest()
	rt, rp := kmsg.NewDeleteRecordsRequestTopic(), kmsg.NewDeleteRecordsRequestTopicPartition()
	rp.Offset = 26
	rt.Topic, rt.Partitions = "orders-u", append(rt.Partitions, rp)
	r.Topics = append(r.Topics, rt)
	if _, err := client.Request(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return brokers, c
}

const kafkaUncommitted = "../../testdata/golden/kafka-uncommitted.tar.gz/checkpoint"

// TestKafka is a checkpoint against a cluster that has lost two records which the restart must read.
func TestKafka(t *testing.T) {
	brokers, _ := cluster(t)
	status, out, errs := run(t.Context(), t, "check", kafkaUncommitted, "--kafka", brokers)
	if status != 1 {
		t.Errorf("status %d\n%s", status, errs)
	}
	for _, want := range []string{
		"source 0, from " + brokers,
		"orders-u/0 24 32 26 40 16 ✗ 2 records gone",
		"orders-u/1 12 16 0 20 8 ✓ all of it, at least until 2026-12-",
		"orders-u/3 – – 0 0 – ✓ new: read from its start",
		"source-data-gone",
		"cleanup.policy=delete",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	// A file of properties can name the brokers.
	file := filepath.Join(t.TempDir(), "client.properties")
	if err := os.WriteFile(file, []byte("bootstrap.servers="+brokers), 0o600); err != nil {
		t.Fatal(err)
	}
	_, again, _ := run(t.Context(), t, "check", kafkaUncommitted, "--kafka-config", file)
	if again != out {
		t.Errorf("by way of a file it says\n%s\nand by way of the flag\n%s", again, out)
	}
}

// TestKafkaSilent: what could not be asked is not fine, and a program sees that.
func TestKafkaSilent(t *testing.T) {
	brokers, c := cluster(t)
	c.Close()
	status, out, _ := run(t.Context(), t, "check", kafkaUncommitted, "--kafka", brokers)
	if status != 3 || !strings.Contains(out, "a broker cannot be reached: dial tcp") || strings.Contains(out, "  all of it\n") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ = run(t.Context(), t, "check", kafkaUncommitted, "--kafka", brokers, "--json")
	if status != 3 || !strings.Contains(out, `"complete": false`) || !strings.Contains(out, "source 0 could be checked only in part") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// TestKafkaRequests: requests to brokers are requests.
func TestKafkaRequests(t *testing.T) {
	a := &app{flags: flags{maxRequests: 3}}
	a.meter.Add(2, 100)
	if err := a.mayAsk(); err != nil {
		t.Errorf("after 2 of 3 requests: %v", err)
	}
	a.meter.Add(1, 100)
	if err := a.mayAsk(); !errors.Is(err, storage.ErrBudget) {
		t.Errorf("after 3 of 3 requests: %v", err)
	}
	if r := a.meter.Snapshot(); r.Requests() != 3 || r.Bytes != 200 {
		t.Errorf("the meter shows %d requests and %d bytes", r.Requests(), r.Bytes)
	}
}

// TestKafkaAnew: a topic that was made again and has outgrown the recorded positions is told from its times alone.
func TestKafkaAnew(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "orders-u"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	brokers := strings.Join(c.ListenAddrs(), ",")
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	later := time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC) // batch 3 was planned at 14:30
	for partition := range int32(3) {
		for range 50 {
			r := &kgo.Record{Topic: "orders-u", Partition: partition, Value: []byte("x"), Timestamp: later.Add(-time.Hour)}
			if err := client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
	}
	var out, errs bytes.Buffer
	config := program([]string{"check", kafkaUncommitted, "--kafka", brokers}, "")
	config.Out, config.Err, config.Now = &out, &errs, func() time.Time { return later }
	if status := ExitStatus(Run(t.Context(), config)); status != 1 {
		t.Errorf("status %d\n%s", status, &errs)
	}
	flat := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"! high source-identity-changed: a source was likely created again under its old name",
		"topic orders-u: its oldest record, 0 of orders-u/2, has the timestamp 2026-11-29 17:00:00 UTC, but batch 3, planned at 2026-11-29 14:30:09Z, had read past it: it was at orders-u/2: 8",
		"orders-u/0 24 32 0 50 – ✗ replaced",
	} {
		if !strings.Contains(flat, want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if strings.Contains(flat, "✓ replay safe?") {
		t.Errorf("a replay is said to be safe:\n%s", &out)
	}
}

// TestKafkaStarts: start positions for a new query hold what the cluster has, over all its partitions.
func TestKafkaStarts(t *testing.T) {
	brokers, _ := cluster(t)
	for _, c := range []struct {
		args      []string
		want, say string
	}{
		{nil, `{"orders-u":{"0":26,"1":12,"2":6,"3":0}}`, "skipped, because their records are deleted: orders-u/0 24 to 26"},
		{[]string{"--from", "2026-11-29T12:02:00Z"}, `{"orders-u":{"0":26,"1":0,"2":0,"3":0}}`, "read again: orders-u/1 0 to 12, orders-u/2 0 to 6"},
		{[]string{"--from", "2026-11-29T15:02:00Z"}, `{"orders-u":{"0":40,"1":20,"2":10,"3":0}}`, "skipped: orders-u/0 24 to 40, orders-u/1 12 to 20"},
	} {
		status, out, errs := run(t.Context(), t, append([]string{"offsets", kafkaUncommitted, "--kafka", brokers, "--as", "starting-offsets"}, c.args...)...)
		if status != 0 || strings.TrimSpace(out) != c.want || !strings.Contains(errs, c.say) {
			t.Errorf("%q: status %d, %s, want %s and %q in\n%s", c.args, status, out, c.want, c.say, errs)
		}
	}
}
