package restart

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
)

// UniqueIDs is checkpoint format 2 (4.0 on): the names of the state files to load hold ids, and those
// stand in commits/C and nowhere else. They are those of version C+1.
func UniqueIDs(s *Judge) (checks.Restart, bool) {
	b := s.FirstBatch()
	if b == 0 || !s.OnSpark(4, 0) || !s.stateFile(func(f state.File) bool { return f.ID != "" }) {
		return goOn()
	}
	if s.C < 0 {
		return refuses(b, "CANNOT_LOAD_STATE_STORE: For input string", "the state file names have IDs (checkpoint format 2), but no commit says which IDs to load")
	}
	c := s.Committed.Commit
	if c.Version == 1 || !hasIDs(c.StateUniqueIDs) {
		return refuses(b, "CANNOT_LOAD_STATE_STORE: For input string", "the state file names have IDs (checkpoint format 2), but %s does not say which IDs to load", c.File)
	}
	if words, because := s.idFlaw(c); words != "" {
		return refuses(b, words, "%s", because)
	}
	if s.C != s.L && s.C != s.L-1 {
		return refuses(b, "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE",
			"batch %d loads state version %d, but commits/%d names the files of version %d", b, b, s.C, s.C+1)
	}
	return goOn()
}

// idFlaw is a store of which the commit does not say the id (seen on 4.3.0): Spark's words, and ours; "" for none.
func (s *Judge) idFlaw(c *log.Commit) (words, because string) {
	for i := range s.Survey.State {
		op := &s.Survey.State[i]
		ids, recorded := c.StateUniqueIDs[strconv.Itoa(op.ID)]
		if !recorded {
			return "CANNOT_LOAD_STATE_STORE: For input string", fmt.Sprintf("%s does not name the files of %s for version %d", c.File, op.Dir, s.C+1)
		}
		for _, part := range op.Partitions {
			switch {
			case part.ID >= len(ids):
				return fmt.Sprintf("Index %d out of bounds for length %d", part.ID, len(ids)), fmt.Sprintf("%s has IDs for %d partitions of %s, but partition %d exists", c.File, len(ids), op.Dir, part.ID)
			case slices.Contains(ids[part.ID], ""):
				return "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE", fmt.Sprintf("%s has an empty ID for partition %d of %s", c.File, part.ID, op.Dir)
			case len(ids[part.ID]) == 0:
				return "head of empty array", fmt.Sprintf("%s has no ID for partition %d of %s", c.File, part.ID, op.Dir)
			}
		}
	}
	return "", ""
}

func hasIDs(operators map[string][][]string) bool {
	for _, partitions := range operators {
		for _, stores := range partitions {
			if len(stores) > 0 {
				return true
			}
		}
	}
	return false
}

// compresses reports whether state is read through the pinned codec: all of the HDFS-backed provider
// is, and the changelogs of RocksDB.
func (s *Judge) compresses() bool {
	return s.stateFile(func(f state.File) bool { return !f.Role.RocksDB() || f.Role == state.Changelog })
}

// stateFile reports whether some state file is such a one.
func (s *Judge) stateFile(is func(state.File) bool) bool {
	return s.eachStore(func(st *statestore.Store) bool {
		for _, f := range st.Files {
			if is(f) {
				return true
			}
		}
		return false
	})
}

// eachStore goes through the state stores until one is found.
func (s *Judge) eachStore(found func(*statestore.Store) bool) bool {
	for i := range s.Survey.State {
		for j := range s.Survey.State[i].Partitions {
			p := &s.Survey.State[i].Partitions[j]
			for k := range p.Stores {
				if found(&p.Stores[k]) {
					return true
				}
			}
		}
	}
	return false
}
