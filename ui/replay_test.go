package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
	"tidemark/internal/availability"
	"tidemark/internal/checks/examine"
	"tidemark/internal/output"
)

// outputUpTo is an output that has the batches up to highest.
type outputUpTo struct{ highest int64 }

func (d outputUpTo) Look(context.Context, output.Query) (output.Held, error) {
	h := output.Held{Kind: "delta", Location: "s3://lake/orders", Highest: d.highest, By: output.QueryID, Notes: []string{"a table\x1b[31m of theirs"}}
	for id := d.highest; id > d.highest-5; id-- {
		h.Batches = append(h.Batches, output.Batch{ID: id, Rows: 10 * id, Files: 2, Proof: output.Proof{Where: decode.Where{File: fmt.Sprintf("_delta_log/%020d.json", id), Line: 2, Offset: 246}, Version: id + 3, Time: now.UnixMilli()}})
	}
	h.Proof = h.Batches[0].Proof
	return h, nil
}

// replayed is the incident with an output that has the batches up to highest, and sources that lost the beginning of
// what is to be read again.
func replayed(t *testing.T, highest int64, w, h int) *driver {
	t.Helper()
	positions, err := availability.Parse("positions.json", []byte(`{"positions": 1, "sources": [{"index": 0, "earliest": {"orders": {"0": 2550, "1": 1000, "2": 0, "3": 0}}, "latest": {"orders": {"0": 2900, "1": 2100, "2": 2010, "3": 5}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	o := openTree(tree())
	o.Examine.Sink, o.Examine.Kept = outputUpTo{highest}, positions
	d := drive(t, o, nil, w, h)
	d.examine = examine.Examine
	d.run(d.Init())
	return d
}

func TestReplayScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for name, keys := range map[string][]string{"replay-full": {"R"}, "output-full": {"W"}, "batches-output": {"B"}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := replayed(t, 11, size[0], size[1])
				d.press(keys...)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// TestReplay: the part that lost something stands first, its loss is counted, and the statement says what becomes of
// each range, with and without the batch in the output.
func TestReplay(t *testing.T) {
	d := replayed(t, 10, 140, 50)
	d.press("R")
	d.shows("gone 50", "✗ lost", "░", "█", "━", "╌", "✓ read again", "2500–2549", "2550–2649", "100 of 150", "positions.json", "○", "●", "commits/11 is missing")
	first := strings.Index(d.screen(), "orders/0")
	if second := strings.Index(d.screen(), "orders/1"); first < 0 || second < first {
		t.Errorf("orders/0 lost something and is not first:\n%s", d.screen())
	}
	d.press("s", "s")
	if first, second := strings.Index(d.screen(), "orders/0"), strings.Index(d.screen(), "orders/1"); first < 0 || second < first {
		t.Errorf("orders/0 has the most lag and is not first:\n%s", d.screen())
	}
	d.press("s", "/", "2", "5", "5", "0", "enter")
	d.shows("1 of 4")
	d.press("esc", "W")
	d.shows("─ not in the sink ─", "batch 11 is", "not in the sink", "✗ no", "246")

	d = replayed(t, 11, 140, 50)
	d.press("R")
	d.shows("already in the sink", "in the sink, not committed")
	d.press("W")
	d.shows("in the sink, not committed", "a table\\x1b[31m of theirs")
	d = replayed(t, 14, 140, 50)
	d.press("W")
	d.shows("✗ The sink", "sink ahead", "skip")
	d.press("R")
	d.shows("! skipped")
}

// TestReplayAsksForWhatItLacks: without an output and without sources the screens say what to give.
func TestReplayAsksForWhatItLacks(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 100, 40)
	d.run(d.Init())
	d.press("R")
	d.shows("--positions FILE", "? unknown", "has it", "rows are duplicated, unless it deduplicates batch IDs", "--sink LOCATION")
	d.press("W")
	d.shows("? Not checked", "--sink LOCATION")
}

// TestStartPositionsAreStillThere holds that what is copied for a new query begins where the source still has
// something, as tidemark offsets does, and that it is said.
func TestStartPositionsAreStillThere(t *testing.T) {
	d := replayed(t, 11, 120, 40)
	text, notes, err := d.Starts(-1)[0].Text(t.Context())
	if want := `{"orders":{"0":2550,"1":1820,"2":2010`; err != nil || !strings.HasPrefix(text, want) {
		t.Errorf("%s %v, want %s", text, err, want)
	}
	if len(notes) == 0 || !strings.Contains(notes[0], "orders/0") {
		t.Errorf("what is skipped is not the first that is said: %q", notes)
	}
}
