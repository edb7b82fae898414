package ui

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
)

// declared are differences of every effect, as a run tells them: in the order of the spec.
var declared = []checks.Event{
	{Drift: &checks.Drift{
		Field: "operators[0].key", Declared: "shop_id STRING, region STRING", Recorded: "shop_id STRING", Effect: checks.RefusesDrift, Error: "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE",
		Where: decode.Where{File: "state/0/_metadata/schema"}, Meaning: "The key of the state has another column.", NextStep: "Start the new code on a new checkpoint.", Avoid: "Do not delete the state folder.",
	}},
	{Drift: &checks.Drift{
		Field: "conf.spark.sql.shuffle.partitions", Declared: "400", Recorded: "200", Effect: checks.KeepsRecorded, Where: decode.Where{File: "offsets/9", Line: 2},
		Meaning: "The number stays as it was when the query first ran.", NextStep: "Nothing has to be done.",
	}},
	{Drift: &checks.Drift{Field: "watermark", Declared: "20 minutes", Effect: checks.Allowed, Meaning: "The delay may change.", NextStep: "Nothing has to be done."}},
	{Drift: &checks.Drift{
		Field: "sources[0]", Declared: "kafka orders-v2", Recorded: "kafka orders", Effect: checks.Misreads, Where: decode.Where{File: "offsets/9", Line: 3},
		Meaning: "Another topic of the same shape.", NextStep: "Ask who changed the topic.",
	}},
	{Compared: &checks.Compared{Agrees: []string{"operators[0].name"}, NotCompared: []string{"output_mode: it is not recorded"}}},
}

func TestDriftShowsTheWorstFirst(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		events := everything(t, tree())
		events = append(append(events[:1:1], declared...), events[1:]...)
		o := openTree(tree())
		o.Examine.Spec = &spec.Spec{From: "orders.yaml"}
		d := drive(t, o, events, size[0], size[1])
		d.run(d.Init())
		d.press("D")
		golden(t, fmt.Sprintf("drift-full-%dx%d.txt", size[0], size[1]), d.screen())
		d.press("j")
		golden(t, fmt.Sprintf("drift-refused-%dx%d.txt", size[0], size[1]), d.screen())
		d.press("/", "4", "0", "0", "enter")
		d.shows("1 of 6", "400", "200")
		d.press("enter")
		if d.crumbs() != "overview › drift › offsets/9" {
			t.Errorf("enter led to %q", d.crumbs())
		}
	}
}

func TestPlanTellsTheWay(t *testing.T) {
	events := everything(t, tree())
	done := *events[len(events)-1].Done
	done.Migration = &checks.Migration{Batch: 10, File: "offsets/10", Steps: []string{"Stop every run of the old query."}, Keep: []string{"the whole checkpoint"},
		Starts: []availability.StartPosition{{Kinds: []string{"kafka"}, Option: "startingOffsets", Value: `{"orders":{"0":1350}}`}}}
	events = append(append(events[:1:1], declared...), append(events[1:len(events)-1:len(events)-1], checks.Event{Done: &done})...)
	o := openTree(tree())
	o.Examine.Spec = &spec.Spec{From: "orders.yaml"}
	d := drive(t, o, events, 80, 24)
	d.run(d.Init())
	d.press("D", "G")
	d.shows("? 1", "✓ 1 equal", "? output mode", "not compared")
	d.press("P")
	d.shows("startingOffsets", `{"orders":{"0":1350}}`, "1 Stop every run", "batch 10")
	d.press("esc")
	if d.crumbs() != "overview › drift" {
		t.Errorf("esc led to %q", d.crumbs())
	}
}

func TestDriftSaysWhyThereIsNone(t *testing.T) {
	o := openTree(tree())
	d := drive(t, o, everything(t, tree()), 80, 24)
	d.run(d.Init())
	d.press("D")
	d.shows("no spec was given", "--spec FILE", "tidemark spec")
	o.Examine.Spec = &spec.Spec{}
	d = drive(t, o, everything(t, tree()), 80, 24)
	d.run(d.Init())
	d.press("D")
	d.shows("No difference")
}

// TestDriftIsADiff: what only one side has is marked, what both have is not, and the same beginning of two long values goes.
func TestDriftIsADiff(t *testing.T) {
	events := everything(t, tree())
	class := "org.apache.spark.sql.execution.streaming.state."
	provider := checks.Event{Drift: &checks.Drift{Field: "conf.spark.sql.streaming.stateStore.providerClass", Declared: class + "RocksDBStateStoreProvider",
		Recorded: class + "HDFSBackedStateStoreProvider", Effect: checks.KeepsRecorded, Meaning: "Spark keeps the provider."}}
	events = append(append(events[:1:1], append(declared[:len(declared):len(declared)], provider)...), events[1:]...)
	o := openTree(tree())
	o.Examine.Spec = &spec.Spec{From: "specs/orders.yaml"}
	d := drive(t, o, events, 140, 40)
	d.run(d.Init())
	d.press("D")
	d.shows("declared in orders.yaml", "- kafka orders", "+ kafka orders-v2", "shop_id, + region STRING", "- …HDFSBacked", "+ …RocksDB", "not recorded", "keeps 200")
	for _, want := range []string{"operator 0 · key", "shuffle.partitions", "source 0"} {
		d.shows(want)
	}
	before := len(d.rows())
	d.press("=")
	if got := len(d.rows()); got != before {
		t.Errorf("%d rows with one equal field open, %d with it folded", got, before)
	}
	d.run(d.command("drift operators[0].name"))
	if x := d.selected(); !strings.Contains(x, "operator 0 · name") || !strings.Contains(x, "equal") {
		t.Errorf("the line of an equal field selects %q", x)
	}
}

// TestDriftOffersTheWays: where the code does not fit, the ways are there to choose from, and what a new checkpoint costs.
func TestDriftOffersTheWays(t *testing.T) {
	events := everything(t, tree())
	done := *events[len(events)-1].Done
	done.Migration = &checks.Migration{Batch: 10, File: "offsets/10", Open: []int64{11}}
	events = append(append(events[:1:1], declared...), append(events[1:len(events)-1:len(events)-1], checks.Event{Done: &done})...)
	o := openTree(tree())
	o.Examine.Spec = &spec.Spec{From: "orders.yaml"}
	d := drive(t, o, events, 140, 40)
	d.run(d.Init())
	d.press("D")
	d.shows("Go back", "Migrate", "end of batch 10", "rows of batch 11")
	if strings.Contains(d.screen(), "rebuilt,") {
		t.Errorf("there is no state to rebuild:\n%s", d.screen())
	}
}
