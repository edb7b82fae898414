package examine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/internal/checks"
)

// kafkaStart is a start that a Kafka source decides: a record of testdata/restarts, what is changed in it, and what comes of it.
type kafkaStart struct {
	name    string
	record  string
	release string            // "" for that of the record
	edits   map[string]string // file and old text, a blank between them, to the new text
	removed []string          // folders that are taken away
	want    string            // the outcome, the batch, and the first words of the error
	loud    bool              // a finding of severity high, or a refusal
}

const (
	clean     = "4.3.0-kafka-none-noloss-check"
	open      = "4.3.0-kafka-none-uncommitted-noloss-check"
	openOnce  = "4.3.0-kafka-none-uncommitted-default-trigger"
	twoTopics = "4.3.0-kafka-none-two-sources-uncommitted"
	topic     = "none-noloss-check-430.t0"
	openTopic = "none-uncommitted-noloss-check-430.t0"
)

// fails declares failOnDataLoss as true.
var fails = map[string]string{`spec.yaml failOnDataLoss: "false"`: `failOnDataLoss: "true"`}

// line changes the line of the source in a plan of three partitions.
func line(plan, topic, was, is string) map[string]string {
	return map[string]string{"checkpoint/offsets/" + plan + ` {"` + topic + `":` + was: `{"` + topic + `":` + is}
}

func with(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// whole are the partitions of the newest plan.
const whole = `{"0":12,"1":9,"2":6}`

var kafkaStarts = []kafkaStart{
	{name: "as it is", record: clean, want: "next 3"},
	{name: "no topic in a committed plan", record: clean, edits: line("2", topic, whole+"}", "{}}"), want: "next 3", loud: true},
	{name: "the newest offset, as options have it", record: clean, edits: line("2", topic, `{"0":12`, `{"0":-1`), want: "refuses 3 assertion failed: earliest offset -1", loud: true},
	{name: "the first offset, as options have it", record: clean, edits: with(fails, line("2", topic, `{"0":12`, `{"0":-2`)), want: "next 3", loud: true},
	{name: "a fraction in a committed plan", record: clean, edits: line("2", topic, `{"0":12`, `{"0":11.5`), want: "next 3", loud: true},
	{name: "ahead of the end", record: clean, edits: line("2", topic, `{"0":12`, `{"0":112`), want: "next 3", loud: true},
	{name: "ahead of the end, loss stops", record: clean, edits: with(fails, line("2", topic, `{"0":12`, `{"0":112`)), want: "refuses 3 KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", loud: true},
	{name: "ahead of the end, loss stops 3.5", record: clean, release: "3.5", edits: with(fails, line("2", topic, `{"0":12`, `{"0":112`)),
		want: "refuses 3 Partition " + topic + "-0's offset was changed from 112 to 13", loud: true},
	{name: "the default of failOnDataLoss", record: clean, edits: with(map[string]string{`spec.yaml       failOnDataLoss: "false"`: ""}, line("2", topic, `{"0":12`, `{"0":112`)),
		want: "refuses 3 KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", loud: true},

	{name: "open: as it is", record: open, want: "rerun 2"},
	{name: "open: no topic", record: open, edits: with(fails, line("2", openTopic, whole+"}", "{}}")), want: "refuses 2 KAFKA_DATA_LOSS.PARTITIONS_DELETED", loud: true},
	{name: "open: no topic 3.5", record: open, release: "3.5", edits: line("2", openTopic, whole+"}", "{}}"),
		want: "refuses 2 Kafka data source in Trigger.AvailableNow should provide the same topic partitions", loud: true},
	{name: "open: a fraction", record: open, edits: line("2", openTopic, `{"0":12`, `{"0":11.5`), want: "rerun 2"},
	{name: "open: a fraction 3.5", record: open, release: "3.5", edits: line("2", openTopic, `{"0":12`, `{"0":11.5`), want: "rerun 2"},
	{name: "open: null", record: open, edits: with(fails, line("2", openTopic, `{"0":12`, `{"0":null`)), want: "refuses 2 KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", loud: true},
	{name: "open: beyond the end", record: open, edits: line("2", openTopic, `{"0":12`, `{"0":112`), want: "rerun 2"},
	{name: "open: beyond the end, loss stops", record: open, edits: with(fails, line("2", openTopic, `{"0":12`, `{"0":112`)),
		want: "refuses 2 KAFKA_DATA_LOSS.COULD_NOT_READ_OFFSET_RANGE", loud: true},
	{name: "open: beyond the end 3.5", record: open, release: "3.5", edits: line("2", openTopic, `{"0":12`, `{"0":112`),
		want: "refuses 2 For Kafka data source with Trigger.AvailableNow, end offset should have lower or equal offset", loud: true},
	{name: "open: beyond the end, another trigger", record: openOnce, release: "3.5",
		edits: line("2", "none-uncommitted-default-trigger-430.t0", `{"0":12`, `{"0":112`), want: "refuses 2 OffsetOutOfRangeException: Fetch position", loud: true},
	{name: "open: a partition less", record: open, edits: line("2", openTopic, whole, `{"0":12,"2":6}`), want: "rerun 2", loud: true},
	{name: "open: a partition less, loss stops", record: open, edits: with(fails, line("2", openTopic, whole, `{"0":12,"2":6}`)),
		want: "refuses 2 KAFKA_DATA_LOSS.PARTITIONS_DELETED", loud: true},
	{name: "open: a dash in place of an offset", record: twoTopics,
		edits: map[string]string{`checkpoint/offsets/2 {"none-two-sources-uncommitted-430.t1":{"0":9,"1":8,"2":6}}`: "-"}, want: "rerun 2", loud: true},

	{name: "gone: a partition that is planned", record: "4.3.0-kafka-json-partition-extra",
		edits: map[string]string{`positions.json "index": 0,`: `"index": 0, "gone": {"json-partition-extra-430.t0": [7]},`}, want: "refuses 3 KAFKA_DATA_LOSS.PARTITIONS_DELETED", loud: true},
	{name: "gone: a topic of two, 3.5", record: "3.5.9-kafka-sources-second-missing-topic-uncommitted-noloss-check",
		edits: map[string]string{`positions.json "index": 1,`: `"index": 1, "gone": {"sources-second-missing-topic-uncommitted-noloss-check-359.t1": true},`},
		want:  "refuses 2 UnknownTopicOrPartitionException: This server does not host this topic-partition", loud: true},
	{name: "gone: a topic of two", record: "3.5.9-kafka-sources-second-missing-topic-uncommitted-noloss-check", release: "4.3",
		edits: map[string]string{`positions.json "index": 1,`: `"index": 1, "gone": {"sources-second-missing-topic-uncommitted-noloss-check-359.t1": true},`},
		want:  "refuses 2 TimeoutException: Timeout of 60000ms expired before the position for partition sources-second-missing", loud: true},

	{name: "assigned: all", record: clean, edits: with(fails, assign("0, 1, 2")), want: "next 3"},
	{name: "assigned: one less", record: clean, edits: with(fails, assign("0, 1")), want: "refuses 3 KAFKA_DATA_LOSS.PARTITIONS_DELETED", loud: true},
	{name: "assigned: one less, loss does not stop", record: clean, edits: assign("0, 1"), want: "next 3"},
	{name: "the least above the most", record: clean, edits: map[string]string{`spec.yaml maxOffsetsPerTrigger: "9"`: "maxOffsetsPerTrigger: \"9\"\n      minOffsetsPerTrigger: 1000"},
		want: "refuses 3 The value of minOffsetPerTrigger(1000) is higher than the maxOffsetsPerTrigger(9)", loud: true},

	{name: "no plans: where it first began", record: clean, removed: []string{"checkpoint/offsets/", "checkpoint/commits/"}, want: "fresh 0"},
	{name: "no plans: those records are gone", record: clean, removed: []string{"checkpoint/offsets/", "checkpoint/commits/"},
		edits: with(fails, map[string]string{`positions.json "0": 0,`: `"0": 3,`}), want: "refuses 0 KAFKA_DATA_LOSS.COULD_NOT_READ_OFFSET_RANGE", loud: true},
	{name: "no plans: those records are gone, loss does not stop", record: clean, removed: []string{"checkpoint/offsets/", "checkpoint/commits/"},
		edits: map[string]string{`positions.json "0": 0,`: `"0": 3,`}, want: "fresh 0", loud: true},
}

// assign declares partitions in place of the topic.
func assign(partitions string) map[string]string {
	return map[string]string{`spec.yaml topics: ["` + topic + `"]`: `assign: {"` + topic + `": [` + partitions + `]}`}
}

// TestKafkaStarts changes records of real restarts as the kinds of restarts/README.md do, and holds what the rules of Kafka's source make of it.
func TestKafkaStarts(t *testing.T) {
	t.Parallel()
	for _, c := range kafkaStarts {
		t.Run(c.name, func(t *testing.T) {
			r := readRestarted(t, "testdata/restarts/"+c.record+".tar.gz")
			if c.release != "" {
				r.Spark = c.release
			}
			for edit, to := range c.edits {
				replace(t, r.tree, edit, to)
			}
			for name := range r.tree {
				if slices.ContainsFunc(c.removed, func(dir string) bool { return strings.HasPrefix(name, dir) }) {
					delete(r.tree, name)
				}
			}
			v := r.examine(t)
			got := fmt.Sprintf("%s %d %s", v.Restart.Outcome, v.Restart.Batch, v.Restart.Error)
			worst, _ := v.Worst()
			loud := worst >= checks.High || v.Restart.Outcome == checks.Refuses
			if !strings.HasPrefix(got, c.want) || loud != c.loud {
				t.Errorf("%s (loud: %v), want %s (%v)\n%s", got, loud, c.want, c.loud, v.Restart.Because)
			}
		})
	}
}

// replace changes a text of a file, which must be there.
func replace(t *testing.T, tree fstest.MapFS, edit, to string) {
	t.Helper()
	name, was, _ := strings.Cut(edit, " ")
	f := tree[name]
	if f == nil || !strings.Contains(string(f.Data), was) {
		t.Fatalf("%s does not have %q", name, was)
	}
	tree[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), was, to, 1))}
}
