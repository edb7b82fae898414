package kit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// TestPlotReadsNoMoreThanItsColumns: of a log of 100,000 batches a plot wants a batch a column, wherever it points.
func TestPlotReadsNoMoreThanItsColumns(t *testing.T) {
	cp := &checkpoint.Checkpoint{Location: "x", Offsets: checkpoint.LogDir{Name: "offsets"}, Commits: checkpoint.LogDir{Name: "commits"}}
	for id := range int64(100_000) {
		if f := (checkpoint.LogFile{ID: id, Name: fmt.Sprint(id)}); id != 50_000 {
			cp.Offsets.Files = append(cp.Offsets.Files, f)
			cp.Commits.Files = append(cp.Commits.Files, f)
		}
	}
	rows := BatchRows(cp)
	var p Timeline
	p.Layout(&BatchLoader{Session: &Session{Checkpoint: cp}}, rows, 117)
	for _, at := range []int{0, 30_000, 99_999} {
		p.Window.Go(at, len(rows))
		if ids := p.Wants(rows); len(ids) > plotReads+1 || len(ids) < plotReads-1 {
			t.Errorf("at row %d the plot wants %d batches", at, len(ids))
		}
	}
}

// logOf is a loader of a log of n batches, without the files that are named.
func logOf(n int64, without ...string) *BatchLoader {
	cp := &checkpoint.Checkpoint{Offsets: checkpoint.LogDir{Name: "offsets"}, Commits: checkpoint.LogDir{Name: "commits"}}
	for id := range n {
		for _, dir := range []*checkpoint.LogDir{&cp.Offsets, &cp.Commits} {
			if !slices.Contains(without, fmt.Sprintf("%s/%d", dir.Name, id)) {
				dir.Files = append(dir.Files, checkpoint.LogFile{ID: id, Name: fmt.Sprint(id)})
			}
		}
	}
	return &BatchLoader{Session: &Session{Checkpoint: cp}}
}

// TestTimelineCells: a batch has two cells from 140 columns and four from 200, and fewer where its columns would not fit.
func TestTimelineCells(t *testing.T) {
	for _, test := range []struct {
		batches        int64
		w              int
		cells, columns int
	}{{20, 80, 1, 28}, {20, 120, 1, 68}, {20, 140, 2, 44}, {20, 200, 4, 37}, {45, 140, 1, 88}, {45, 200, 2, 74},
		{120, 200, 1, 120}, {3000, 200, 2, 60}, {3000, 140, 1, 60}} {
		g := logOf(test.batches)
		var p Timeline
		p.Layout(g, BatchRows(g.Session.Checkpoint), test.w-4)
		if p.cells != test.cells || p.Window.Height != test.columns {
			t.Errorf("%d batches on %d columns: %d columns of %d cells, want %d of %d", test.batches, test.w, p.Window.Height, p.cells,
				test.columns, test.cells)
		}
	}
}

// TestLogWords: what is wrong is named by its number where it is one, and shorter where there is less room.
func TestLogWords(t *testing.T) {
	for _, test := range []struct {
		g     *BatchLoader
		lines map[int]string // by the cells of a line
	}{
		{logOf(5), map[int]string{80: "5 committed"}},
		{logOf(5, "offsets/2", "commits/2", "commits/4"), map[int]string{
			80: "3 committed · ✗ batch 2 missing · ! batch 4 uncommitted", 63: "✗ batch 2 missing · ! batch 4 uncommitted", 52: "✗ 2 missing · ! 4 uncommitted", 40: "✗ 2 · ! 4"}},
		{logOf(9, "offsets/2", "commits/2", "offsets/3", "commits/3"), map[int]string{80: "7 committed · ✗ batch 2–3 missing"}},
		{logOf(9, "offsets/2", "offsets/5"), map[int]string{80: "7 committed · ✗ 2 batches missing or damaged"}},
		{logOf(9, "offsets/2"), map[int]string{80: "8 committed · ✗ batch 2 missing or damaged"}},
	} {
		rows := BatchRows(test.g.Session.Checkpoint)
		for w, want := range test.lines {
			p := Timeline{cells: 1}
			p.Window.Height = len(rows)
			line := p.Lines(test.g, rows, w, 1, false)[0]
			_, words, _ := strings.Cut(strings.TrimPrefix(line, "committed"), "  ")
			if strings.TrimSpace(strings.TrimLeft(words, " ━✗!")) != strings.TrimLeft(want, "✗ ") {
				t.Errorf("%d cells: %q, want %q", w, line, want)
			}
		}
	}
}

func TestLaneWords(t *testing.T) {
	for _, test := range []struct {
		f           BatchFacts
		least, most int64
		want        string
	}{
		{BatchFacts{}, 100, 100, "100 per batch"}, {BatchFacts{}, 0, 1, "0 or 1 per batch"},
		{BatchFacts{}, 5, 1200, "5 to 1,200 per batch"},
		{BatchFacts{upper: true}, 5, 1200, "at most 1,200 per batch"},
	} {
		if got := readWords(&test.f, test.least, test.most); got != test.want {
			t.Errorf("%d to %d: %q, want %q", test.least, test.most, got, test.want)
		}
	}
	const minute = 60_000
	for want, of := range map[string][2]int64{"26 to 31 min": {26 * minute, 31 * minute}, "5 min": {5 * minute, 5 * minute},
		"13 s to 2 min 38 s": {13_000, 158_000}} {
		if got := spans(of[0], of[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestGapRole: a gap is as bad as the findings about its first or its last batch, and a batch without a commit file waits only
// if it is newer than all commits, or a finding is about it.
func TestGapRole(t *testing.T) {
	g := logOf(20, "offsets/5", "commits/5", "offsets/6", "commits/6", "offsets/9", "commits/9", "commits/12", "commits/19")
	gap := BatchRow{ID: 5, Missing: 2}
	if role := g.GapRole(gap); role != phrase.Dim {
		t.Errorf("without a finding a gap is %v", role)
	}
	for _, test := range []struct {
		batch    int64
		severity checks.Severity
		want     phrase.Role
	}{{5, checks.High, phrase.Warn}, {6, checks.Critical, phrase.Bad}, {7, checks.Critical, phrase.Bad}} {
		g.Session.Verdict.Findings = append([]checks.Finding{{Check: &checks.Check{}, Severity: test.severity, Batch: test.batch}},
			g.Session.Verdict.Findings...)
		if role := g.GapRole(gap); role != test.want {
			t.Errorf("with a finding about batch %d it is %v, want %v", test.batch, role, test.want)
		}
	}
	if role := g.GapRole(BatchRow{ID: 9, Missing: 1}); role != phrase.Dim {
		t.Errorf("the findings are about another gap, and this one is %v", role)
	}
	if g.Waits(12) || !g.Waits(19) || g.Waits(18) {
		t.Errorf("waiting are 12: %v, 18: %v, 19: %v; want only 19", g.Waits(12), g.Waits(18), g.Waits(19))
	}
	g.Session.Verdict.Findings = append(g.Session.Verdict.Findings, checks.Finding{Check: &checks.Check{}, Batch: 12})
	if !g.Waits(12) {
		t.Error("a finding is about batch 12, and it does not wait")
	}
}

// TestStatePanel: the versions around that of a batch, snapshots and deltas and what a restart lacks, broken stores first.
func TestStatePanel(t *testing.T) {
	files := func(without int64) (all []state.File) {
		for v := int64(1); v <= 26; v++ {
			if v != without {
				all = append(all, state.File{Version: v})
			}
			if v%10 == 0 {
				all = append(all, state.File{Version: v, Role: state.Snapshot})
			}
		}
		return all
	}
	g := logOf(26)
	if g.StatePanel(BatchRow{ID: 25}) != nil {
		t.Error("there is a panel without state")
	}
	v := &g.Session.Verdict
	v.Operators = []statestore.Operator{{Partitions: []statestore.Partition{
		{ID: 0, Stores: []statestore.Store{{Dir: "state/0/0", Files: files(0)}}},
		{ID: 1, Stores: []statestore.Store{{Dir: "state/0/1", Files: files(24)}}}}}}
	v.Loads = []checks.Load{{Dir: "state/0/0", Version: 26}, {Dir: "state/0/1", Version: 26, Missing: []state.Span{{From: 24, To: 24}}}}
	v.Batches.LastPlanned = 25
	got := g.StatePanel(BatchRow{ID: 23}).Text(48)
	want := []string{
		"version  17  18  19  20  21  22  23  24  25  26",
		"0/1       ▪   ▪   ▪   ◆   ▪   ▪   ▪   ✗   ▪   ▪",
		"0/0       ▪   ▪   ▪   ◆   ▪   ▪   ▪   ▪   ▪   ▪",
	}
	if !slices.Equal(got[:3], want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if text := strings.Join(got, " "); !strings.Contains(text, "Batch 23 writes version 24. A restart loads version 26.") {
		t.Errorf("it says %q", text)
	}
}
