package availability

import (
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/spec"
)

// recordedAs is a source whose newest line is this one.
func recordedAs(index int, line string) SourceProgress {
	o := source.Decode([]byte(line), decode.Where{File: "offsets/4", Line: 3})
	r := SourceProgress{Index: index, From: o, Batch: 5}
	if len(o.Kinds) > 0 {
		r.Kind = o.Kinds[0]
	}
	return r
}

// TestGone reads topics and partitions that do not exist, and refuses those that have positions too.
func TestGone(t *testing.T) {
	t.Parallel()
	kafka := recordedAs(0, `{"orders":{"0":1},"clicks":{"2":1,"3":2}}`)
	const file = `{"positions": 1, "sources": [{"index": 0, "earliest": {"clicks": {"2": 0}}, "gone": {"orders": true, "clicks": [%s], "refunds": [5, 1], "baskets": true}}]}`
	probe := func(text string) ([]Source, error) {
		p, err := Parse("positions.json", []byte(text))
		if err != nil {
			return nil, err
		}
		return p.Probe(t.Context(), []SourceProgress{kafka})
	}
	got, err := probe(strings.Replace(file, "%s", "3", 1))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"orders/0": true, "orders/9": true, "clicks/3": true, "clicks/2": false, "other/0": false, "refunds/1": true, "refunds/5": true, "refunds/3": false, "baskets/7": true} {
		if got[0].IsGone(name) != want {
			t.Errorf("%s: gone is %v", name, !want)
		}
	}
	for text, want := range map[string]string{
		strings.Replace(file, "%s", "3, 2", 1):                                   `positions.json:1:85: sources[0].gone: clicks/2 has positions too: a part that does not exist has none`,
		strings.Replace(file, "%s", `"3"`, 1):                                    `positions.json:1:113: sources[0].gone.clicks[0]: expected a partition as a whole number from 0, not the text "3"`,
		`{"positions": 1, "sources": [{"index": 0, "gone": {"orders": false}}]}`: `positions.json:1:62: sources[0].gone.orders: expected true for the whole topic, or a list of its partitions, not false`,
		`{"positions": 1, "sources": [{"index": 0, "gone": ["orders"]}]}`:        `positions.json:1:51: sources[0].gone: expected topics, each with true or a list of its partitions, not a list`,
	} {
		if _, err := probe(text); err == nil || err.Error() != want {
			t.Errorf("%s:\n%v, want\n%s", text, err, want)
		}
	}
}

// TestGoneOfTwo puts together what a file says is gone and what brokers say: what the brokers have is not gone.
func TestGoneOfTwo(t *testing.T) {
	t.Parallel()
	position := &source.Position{Text: "4", Order: source.Number, Num: 4}
	file := Source{From: "positions.json", Gone: []string{"clicks/3", "orders", "refunds"}, Parts: []Part{{Name: "clicks/0", Earliest: position}}}
	for _, c := range []struct {
		name         string
		asked        Source
		gone, listed string
	}{
		{"nothing is known", Source{}, "clicks/3 orders refunds", "clicks/0"},
		{"all is known", Source{Whole: true, Gone: []string{"clicks"}}, "clicks", ""},
		{"one topic is there", Source{Parts: []Part{{Name: "orders/0", Latest: position}}}, "clicks/3 refunds", "orders/0"},
		{"a partition is there", Source{Parts: []Part{{Name: "clicks/3", Latest: position}}}, "orders refunds", "clicks/3"},
		{"a topic may not be seen", Source{Parts: []Part{{Name: "orders/0"}}, Gone: []string{"refunds"}}, "clicks/3 orders refunds", "orders/0"},
	} {
		c.asked.merge(&file)
		var parts []string
		for _, p := range c.asked.Parts {
			parts = append(parts, p.Name)
		}
		if got := strings.Join(c.asked.Gone, " "); got != c.gone || strings.Join(parts, " ") != c.listed {
			t.Errorf("%s: gone are %q and parts are %q, want %q and %q", c.name, got, parts, c.gone, c.listed)
		}
	}
}

func sourcesOf(n int) *spec.Spec { return &spec.Spec{Sources: make([]spec.Source, n)} }

// TestAllowing: a query that declares a source more than the newest plan has may be told of it. One that it does not declare is a mistake.
func TestAllowing(t *testing.T) {
	t.Parallel()
	file, err := Parse("positions.json", []byte(`{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": 1}}}, {"index": 1, "earliest": {"clicks": {"0": 1}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	recorded := []SourceProgress{recordedAs(0, `{"orders":{"0":4}}`)}
	for _, c := range []struct {
		given Prober
		told  int
	}{
		{file, 1}, {Chain{file}, 1}, {&TableLocation{Index: 1, Location: "in"}, 0},
	} {
		got, err := Allowing(c.given, sourcesOf(2)).Probe(t.Context(), recorded)
		if err != nil || len(got) != c.told {
			t.Errorf("%T: %d sources are told, want %d; %v", c.given, len(got), c.told, err)
		}
		for _, declared := range []*spec.Spec{nil, sourcesOf(0), sourcesOf(1)} {
			if _, err := Allowing(c.given, declared).Probe(t.Context(), recorded); err == nil {
				t.Errorf("%T: source 1 is no mistake for %+v", c.given, declared)
			}
		}
	}
}

// The contract's own example, asked of a checkpoint that has such sources.
func TestPositionsStayExact(t *testing.T) {
	t.Parallel()
	p, err := Parse("positions.json", []byte(`{"positions": 1, "sources": [
  {"index": 0, "earliest": {"orders": {"0": 9007199254740993, "1": 7913640}}, "latest": {"orders": {"0": 9223372036854775807, "1": 7990100}},
   "created_ms": {"orders": 1772528400000}},
  {"index": 1, "table_id": "5b0c", "earliest": 812, "latest": 890},
  {"index": 2, "snapshots": [8236465713390021201]}
]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Probe(t.Context(), []SourceProgress{
		recordedAs(0, `{"orders":{"0":1,"1":2}}`),
		recordedAs(1, `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":812,"index":-1,"isStartingVersion":false}`),
		recordedAs(2, `{"version":1,"snapshot_id":8236465713390021201,"position":3,"scan_all_files":false}`),
	})
	if err != nil || len(got) != 3 {
		t.Fatalf("%d sources, %v", len(got), err)
	}
	orders := got[0].Part("orders/0")
	if orders == nil || orders.Earliest.Num != 9007199254740993 || orders.Latest.Num != 9223372036854775807 || len(got[0].Parts) != 2 {
		t.Errorf("source 0: %+v", got[0])
	}
	if len(got[0].Created) != 1 || got[0].Created[0] != (Created{Name: "orders", Time: 1772528400000}) || got[0].At.Line != 2 || got[0].At.Column != 3 {
		t.Errorf("source 0: %+v at %v", got[0].Created, got[0].At)
	}
	if table := got[1]; table.TableID != "5b0c" || table.Part("").Earliest.Num != 812 || table.Part("").Latest.Num != 890 {
		t.Errorf("source 1: %+v", table)
	}
	if snapshots := got[2].Snapshots; len(snapshots) != 1 || snapshots[0] != 8236465713390021201 {
		t.Errorf("source 2: %v", snapshots)
	}
}

func TestPositionsThatAreWrongSayWhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"not JSON", `{"positions": 1, "sources": [}`, `p:1:30: not JSON: `},
		{"cut", `{"positions": 1,`, `p:1:17: not JSON: `},
		{"no version", `{"sources": []}`, `p:1:1: positions: the form version is missing: "positions": 1`},
		{"other version", `{"positions": 2, "sources": []}`, `p:1:15: positions: expected the form version, which is 1, not the number 2`},
		{"unknown key", "{\"positions\": 1,\n \"source\": []}", `p:2:12: "source" is not a key of a file of positions; did you mean sources?`},
		{"key of a source", `{"positions": 1, "sources": [{"index": 0, "earlyest": 3}]}`, `p:1:55: sources[0]: "earlyest" is not a key of a source; did you mean earliest?`},
		{"no index", `{"positions": 1, "sources": [{"earliest": 3}]}`, `p:1:30: sources[0]: index is missing: the number of the source in the offset log, from 0`},
		{"index a text", `{"positions": 1, "sources": [{"index": "0"}]}`, `p:1:40: sources[0].index: expected the number of the source in the offset log, from 0, not the text "0"`},
		{"index twice", `{"positions": 1, "sources": [{"index": 0}, {"index": 0}]}`, `p:1:54: index: source 0 occurs twice`},
		{"key twice", `{"positions": 1, "positions": 1, "sources": []}`, `p:1:31: positions: the key occurs twice`},
		{"partition twice", `{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": 1}, "orders": {"0": 2}}}]}`, `the key occurs twice`},
		{"sources no list", `{"positions": 1, "sources": {"0": 1}}`, `p:1:29: sources: expected a list of sources, not keys and values`},
		{"earliest a fraction", `{"positions": 1, "sources": [{"index": 0, "earliest": 1.5}]}`, `p:1:55: sources[0].earliest: expected a position as a whole number from 0, not the number 1.5`},
		{"earliest null", `{"positions": 1, "sources": [{"index": 0, "earliest": null}]}`, `p:1:55: sources[0].earliest: expected a position in the form of its source, not null`},
		{"snapshot a float", `{"positions": 1, "sources": [{"index": 0, "snapshots": [8.2e18]}]}`, `p:1:57: sources[0].snapshots[0]: expected a snapshot ID as a whole number, not the number 8.2e18`},
		{"snapshots a number", `{"positions": 1, "sources": [{"index": 0, "snapshots": 8}]}`, `expected a list of snapshot IDs, not the number 8`},
		{"table id a number", `{"positions": 1, "sources": [{"index": 0, "table_id": 8}]}`, `expected a table ID as text, not the number 8`},
		{"created a date", `{"positions": 1, "sources": [{"index": 0, "created_ms": "2026-11-29"}]}`, `expected a time in milliseconds since 1970, not the text "2026-11-29"`},
		{"created of a topic", `{"positions": 1, "sources": [{"index": 0, "created_ms": {"orders": true}}]}`, `sources[0].created_ms.orders: expected a time in milliseconds since 1970, not true`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// What can only be seen beside the checkpoint: an index past its sources, and positions of another kind.
func TestPositionsThatDoNotFit(t *testing.T) {
	t.Parallel()
	kafka := `{"orders":{"0":1,"1":2}}`
	for _, c := range []struct{ name, line, text, want string }{
		{"index", kafka, `{"positions": 1, "sources": [{"index": 1}]}`, "p:1:40: index: source 1 does not exist: the newest offset file has one source, 0"},
		{"a number for Kafka", kafka, `{"positions": 1, "sources": [{"index": 0, "earliest": 7}]}`, `p:1:55: sources[0].earliest: the number 7 is not a position of a kafka source: write it like {"orders": {"0": 7883100}}`},
		{"no partition", kafka, `{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": 7}}]}`, "p:1:55: sources[0].earliest: keys and values is not a position of a kafka source"},
		{"earliest by name", kafka, `{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": -2}}}]}`, `p:1:72: sources[0].earliest: topic "orders": partition 0: -2 is not an offset`},
		{"the wrong way round", kafka, `{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": 9}}, "latest": {"orders": {"0": 7}}}]}`, "p:1:87: sources[0].latest: orders/0: 7 is before earliest, which is 9"},
		{"a date for Hudi", `{"commitTime":"20261128093011123"}`, `{"positions": 1, "sources": [{"index": 0, "earliest": "2026-11-28"}]}`, "is not a position of a hudi source"},
		{"a name for a shard", `{"metadata":{"streamName":"s","batchId":"0"},"shardId-0":{"iteratorType":"TRIM_HORIZON","iteratorPosition":""}}`,
			`{"positions": 1, "sources": [{"index": 0, "earliest": {"shardId-0": "LATEST"}}]}`, "is not a position of a kinesis source"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Probe(t.Context(), []SourceProgress{recordedAs(0, c.line)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

// Positions may stand in the form of the source's own line too.
func TestPositionsInTheSourcesOwnForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, line, earliest, part, want string }{
		{"delta", `{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":812,"index":-1,"isStartingVersion":false}`,
			`{"sourceVersion":1,"reservoirId":"5b0c","reservoirVersion":700,"index":-1,"isStartingVersion":false}`, "", "700:-1"},
		{"hudi", `{"commitTime":"20261128093011123"}`, `{"commitTime":"20261128"}`, "", "20261128"},
		{"hudi, short", `{"commitTime":"20261128093011123"}`, `"20261128"`, "", "20261128"},
		{"kinesis, short", `{"metadata":{"streamName":"s","batchId":"0"},"shardId-0":{"iteratorType":"TRIM_HORIZON","iteratorPosition":""}}`, `{"shardId-0": "49605240428200006291917297020490128157480794051565322242"}`, "shardId-0", "49605240428200006291917297020490128157480794051565322242"},
		{"pulsar", `{"persistent://public/default/orders-partition-0":[8,12,16,3]}`, `{"persistent://public/default/orders-partition-0":[8,10,16,3]}`, "persistent://public/default/orders-partition-0", "10:3:-1"},
		{"no topic at all", `{"orders":{"0":1}}`, `{}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p", []byte(`{"positions": 1, "sources": [{"index": 0, "earliest": `+c.earliest+`}]}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Probe(t.Context(), []SourceProgress{recordedAs(0, c.line)})
			if err != nil {
				t.Fatal(err)
			}
			part := got[0].Part(c.part)
			if c.want == "" {
				if len(got[0].Parts) > 0 {
					t.Errorf("%+v, want none", got[0].Parts)
				}
				return
			}
			if part == nil || part.Earliest.Text != c.want {
				t.Errorf("%+v, want %s", got[0].Parts, c.want)
			}
		})
	}
}

// Of two that know one thing, the first counts, and what only the second knows is taken from it.
func TestAllPutsTogetherWhatSeveralKnow(t *testing.T) {
	t.Parallel()
	first, err := Parse("first", []byte(`{"positions": 1, "sources": [{"index": 1, "earliest": {"orders": {"0": 5}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Parse("second", []byte(`{"positions": 1, "sources": [{"index": 0, "latest": {"orders": {"0": 9}}}, {"index": 1, "earliest": {"orders": {"0": 7}}, "created_ms": 3}]}`))
	if err != nil {
		t.Fatal(err)
	}
	line := `{"orders":{"0":1}}`
	got, err := Chain{first, second}.Probe(t.Context(), []SourceProgress{recordedAs(0, line), recordedAs(1, line)})
	if err != nil || len(got) != 2 || got[0].Index != 0 || got[1].Index != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if one := got[1]; one.Part("orders/0").Earliest.Num != 5 || len(one.Created) != 1 || one.From != "first, second" {
		t.Errorf("%+v", one)
	}
}
