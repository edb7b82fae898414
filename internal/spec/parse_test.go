package spec

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"tidemark/checkpoint/row"
	"tidemark/checkpoint/spark"
)

func schema(t *testing.T, text string) *row.Type {
	t.Helper()
	typ, err := row.ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// TestWholeSpec reads a file that has every key.
func TestWholeSpec(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("whole.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	delay, off, hour, none := "10 minutes", false, "1 hour", ""
	want := &Spec{
		From: "whole.yaml", Query: "orders-by-shop", Spark: spark.Version{Major: 4, Minor: 1},
		Sources: []Source{
			{At: Pos{5, 5}, Kind: "kafka", Name: "orders", Topics: []string{"orders"}},
			{At: Pos{8, 5}, Kind: "delta", TableID: "5b0c7a4e-2a0d-4f0e-9d3d-0d9f5f4f1c11", Location: "s3://lake/shops"},
			{At: Pos{11, 5}, Kind: "kafka", Pattern: "orders-.*", Options: map[string]string{"failOnDataLoss": "false", "maxOffsetsPerTrigger": "9000"}},
			{At: Pos{16, 5}, Kind: "kafka", Assign: []TopicPartitions{{"orders", []int64{0, 1}}, {"a: b", []int64{7}}}},
		},
		Operators: []Operator{
			{At: Pos{19, 5}, Name: "stateStoreSave", Key: schema(t, "shop_id STRING NOT NULL"), Value: schema(t, "count BIGINT"), Provider: "rocksdb", StateFormat: 2},
			{At: Pos{24, 5}, Name: "symmetricHashJoin", Join: "left_outer", Left: schema(t, "k STRING, v BIGINT"), Right: schema(t, "k2 STRING, ts2 TIMESTAMP")},
			{At: Pos{28, 5}, Name: "transformWithStateExec", TimeMode: "event_time", Variables: []Variable{
				{At: Pos{31, 7}, Name: "total", Kind: "value", Value: schema(t, "n BIGINT"), TTL: &hour},
				{At: Pos{32, 7}, Name: "a: b", Kind: "map", Key: schema(t, "k STRING"), Value: schema(t, "c BIGINT"), TTL: &none},
				{At: Pos{37, 7}, Name: "seen"},
			}},
		},
		Conf:       map[string]string{"spark.sql.shuffle.partitions": "200", "spark.sql.streaming.minBatchesToRetain": "100", "spark.sql.streaming.noDataMicroBatches.enabled": "true"},
		Sink:       &Sink{At: Pos{43, 3}, Kind: "delta", Location: "s3://lake/orders_by_shop", Schema: schema(t, "shop_id STRING, count BIGINT"), Replay: "ignored"},
		OutputMode: "update", Watermark: &delay, AsyncProgress: &off, Trigger: "1 minute", Owner: "team-orders",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestPage reads the specs of the page on specs.
func TestPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/spec.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")[1:]
	if len(blocks) < 2 {
		t.Fatalf("%d specs", len(blocks))
	}
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		if _, err := Parse("page", []byte(block)); err != nil {
			t.Error(err)
		}
	}
}

// TestAbsentIsNotEmpty tells what was not said from what was said to be nothing.
func TestAbsentIsNotEmpty(t *testing.T) {
	t.Parallel()
	absent, err := Parse("x", []byte("spec: 1\n"))
	if err != nil || absent.Sources != nil || absent.Operators != nil || absent.Conf != nil || absent.Sink != nil || absent.Watermark != nil || absent.AsyncProgress != nil {
		t.Errorf("%+v, %v", absent, err)
	}
	operators, err := Parse("x", []byte("operators:\n- variables: {}\n- {}\n"))
	if err != nil || operators.Operators[0].Variables == nil || operators.Operators[1].Variables != nil {
		t.Errorf("%+v, %v", operators, err)
	}
	empty, err := Parse("x", []byte("sources: []\noperators: []\nwatermark: \"\"\n"))
	if err != nil || empty.Sources == nil || empty.Operators == nil || empty.Watermark == nil || *empty.Watermark != "" {
		t.Errorf("%+v, %v", empty, err)
	}
}

// TestOption finds an option as Spark does, whatever the case of its letters.
func TestOption(t *testing.T) {
	t.Parallel()
	s, err := Parse("x", []byte("sources:\n- options: {FAILONDATALOSS: false}\n- kind: kafka\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v, declared := s.Sources[0].Option("failOnDataLoss"); v != "false" || !declared {
		t.Errorf("%q, %v", v, declared)
	}
	if v, declared := s.Sources[1].Option("failOnDataLoss"); v != "" || declared {
		t.Errorf("%q, %v", v, declared)
	}
	if v, declared := (*Source)(nil).Option("failOnDataLoss"); v != "" || declared {
		t.Errorf("%q, %v", v, declared)
	}
}

// TestFormsOfOneThing reads what people write in more than one way.
func TestFormsOfOneThing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"spark: \"3.5\"", "spark: 3.5", "spark: 3.5.1", "\ufeffspark: 3.5\r\nspec: 1\r\n", "--- # the form\nspark: '3.5'\n...\n", `{"spark": "3.5"}`,
	} {
		s, err := Parse("x", []byte(text))
		if err != nil || s.Spark != (spark.Version{Major: 3, Minor: 5}) {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	for _, text := range []string{"10 seconds", "interval 1 hour 30 minutes", "0.5 seconds", "-1 day", "1 WEEK", "Available-Now"} {
		if s, err := Parse("x", []byte("trigger: "+text)); err != nil || s.Trigger == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{"event_time": "event_time", "EventTime": "event_time", "ProcessingTime": "processing_time", "None": "none"} {
		if s, err := Parse("x", []byte("operators:\n- time_mode: "+text)); err != nil || s.Operators[0].TimeMode != want {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{"LeftOuter": "left_outer", "left outer": "left_outer", "INNER": "inner", "left-semi": "left_semi"} {
		if s, err := Parse("x", []byte("operators:\n- join: "+text)); err != nil || s.Operators[0].Join != want {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
	s, err := Parse("x", []byte("sources:\n- &k {kind: Kafka, topics: &t [a]}\n- *k\n- kind: com.acme.Kafka2\n  topics: *t\n- kind: parquet\n"))
	if err != nil || len(s.Sources) != 4 || s.Sources[1].Kind != "kafka" || s.Sources[1].At != (Pos{3, 3}) || s.Sources[2].Topics[0] != "a" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestErrors reads the stories of testdata/errors.txtar: a file, and what is said of it.
func TestErrors(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		file, want := archive.Files[i], archive.Files[i+1]
		t.Run(file.Name, func(t *testing.T) {
			data := strings.NewReplacer("<TAB>", "\t", "<FF>", "\xff", "<ESC>", "\x1b", "<NOTHING>\n", "").Replace(string(file.Data))
			_, err := Parse(file.Name, []byte(data))
			if err == nil {
				t.Fatal("no error")
			}
			if d := cmp.Diff(strings.TrimSpace(string(want.Data)), err.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestLimits gives files that would cost much: an error ends each of them.
func TestLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"long":    "owner: " + strings.Repeat("x", SizeLimit),
		"aliases": "sources:\n- topics: &t [" + strings.Repeat("a,", 1000) + "a]\n" + strings.Repeat("- topics: *t\n", 1000),
		"itself":  "sources: &s [*s]",
		"laughs":  laughs("sources: *l"), "laughs in conf": laughs("conf: {a: *l}"), "laughs as variables": laughs("operators: [{variables: *l}]"), "laughs as keys": laughs("? *l\n: 1"), "laughs merged": laughs("conf: {<<: *l}"),
		"deep":   "sources: " + strings.Repeat("[", 20_000),
		"schema": "operators:\n- key: a " + strings.Repeat("ARRAY<", 20_000),
	} {
		if _, err := Parse(name, []byte(text)); err == nil || len(err.Error()) > 10_000 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	_, err := Parse("many", []byte("conf:\n"+strings.Repeat("  ? [a]\n  : b\n", 50)))
	if n := strings.Count(err.Error(), "\n") + 1; n != problemLimit {
		t.Errorf("%d problems are told", n)
	}
}

// laughs is a document in which an alias stands for ten of the one before it, fifteen times over, and then this.
func laughs(use string) string {
	text := "owner: &a0 x\n"
	for i := 1; i <= 15; i++ {
		text += fmt.Sprintf("x%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), i-1)
	}
	return strings.ReplaceAll(text+use+"\n", "*l", "*a15")
}

// FuzzParse gives anything to the parser: each problem has its place in the file, and words.
func FuzzParse(f *testing.F) {
	whole, err := os.ReadFile("testdata/whole.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte("!0s*0aonf0onf000\rctor0:"))
	f.Add([]byte("---"))
	f.Add([]byte("a: b\u2028c: d\u0085e"))
	f.Add([]byte("sources: &a [*a]\nconf: {a: 1, a: 2}\noperators:\n- key: |\n    a INT,\n    b STRIG\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := Parse("x", data)
		if err == nil {
			return
		}
		all, ok := err.(Problems)
		if !ok || len(all) == 0 || len(all) > problemLimit {
			t.Fatalf("%q: %v", data, err)
		}
		lines := strings.Split(string(data), "\n")
		for _, p := range all {
			if p.Text == "" || p.At.Line < 1 || p.At.Line > len(lines) || p.At.Column < 1 || p.At.Column > len(lines[p.At.Line-1])+1 {
				t.Fatalf("%q: %v", data, p)
			}
		}
	})
}
