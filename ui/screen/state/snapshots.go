package state

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint/statestore"
	"tidemark/ui/kit"
)

// snapshots are what snapshots of RocksDB record of themselves, as far as it is read: how many keys they have, and how
// large the table files are that they name.
type snapshots struct {
	by      map[string]statestore.Recorded // by their paths
	reading int                            // readings under way
}

// largestZip is how many bytes a snapshot may have that is read for what it records.
const largestZip = 4 << 20

// read begins to read files; it does nothing where there are none.
func (h *snapshots) read(at kit.Scope, s *kit.Session, files []statestore.File) tea.Cmd {
	if len(files) == 0 || s.Checkpoint == nil {
		return nil
	}
	h.reading++
	return kit.Stream(at.Life, at.ID, statestore.ReadRecorded(at.Ctx, s.Checkpoint, slices.Values(files), largestZip))
}

func (h *snapshots) take(p kit.Chunk[statestore.Recorded]) {
	for _, r := range p.Items {
		h.by[r.Path()] = r
	}
	if p.Next == nil {
		h.reading--
	}
}

// keys are the live keys of the version that a restart loads, as its snapshot records them; -1 where that is not known.
func (h *snapshots) keys(r *storeRow) int64 {
	if rec, ok := h.by[r.snapshot]; ok && r.snapshot != "" {
		return rec.Keys
	}
	return -1
}
