package spec

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgressInALog reads the last whole progress of a driver's log, whose end is cut, and takes from it what
// it says and nothing else.
func TestProgressInALog(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/progress.log")
	if err != nil {
		t.Fatal(err)
	}
	if !IsProgress(data) {
		t.Fatal("it is not seen that this is the progress of a query")
	}
	got, err := ParseProgress("driver.log", data)
	if err != nil {
		t.Fatal(err)
	}
	want := &Spec{
		From: "driver.log", Query: `orders {by} "shop"`,
		Sources: []Source{
			{Kind: "kafka", Topics: []string{"orders", "refunds"}},
			{Kind: "kafka", Pattern: "or[a-z]*-.*"},
			{Kind: "kafka", Topics: []string{"a-b", "c"}},
			{Kind: "file", Location: "file:/data/in"},
			{Kind: "delta", Location: "s3a://lake/shops", TableID: "5b0c7a4e-2a0d-4f0e-9d3d-0d9f5f4f1c11"},
			{Kind: "delta", TableID: "5b0c7a4e-2a0d-4f0e-9d3d-0d9f5f4f1c11"},
			{Kind: "rate"},
			{},
		},
		Operators: []Operator{{Name: "dedupe"}, {Name: "stateStoreSave"}},
		Sink:      &Sink{Kind: "file", Location: "s3a://lake/out"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestProgressForms reads one line of a listener, an event log, and a list as lastProgress prints it.
func TestProgressForms(t *testing.T) {
	t.Parallel()
	const one = `{"id":"a","runId":"b","name":null,"batchId":3,"durationMs":{"addBatch":1},"stateOperators":[],"sources":[{"description":"MemoryStream[value#1]","endOffset":0}],"sink":{"description":"ForeachBatchSink"}}`
	for name, text := range map[string]string{
		"one":       one,
		"lines":     one + "\n" + one + "\n",
		"event log": `{"Event":"org.apache.spark.sql.streaming.StreamingQueryListener$QueryProgressEvent","progress":` + one + "}\n",
		"list":      "[" + one + "," + one + "]",
		"no batch":  one + "\n" + `{"id":"a","runId":"b","timestamp":"…","sources":[]}`,
	} {
		s, err := ParseProgress(name, []byte(text))
		if err != nil || len(s.Sources) != 1 || s.Sources[0].Kind != "memory" || s.Query != "" || s.Operators == nil || s.Sink.Kind != "foreach-batch" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	idle := strings.ReplaceAll(one, `"addBatch":1`, "")
	if s, err := ParseProgress("idle", []byte(idle)); err != nil || s.Operators != nil {
		t.Errorf("before the first batch a query lists no operators, and may have some: %+v, %v", s, err)
	}
}

func TestNoProgress(t *testing.T) {
	t.Parallel()
	for text, at := range map[string]Pos{
		"spec: 1\n": {1, 1},
		"x\n  {\"id\":\"a\",\"runId\":\"b\",\"batchId\":1,\"sources\":[": {2, 13},
		`"runId" "batchId" "sources"`:                                    {1, 1},
	} {
		_, err := ParseProgress("x", []byte(text))
		all, ok := err.(Problems)
		if !ok || len(all) != 1 || all[0].At != at {
			t.Errorf("%q: %v", text, err)
		}
	}
	if IsProgress([]byte("spec: 1\nsources: []\nowner: runId batchId\n")) {
		t.Error("a spec is taken for the progress of a query")
	}
}

func FuzzParseProgress(f *testing.F) {
	data, err := os.ReadFile("testdata/progress.log")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"runId":{"runId":"}","batchId":1,"sources":[{"description":"KafkaV2[Subscribe["}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseProgress("x", data)
		if (s == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", data, s, err)
		}
	})
}
