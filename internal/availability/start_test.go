package availability

import (
	"strings"
	"testing"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/spec"
)

func offsetOf(line string) source.Offset {
	return source.Decode([]byte(line), decode.Where{File: "offsets/4", Line: 3})
}

// told is a source as a file of positions tells it.
func told(t *testing.T, line, entry string) *Source {
	t.Helper()
	p, err := Parse("p", []byte(`{"positions": 1, "sources": [{"index": 0, `+entry+`}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Probe(t.Context(), []SourceProgress{recordedAs(0, line)})
	if err != nil {
		t.Fatal(err)
	}
	return &got[0]
}

// A start for a new query is clamped to what is there, and says what that skips or reads again.
func TestBeginAt(t *testing.T) {
	t.Parallel()
	const orders = `{"orders":{"0":1900,"1":40,"10":7}}`
	const table = `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":805,"index":-1,"isStartingVersion":false}`
	const within = `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":805,"index":3,"isStartingVersion":false}`
	for _, c := range []struct {
		name, line string
		k          *Source
		want       string // option=value, and the notes
	}{
		{"nothing is known", orders, nil, `startingOffsets={"orders":{"0":1900,"1":40,"10":7}}`},
		{"all of it is there", orders, told(t, orders, `"earliest": {"orders":{"0":0,"1":40}}, "latest": {"orders":{"0":1900,"1":90}}`), `startingOffsets={"orders":{"0":1900,"1":40,"10":7}}`},
		{"aged out", orders, told(t, orders, `"earliest": {"orders":{"0":2000,"1":40}}`),
			`startingOffsets={"orders":{"0":2000,"1":40,"10":7}} | skipped, because their records are deleted: orders/0 1900 to 2000`},
		{"made anew", orders, told(t, orders, `"earliest": {"orders":{"0":0}}, "latest": {"orders":{"0":300}}`),
			`startingOffsets={"orders":{"0":0,"1":40,"10":7}} | read from the beginning, because they end before that position: orders/0 (it was at 1900 and ends at 300)`},
		{"a partition more", orders, told(t, orders, `"earliest": {"orders":{"0":0,"11":5}}`),
			`startingOffsets={"orders":{"0":1900,"1":40,"10":7,"11":5}} | read from the beginning, because the checkpoint has no position of them: orders/11`},
		{"partitions less", orders, &Source{Whole: true, Parts: []Part{{Name: "orders/0", Earliest: versionAt(5), Latest: versionAt(1900)}, {Name: "orders/1"}}},
			`startingOffsets={"orders":{"0":1900,"1":40}} | omitted, because they no longer exist: orders/10 (it was at 7)`},
		{"a partition does not exist", orders, told(t, orders, `"earliest": {"orders":{"0":0}}, "gone": {"orders":[10]}`),
			`startingOffsets={"orders":{"0":1900,"1":40}} | omitted, because they no longer exist: orders/10 (it was at 7)`},
		{"the topic does not exist", orders, told(t, orders, `"gone": {"orders":true}`),
			`none | omitted, because they no longer exist: orders/0 (it was at 1900), orders/1 (it was at 40), orders/10 (it was at 7)`},
		{"a version", table, told(t, table, `"earliest": 800, "latest": 890`), `startingVersion=805`},
		{"a version that is gone", table, told(t, table, `"earliest": 812, "latest": 890`), `startingVersion=812 | version 805 no longer exists: the start uses version 812, the oldest left, and skips 7 versions`},
		{"within a version", within, told(t, within, `"earliest": 800, "latest": 890`), `startingVersion=805 | it reads again files 0 to 3 of version 805`},
		{"caught up", table, told(t, table, `"earliest": 800, "latest": 805`),
			`startingVersion=805 | version 805 is not written yet, and Delta rejects it until then: start later. Use the value latest if nothing is written before the start`},
		{"another table", table, told(t, table, `"table_id": "9e1d", "earliest": 0, "latest": 2`), `none | the table now has the ID 9e1d, and the position belongs to the table 5b0c`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := StartAt(offsetOf(c.line), nil, c.k, nil)
			if got := begun(b, ok); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestBeginAsDeclared: a start has offsets for the partitions that the new query reads, and for no others.
func TestBeginAsDeclared(t *testing.T) {
	t.Parallel()
	const both = `{"clicks":{"0":5},"orders":{"0":1900,"1":40}}`
	there := told(t, both, `"earliest": {"clicks":{"0":0},"orders":{"0":0,"1":0,"2":7}}`)
	for _, c := range []struct {
		name     string
		k        *Source
		declared spec.Source
		want     string
	}{
		{"nothing is declared", nil, spec.Source{Kind: "kafka"}, `startingOffsets=` + both},
		{"all is declared", nil, spec.Source{Pattern: ".*"}, `startingOffsets=` + both},
		{"a topic less", nil, spec.Source{Topics: []string{"orders"}},
			`startingOffsets={"orders":{"0":1900,"1":40}} | omitted, because the spec does not declare them: clicks/0`},
		{"a topic less, asked", there, spec.Source{Topics: []string{"orders"}}, `startingOffsets={"orders":{"0":1900,"1":40,"2":7}}` +
			` | read from the beginning, because the checkpoint has no position of them: orders/2 | omitted, because the spec does not declare them: clicks/0`},
		{"assigned, asked", there, spec.Source{Assign: []spec.TopicPartitions{{Topic: "orders", Partitions: []int64{1}}}},
			`startingOffsets={"orders":{"1":40}} | omitted, because the spec does not declare them: clicks/0, orders/0`},
		{"other topics", nil, spec.Source{Topics: []string{"refunds"}}, `none | omitted, because the spec does not declare them: clicks/0, orders/0, orders/1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b, ok := StartAt(offsetOf(both), source.Kafka, c.k, &c.declared)
			if got := begun(b, ok); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func begun(b StartPosition, ok bool) string {
	text := b.Option + "=" + b.Value
	if !ok {
		text = "none"
	}
	return strings.Join(append([]string{text}, b.Notices()...), " | ")
}

// The option of Iceberg takes a time, which only the table knows of a snapshot.
func TestBeginAtOfIceberg(t *testing.T) {
	t.Parallel()
	k := &Source{Snapshots: []int64{10, 11}, Moments: []Moment{{ID: 10, Time: 1000, Files: 3}, {ID: 11, Time: 2000, Files: -1}}}
	for _, c := range []struct{ name, line, want string }{
		{"all files read", `{"version":1,"snapshot_id":10,"position":3,"scan_all_files":false}`, "stream-from-timestamp=1001"},
		{"some files read", `{"version":1,"snapshot_id":10,"position":2,"scan_all_files":false}`, "stream-from-timestamp=1000 | it reads again 2 files of snapshot 10"},
		{"no file read", `{"version":1,"snapshot_id":10,"position":0,"scan_all_files":false}`, "stream-from-timestamp=1000"},
		{"not told how many files", `{"version":1,"snapshot_id":11,"position":4,"scan_all_files":false}`, "stream-from-timestamp=2000 | it reads again 4 files of snapshot 11"},
		{"expired", `{"version":1,"snapshot_id":9,"position":4,"scan_all_files":false}`, "stream-from-timestamp=1000 | snapshot 9 and its creation time are no longer recorded; " +
			"the oldest snapshot left is 10. Older data is skipped, and data of this and later snapshots is read again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := StartAt(offsetOf(c.line), nil, k, nil)
			if got := begun(b, ok); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if _, ok := StartAt(offsetOf(`{"version":1,"snapshot_id":9,"position":4,"scan_all_files":false}`), nil, nil, nil); ok {
		t.Error("without the table there is no time")
	}
}

func TestBeginFromATime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 29, 2, 0, 0, 0, time.UTC)
	const later = " | a later time than the end of batch 4 skips the data in between; an earlier time reads it again"
	for _, c := range []struct {
		name, line string
		parts      []Part
		want       string
	}{
		{"kafka, asked", `{"orders":{"0":1900,"1":40}}`, []Part{{Name: "orders/0", Earliest: versionAt(1500)}, {Name: "orders/1", Earliest: versionAt(90)}, {Name: "orders/2", Earliest: versionAt(3)}},
			`startingOffsets={"orders":{"0":1500,"1":90,"2":3}} | read again: orders/0 1500 to 1900 | skipped: orders/1 40 to 90`},
		{"kafka, not asked", `{"orders":{"0":1900,"1":40}}`, nil, `startingOffsetsByTimestamp={"orders":{"0":1795917600000,"1":1795917600000}}` +
			` | not checked: the offsets. Spark 3.0 and later looks them up at the start, and fails for a partition without a record that late` + later},
		{"delta", `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":805,"index":3,"isStartingVersion":false}`, nil,
			"startingTimestamp=2026-11-29 02:00:00.000 | Spark reads this time in the session time zone; this one is in UTC" + later},
		{"iceberg", `{"version":1,"snapshot_id":10,"position":2,"scan_all_files":false}`, nil, "stream-from-timestamp=1795917600000" + later},
		{"kinesis", `{"metadata":{"streamName":"s","batchId":"7"},"shardId-0":{"iteratorType":"TRIM_HORIZON","iteratorPosition":""}}`, nil,
			`startingPosition={"metadata":{"streamName":"s","batchId":"7"},"shardId-0":{"iteratorPosition":"1795917600000","iteratorType":"AT_TIMESTAMP"}}` + later},
		{"a folder of files", `{"logOffset":4}`, nil, "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ok := StartFromTime(offsetOf(c.line), at, c.parts, 4)
			if got := begun(b, ok); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
