package trace

import (
	"encoding/json"
	"strings"
	"testing"
)

const wrapped = `org.apache.spark.sql.streaming.StreamingQueryException: Iterator expired.
=== Streaming Query ===
Identifier: orders [id = 1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2, runId = 91d0bd6e-9a3e-4d4f-a2a1-0c1f3f1f8c55]

	at org.apache.spark.sql.execution.streaming.StreamExecution.runStream(StreamExecution.scala:356)
Caused by: java.lang.IllegalStateException: Cannot fetch records in [24, 27) (GroupId: g, TopicPartition: orders-0).
	at org.apache.spark.sql.kafka010.InternalKafkaConsumer.fetch(K.scala:1)
`

// TestWhatStandsAroundATraceIsTakenOff: the same error is read out of whatever carried it here.
func TestWhatStandsAroundATraceIsTakenOff(t *testing.T) {
	t.Parallel()
	before := func(prefix string) string {
		return prefix + strings.ReplaceAll(strings.TrimSuffix(wrapped, "\n"), "\n", "\n"+prefix) + "\n"
	}
	inJSON := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	var docker strings.Builder
	for line := range strings.Lines(wrapped) {
		docker.WriteString(inJSON(map[string]string{"log": line, "stream": "stderr", "time": "2026-11-29T14:02:07Z"}))
	}
	for name, text := range map[string]string{
		"bare":              wrapped,
		"colors":            before("\x1b[31m"),
		"CRI":               before("2026-11-29T14:02:07.123456789Z stderr F "),
		"CRI with a host":   before("2026-11-29T14:02:07.123Z ip-10-0-0-7 stdout F "),
		"timestamps":        before("2026-11-29T14:02:07.123456789Z "),
		"a pod's name":      before("[pod/orders-driver/spark] "),
		"compose":           before("driver-1  | "),
		"syslog":            before("Nov 29 14:02:07 node-1 spark[812]: "),
		"a launcher":        before("26/11/29 14:02:07 ERROR ApplicationMaster: "),
		"a mail":            before("> "),
		"a mail in a mail":  before("> > "),
		"compose of stamps": before("driver-1  | 2026-11-29T14:02:07.1Z "),
		"docker's files":    docker.String(),
		"one string":        inJSON(map[string]string{"message": wrapped}),
		"Spark 4": inJSON(map[string]any{"ts": "2026-11-29T14:02:07.123Z", "level": "ERROR", "msg": "Query orders terminated with error", "logger": "MicroBatchExecution",
			"context":   map[string]string{"query_id": "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2", "run_id": "91d0bd6e-9a3e-4d4f-a2a1-0c1f3f1f8c55"},
			"exception": map[string]any{"class": "java.lang.IllegalStateException", "msg": "Cannot fetch records in [24, 27) (GroupId: g, TopicPartition: orders-0).", "stacktrace": []map[string]any{{"class": "org.apache.spark.sql.kafka010.InternalKafkaConsumer", "method": "fetch", "file": "K.scala", "line": "1"}}}}),
	} {
		got, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Condition == nil || got.Condition.Words != "Cannot fetch records in" || got.Query != "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2" || len(got.Parts) != 1 || got.Parts[0] != (Part{"orders", 0, 24, 27}) {
			t.Errorf("%s: condition %+v, query %q, parts %v", name, got.Condition, got.Query, got.Parts)
		}
		if strings.Contains(got.Reason().String(), "2026") || strings.Contains(got.Reason().String(), "\x1b") {
			t.Errorf("%s: the reason holds what stood around it: %s", name, got.Reason())
		}
	}
}

// TestPlainLogsAreLeftAsTheyAre: stamps of a log's own entries are no prefix of the traces in it.
func TestPlainLogsAreLeftAsTheyAre(t *testing.T) {
	t.Parallel()
	log := "2026-11-29T14:02:07.123Z INFO Starting\n" + wrapped + "2026-11-29T14:02:08.123Z INFO Stopping {\"a\":1}\n{\"b\":2}\n"
	if got := unwrapped(log); got != log {
		t.Errorf("a log became\n%s", got)
	}
}

// TestErrorsThatAreNotWhatTheirNeighboursAre: an error that has a word in common with another one has a meaning of its own.
func TestErrorsThatAreNotWhatTheirNeighboursAre(t *testing.T) {
	t.Parallel()
	for text, about := range map[string]string{
		"Caused by: java.nio.file.AccessDeniedException: s3a://b/cp/offsets/12: The provided token has expired. (Service: Amazon S3; Status Code: 400; Error Code: ExpiredToken)":                "the token of the query expired",
		"Caused by: org.apache.hadoop.ipc.RemoteException(org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException): No lease on /cp/orders/offsets/.12.tmp (inode 1): File does not exist.": "HDFS revoked the lease on a file",
		"org.rocksdb.RocksDBException: Mismatch in unique ID on table file ./1/000012.sst. Expected: {1,2} Actual: {3,4}":                                                                        "a RocksDB table file is not the one its snapshot names",
		"org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [orders]":                                                                                  "Kafka denied access",
		"com.amazonaws.services.kinesis.model.ExpiredIteratorException: Iterator expired.":                                                                                                       "an iterator of a Kinesis shard expired",
		"com.microsoft.azure.eventhubs.ReceiverDisconnectedException: New receiver 'spark-0' with higher epoch of '1' is created":                                                                "another reader took over an Event Hubs partition",
		"org.apache.spark.SparkIllegalArgumentException: [UNSUPPORTED_DATATYPE] Unsupported data type \"TIMESTAM\". SQLSTATE: 0A000":                                                             "a schema cannot be read",
		"java.io.IOException: rename from s3a://b/cp/offsets/.12.0a.tmp to s3a://b/cp/offsets/12 failed.":                                                                                        "a temporary file could not be renamed",
		"java.io.FileNotFoundException: rename source /cp/orders/state/0/3/.8.delta.0a.TID54.tmp not found.":                                                                                     "a temporary file disappeared before its rename",
		"java.lang.RuntimeException: Max offset with 5 rowsPerSecond is 10, but it's 12 now.":                                                                                                    "the options of a rate source changed",
		"org.apache.spark.shuffle.FetchFailedException: Connection reset by peer":                                                                                                                "a machine failed",
	} {
		got, err := Parse(text)
		if err != nil || got.Condition == nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got.Condition.Topic.About != about {
			t.Errorf("%s\nis about %q, want %q", text, got.Condition.Topic.About, about)
		}
	}
}

// TestWhatGivesAccessIsNotRepeated: a trace may hold a signed URL, and what is told of it is shown around.
func TestWhatGivesAccessIsNotRepeated(t *testing.T) {
	t.Parallel()
	got, err := Parse("Caused by: org.apache.hadoop.fs.azurebfs.contracts.exceptions.AbfsRestOperationException: Operation failed: \"x\", 404, HEAD, https://a.dfs.core.windows.net/c/cp/commits/12?upn=false&sig=hidden-one\nwith https://user:hidden-two@h/x")
	if err != nil {
		t.Fatal(err)
	}
	if said := got.Reason().String(); strings.Contains(said, "hidden") || !strings.Contains(said, "/c/cp/commits/12?…") {
		t.Errorf("the message is told as %s", said)
	}
}
