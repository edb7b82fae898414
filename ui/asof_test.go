package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// TestScrub: ← and → move the overview to a batch and on, esc comes back to now, and the other screens
// open at that batch.
func TestScrub(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("left")
	d.shows("Batch 11 is uncommitted", "the newest ─", "! no  commits/11 is missing", "orders/0   2500  2650", "uncommitted-batch", "▲")
	d.press("left")
	d.shows("Batch 10 ─", "1 before the newest", "✓ yes", "! spark.sql.shuffle.partitions  200 → 400", "None about this batch", "DO NOT RESTART YET")
	d.press("left", "left", "left")
	d.shows("Batch 7 ─", "4 before the newest", "settings   as in batch 6")
	d.press("B")
	d.shows("as of batch 7")
	if at := d.selected(); !strings.HasPrefix(at, "7 ") {
		t.Errorf("the batches are at %q, want batch 7", at)
	}
	d.press("O", "enter")
	d.shows("batch 7", "offsets/7")
	d.press("left")
	d.shows("as of batch 6")
	d.press("O")
	d.shows("Batch 6 ─", "5 before the newest")
	d.press("left", "right", "g")
	d.shows("Batch 0 ─", "11 before the newest")
	d.press("left")
	d.shows("Batch 0 ─", "11 before the newest")
	for _, back := range []string{"esc", "G"} {
		d.press("left", "left", back)
		d.shows("Why not yet")
	}
	d.press("left", "right")
	d.shows("Why not yet")
	if d.AsOf != -1 {
		t.Errorf("now is batch %d", d.AsOf)
	}
}

// TestScrubFastSkips: while one load is under way, further presses ask for nothing; the next load is for
// where they ended.
func TestScrubFastSkips(t *testing.T) {
	fsys := tree()
	for id := int64(12); id < 400; id++ {
		f := *fsys["offsets/11"]
		f.Data = []byte(strings.ReplaceAll(string(f.Data), "2650", fmt.Sprint(2650+id)))
		fsys[fmt.Sprintf("offsets/%d", id)], fsys[fmt.Sprintf("commits/%d", id)] = &f, fsys["commits/0"]
	}
	m := &metered{Store: storage.FromFS(fsys, "x")}
	o := openTree(fsys)
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) { return checkpoint.Open(ctx, m) }
	d := drive(t, o, known(t, tree()), 120, 40)
	d.run(d.Init())
	before := m.offsets.Load()
	d.hold = true
	for range 200 {
		d.press("left")
	}
	if len(d.late) != 1 {
		t.Fatalf("200 presses began %d loads, want 1", len(d.late))
	}
	d.shows("Batch 200 ─", "199 before the newest", "… reading")
	d.hold = false
	d.run(d.late[0])
	d.shows("Batch 200 ─", "199 before the newest", "orders/0   2849  2850")
	if read := m.offsets.Load() - before; read > 8 {
		t.Errorf("%d batches were read for two places", read)
	}
}

// TestScrubState: the screens of state and rows go to the version that a batch left, and a version that
// Spark has deleted is called so and not broken.
func TestScrubState(t *testing.T) {
	d := looksAt(t, archive("state-4.3-rockscl-window-agg"), 140, 40)
	d.press("left")
	now := d.screen()
	d.shows("State after batch 10", "version 11", "2 of 2 stores have all files", "a restart loads 12", "as of batch 10")
	d.press("enter")
	d.shows("Rows after batch 10", "version 11")
	d.press("left")
	d.shows("Rows after batch 9", "version 10", "as of batch 9")
	d.press("h")
	d.shows("State after batch 9", "version 10")
	d.press("right")
	if d.screen() != now {
		t.Error("the batch after the batch before is another screen")
	}
	for range 12 {
		d.press("left")
	}
	d.shows("State after batch 0", "version 1 ")
	if strings.Contains(d.screen(), "✗ 1") {
		t.Errorf("a version that was cleaned up is called broken:\n%s", d.screen())
	}
	d.press("O")
	d.shows("Batch 0 ─", "writes version 1,")
	d.press("esc", "S")
	d.shows("Restart loads version")
}

// TestStepGoesOverWhatIsMissing holds the neighbors of a batch to both logs.
func TestStepGoesOverWhatIsMissing(t *testing.T) {
	log := func(ids ...int64) (d checkpoint.LogDir) {
		for _, id := range ids {
			d.Files = append(d.Files, checkpoint.LogFile{ID: id, Name: fmt.Sprint(id)})
		}
		return d
	}
	s := kit.Session{Checkpoint: &checkpoint.Checkpoint{Offsets: log(2, 3, 3, 7), Commits: log(0, 2, 5)}}
	var up, down []int64
	for id, ok := s.Step(-1, 1); ok; id, ok = s.Step(id, 1) {
		up = append(up, id)
	}
	for id, ok := s.Step(7, -1); ok; id, ok = s.Step(id, -1) {
		down = append(down, id)
	}
	if fmt.Sprint(up) != "[0 2 3 5 7]" || fmt.Sprint(down) != "[5 3 2 0]" {
		t.Errorf("up %v, down %v", up, down)
	}
	if _, ok := (&kit.Session{}).Step(1, 1); ok {
		t.Error("there is a batch where there is no checkpoint")
	}
}

// TestRowOf holds the place of a batch among newest-first rows.
func TestRowOf(t *testing.T) {
	rows := []kit.BatchRow{{ID: 9}, {ID: 8}, {ID: 5, Missing: 3}, {ID: 4}}
	for id, want := range map[int64]int{12: 0, 9: 0, 8: 1, 7: 2, 5: 2, 4: 3, 1: 3} {
		if got := kit.RowOfBatch(rows, id); got != want {
			t.Errorf("batch %d is in row %d, want %d", id, got, want)
		}
	}
	if got := kit.RowOfBatch(nil, 3); got != -1 {
		t.Errorf("in no rows it is in row %d", got)
	}
}

// TestPlotOfALongLog: a log of 100,000 batches has a line over all of it in which a hole is seen, and the
// files of few batches are read for the lines below it.
func TestPlotOfALongLog(t *testing.T) {
	a := longTimeline(100_000)
	cp := a.Checkpoint
	cp.Offsets.Files = append(cp.Offsets.Files[:50_000:50_000], cp.Offsets.Files[50_001:]...)
	cp.Commits.Files = append(cp.Commits.Files[:50_000:50_000], cp.Commits.Files[50_001:len(cp.Commits.Files)-1]...)
	a.load(a.top())
	a.take(tea.WindowSizeMsg{Width: 120, Height: 50})
	d := &driver{App: a, t: t}
	d.shows("all batches  ", "✗", "batches per column", " 99999 ▲", "! batch 99999 uncommitted")
	line := strings.Split(d.screen(), "\n")[4]
	if n := strings.Count(line, "✗"); n != 1 {
		t.Errorf("%d columns have the hole: %q", n, line)
	}
}
