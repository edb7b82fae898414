package kit

import (
	"strconv"
	"testing"

	"tidemark/checkpoint"
)

// TestGatheredForgets: where plans are long, only those that are shown are kept; short ones are.
func TestGatheredForgets(t *testing.T) {
	for _, test := range []struct {
		size int64
		kept int
	}{{2 << 10, 60}, {1 << 20, 10}} {
		g := &BatchLoader{Session: &Session{Checkpoint: &checkpoint.Checkpoint{}}}
		for id := range int64(100) {
			g.Session.Checkpoint.Offsets.Files = append(g.Session.Checkpoint.Offsets.Files, checkpoint.LogFile{ID: id, Name: strconv.FormatInt(id, 10), Size: test.size})
		}
		g.Restart(Scope{Life: t.Context(), Ctx: t.Context()})
		var shown []int64
		for id := range int64(60) {
			g.loaded[id], g.read[id] = &checkpoint.Batch{ID: id}, &BatchFacts{}
			if id >= 50 {
				shown = append(shown, id)
			}
		}
		if g.Want(shown); len(g.loaded) != 60 {
			t.Errorf("%d are kept where none is lacking", len(g.loaded))
		}
		if cmd := g.Want(append(shown, 60)); cmd == nil || len(g.loaded) != test.kept || len(g.read) != test.kept || g.loaded[59] == nil {
			t.Errorf("plans of %d bytes: %d batches are kept, want %d", test.size, len(g.loaded), test.kept)
		}
	}
}
