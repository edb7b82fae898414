package kit

import (
	"fmt"
	"testing"

	"tidemark/checkpoint"
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
