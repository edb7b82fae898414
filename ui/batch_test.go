package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/ui/kit"
)

// TestBatchNamesTheFilesOfAFileSource: the plan names only an entry of the source's log; the screen says which files
// those are, and opens the log at one of them.
func TestBatchNamesTheFilesOfAFileSource(t *testing.T) {
	d := drive(t, archive("file-source"), nil, 120, 40)
	d.run(d.Init())
	d.press("B", "enter")
	d.shows("Batches › 6", "Reads", "source 0 reads 2 files, by entry 6 of sources/0", "in-011.json  modified 2026-11-29 14:30:56",
		"in-012.json  modified 2026-11-29 14:30:56")
	for range 40 {
		if strings.HasPrefix(d.at(), "sources/0/6:2") {
			d.press("enter")
			d.shows("sources/0/6")
			return
		}
		d.press("j")
	}
	t.Error("the cursor finds no file")
}

// wideTree is a checkpoint whose newest batch reads 120 partitions: each tenth of them 100 records, partition 3 one, the others 1,000.
func wideTree() fstest.MapFS {
	fsys := tree()
	for i, id := range []int64{10, 11} {
		var ends []string
		for p := range int64(120) {
			n := int64(1000)
			switch {
			case p == 3:
				n = 1
			case p%10 == 0:
				n = 100
			}
			ends = append(ends, fmt.Sprintf("%q:%d", fmt.Sprint(p), 1_000_000+p*17+n*int64(i)))
		}
		plan := fmt.Sprintf("v1\n{\"batchWatermarkMs\":%d,\"batchTimestampMs\":%d,\"conf\":{}}\n{\"orders\":{%s}}",
			now.UnixMilli()-60_000, now.UnixMilli(), strings.Join(ends, ","))
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte(plan)}
	}
	return fsys
}

// TestBatchReads: each partition has its share as a number, also where it is nearly nothing, and a bar; the list is filtered by
// what it shows and sorted, and the place of the bytes is that of its row.
func TestBatchReads(t *testing.T) {
	fsys := wideTree()
	d := drive(t, openTree(fsys), everything(t, fsys), 120, 40)
	d.run(d.Init())
	d.press("B", "enter")
	d.shows("! Batch 11 is uncommitted", "120 partitions · ≤ 108,201 records · by partition", "0.9 % ████████████████", "< 0.1 % █ ",
		"< 0.1 %")
	if d.screen(); strings.Contains(d.screen(), " 0 %") {
		t.Errorf("a share of something is 0 %%:\n%s", d.screen())
	}
	at := d.at()
	d.press("/")
	d.letters("/7")
	d.press("enter")
	d.shows("filter //7 11 of 120", "orders/7 ", "orders/70", "orders/79")
	d.hides("orders/17")
	d.press("esc", "/")
	d.letters("→ 1001290") // the end of partition 70
	d.press("enter")
	d.shows("filter /→ 1001290 1 of 120", "▸orders/70 ")
	d.press("esc")
	for i, want := range []string{"orders/1 ", "orders/3 "} { // most first, least first
		d.press("s", "g")
		if got := d.selected(); !strings.HasPrefix(got, want) {
			t.Errorf("order %d begins with %q, want %q", i, got, want)
		}
	}
	if d.at() == at || !strings.HasPrefix(d.at(), "offsets/11:3@") {
		t.Errorf("the place of %q is %q", d.selected(), d.at())
	}
	if !strings.Contains(d.screen(), "─ "+d.at()+" ─") {
		t.Errorf("the bytes are not those of %q:\n%s", d.at(), d.screen())
	}
	frame := strings.Split(d.View().Content, "\n")
	if marked := d.Theme.Marked.Styled("1000052"); !strings.Contains(strings.Join(frame, "\n"), marked) {
		t.Errorf("the end of partition 3 is not pointed at:\n%s", d.screen())
	}
}

// TestBatchFoldsWhatHasNotTheKeys: on a small terminal the panel with the keys has the room, and tab goes through all.
func TestBatchFoldsWhatHasNotTheKeys(t *testing.T) {
	fsys := wideTree()
	for _, size := range [][2]int{{60, 15}, {80, 24}} {
		d := drive(t, openTree(fsys), everything(t, fsys), size[0], size[1])
		d.run(d.Init())
		d.press("B", "enter")
		d.shows("orders/0", "orders/3", "Bytes  offsets/11")
		d.press("tab")
		d.shows(`"orders":{"0":1000100`, " Reads  120 partitions")
		d.hides("orders/3 ")
		d.press("g")
		d.shows(`{"batchWatermarkMs"`)
		d.press("tab")
		d.shows("watermark", "! no  commits/11 is missing")
		d.press("tab")
		d.shows("orders/3 ")
	}
}

// TestBatchStepsInTime: ← and → open the batch before and after on the same screen, over what is missing.
func TestBatchStepsInTime(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press(":")
	for _, c := range "batch 6" {
		d.press(string(c))
	}
	d.press("enter")
	for _, step := range []struct{ key, want string }{{"left", "4"}, {"right", "6"}, {"right", "7"}, {"right", "8"}} {
		d.press(step.key)
		if within := d.top().Screen.(kit.Within).Within(); within != step.want {
			t.Errorf("%s leads to batch %s, want %s", step.key, within, step.want)
		}
	}
	d.shows("✗ Batch 8 is damaged", "! offsets/8:2@") // the first row is what is broken, and has the keys
	if !strings.HasPrefix(d.at(), "offsets/8:2@") {
		t.Errorf("the cursor is at %q", d.at())
	}
}
