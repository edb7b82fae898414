package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// TestWhatIsMissingStandsInItsPlace: a plan without a file says so in the row of its batch, and
// batches that both logs lack are a row of their own.
func TestWhatIsMissingStandsInItsPlace(t *testing.T) {
	fsys := tree() // lacks batch 5 in both logs
	delete(fsys, "offsets/2")
	for _, id := range []string{"6", "7"} {
		delete(fsys, "offsets/"+id)
		delete(fsys, "commits/"+id)
	}
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		d := drive(t, openTree(fsys), everything(t, fsys), size[0], size[1])
		d.run(d.Init())
		d.press("B")
		d.shows(" 5–7  missing: offsets/5–7 and commits/5–7 ╌╌")
		for line := range strings.SplitSeq(d.screen(), "\n") {
			if strings.Contains(line, "✗ no file in offsets") != strings.HasPrefix(line, "│     2  ✓ yes") {
				t.Errorf("%d columns: %q", size[0], line)
			}
		}
		d.press("G", "k", "k") // the row selected
		d.shows("▸    2  ✓ yes      ✗ no file in offsets")
	}
}

// TestNoWatermark holds that a query without a watermark is told from one whose watermark could not be read.
func TestNoWatermark(t *testing.T) {
	plan := func(metadata string) fstest.MapFS {
		fsys := fstest.MapFS{"metadata": {Data: []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)}}
		for id, end := range []int{10, 25, 40} {
			fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: fmt.Appendf(nil, "v1\n%s\n{\"orders\":{\"0\":%d}}", metadata, end)}
			fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{}")}
		}
		return fsys
	}
	for metadata, words := range map[string]string{
		`{"batchWatermarkMs":0,"batchTimestampMs":1795962609361,"conf":{}}`: "no watermark",
		``: "unknown",
	} {
		fsys := plan(metadata)
		d := drive(t, openTree(fsys), healthy(t, fsys), 120, 40)
		d.run(d.Init())
		d.press("B")
		behind := strings.Trim(regexp.MustCompile(`(?m)^│ behind .*$`).FindString(d.screen()), "│ ")
		if !strings.HasSuffix(behind, "  "+words) {
			t.Errorf("metadata %q: %q, want %q", metadata, behind, words)
		}
	}
}

// TestBatchesFilterWhatTheyShow: times, offsets, and words of missing files are found as they are drawn; columns that are not
// shown are not.
func TestBatchesFilterWhatTheyShow(t *testing.T) {
	for _, test := range []struct {
		w       int
		filter  string
		batches string
	}{
		{80, "13:3", "9 7 6 4 3 2 1 0"}, {80, "13:34:07", "4"}, {80, "11-29 13:40", "10"}, {80, "-r ! no", "11"},
		{80, "missing", "5"}, {80, "5", "11 10 9 7 5 4 3 2 1"},
		{80, "damaged", "8"}, {80, "2350 →", "10"}, {80, "→ 2350", "9"}, {80, "uncommitted", "11"},
		{120, "1 min", "11 10 7 4 3 2 1"}, {80, "-r ^4 ", "4"}, {80, "13:15", ""}, {120, "13:15", "4"},
	} {
		d := drive(t, openTree(tree()), everything(t, tree()), test.w, 40)
		d.run(d.Init())
		d.press("B", "/")
		d.letters(test.filter)
		d.press("enter")
		var got []string
		_, table, _ := strings.Cut(d.screen(), "─ Batches ─")
		for line := range strings.SplitSeq(table, "\n") {
			if m := regexp.MustCompile(`^│[ ▸╌]+(\d+)  `).FindStringSubmatch(line); m != nil {
				got = append(got, m[1])
			}
		}
		want := strings.Fields(test.batches)
		slices.SortFunc(want, func(a, b string) int { return kit.Natural(b, a) })
		if !slices.Equal(got, want) {
			t.Errorf("%d columns, /%s finds %v, want %v\n%s", test.w, test.filter, got, want, d.screen())
		}
	}
}

// TestBatchesSort: s orders by the next column that is shown, what has no value comes last, and a line has the order.
func TestBatchesSort(t *testing.T) {
	fsys := tree()
	d := drive(t, openTree(fsys), everything(t, fsys), 120, 40)
	d.run(d.Init())
	d.press("B")
	d.shows("newest first · s sorts")
	seen := map[string]bool{}
	for range 8 {
		d.press("s", "g")
		seen[d.top().Screen.(kit.Viewer).Command()] = true
	}
	for _, want := range []string{"batches sort committed", "batches sort started", "batches sort interval", "batches sort read",
		"batches sort took",
		"batches sort watermark", "batches sort behind", "batches"} {
		if !seen[want] {
			t.Errorf("%q is no order: %v", want, seen)
		}
	}
	d.press("s")
	d.shows("uncommitted first")
	rows := d.rows()
	if !strings.HasPrefix(rows[0], "11\t") || !strings.HasPrefix(rows[1], "10\t") || !strings.Contains(rows[len(rows)-1], "missing") {
		t.Errorf("uncommitted first: %q", rows)
	}
}

// TestBatchesShowNoEmptyColumn: a query without a watermark has no column for it.
func TestBatchesShowNoEmptyColumn(t *testing.T) {
	fsys := fstest.MapFS{}
	for id := range 3 {
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"v1\n{\"batchTimestampMs\":%d,\"batchWatermarkMs\":0,\"conf\":{}}\n{\"orders\":{\"0\":%d}}", now.UnixMilli()+int64(id)*60_000, 10*id)}
		fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{}")}
	}
	d := drive(t, openTree(fsys), healthy(t, fsys), 120, 40)
	d.run(d.Init())
	d.press("B")
	d.shows("batch  committed  started               interval  records  orders/0", "behind       no watermark")
}

// TestGapsAreShownByTheirFindings: a gap that stops a restart is red, one that nothing was found about is faint, and enter on it
// opens the finding.
func TestGapsAreShownByTheirFindings(t *testing.T) {
	for name, found := range map[string][]checks.Event{"critical": everything(t, tree()), "none": healthy(t, tree())} {
		d := drive(t, openTree(tree()), found, 120, 40)
		d.run(d.Init())
		d.press("B", "/", "5", " ", " ", "m", "enter")
		style := map[string]widget.Style{"critical": d.Theme.Bad, "none": d.Theme.Dim}[name]
		if want := style.Styled("╌"); !strings.Contains(d.View().Content, strings.TrimSuffix(want, "╌\x1b[m")) {
			t.Errorf("%s: the gap is not in its style:\n%s", name, d.screen())
		}
		enter := strings.Contains(d.screen(), "enter open finding")
		if enter != (name == "critical") {
			t.Errorf("%s: the keys are\n%s", name, d.screen())
		}
		if d.press("enter"); enter {
			d.shows("offset-gap")
		}
	}
}

// TestTimelineByTheMouse: a click on a column of the timeline selects its batch, and the wheel goes batch by batch.
func TestTimelineByTheMouse(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "M")
	const column, line = 15, 4 // of batch 0 in the lane of the logs
	d.send(tea.MouseClickMsg{X: column + 3, Y: line, Button: tea.MouseLeft})
	if at := d.selected(); !strings.HasPrefix(at, "3 ") {
		t.Errorf("a click leads to %q, want batch 3", at)
	}
	d.send(tea.MouseWheelMsg{X: column, Y: line, Button: tea.MouseWheelUp})
	if at := d.selected(); strings.HasPrefix(at, "3 ") {
		t.Errorf("the wheel leaves the cursor at %q", at)
	}
}
