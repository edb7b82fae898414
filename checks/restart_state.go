package checks

import (
	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
)

// uniqueIDs is checkpoint format 2 (4.0 on): the names of the state files to load hold ids, and those
// stand in commits/C and nowhere else. They are those of version C+1.
func uniqueIDs(s *start) (Restart, bool) {
	b := s.batch()
	if b == 0 || !s.atLeast(4, 0) || !s.stateFile(func(f state.File) bool { return f.ID != "" }) {
		return goOn()
	}
	if s.C < 0 {
		return refuses(b, "CANNOT_LOAD_STATE_STORE: For input string", "the names of the state files hold ids (checkpoint format 2), and there is no commit that says which")
	}
	if c := s.Committed.Commit; !hasIDs(c.StateUniqueIDs) {
		return refuses(b, "CANNOT_LOAD_STATE_STORE: For input string", "the names of the state files hold ids (checkpoint format 2), and %s does not say which", c.File)
	}
	if s.C != s.L && s.C != s.L-1 {
		return refuses(b, "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE",
			"batch %d loads state version %d, and commits/%d names the files of version %d", b, b, s.C, s.C+1)
	}
	return goOn()
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
func (s *start) compresses() bool {
	return s.stateFile(func(f state.File) bool { return !f.Role.RocksDB() || f.Role == state.Changelog })
}

// stateFile reports whether some state file is such a one.
func (s *start) stateFile(is func(state.File) bool) bool {
	return s.eachStore(func(st *checkpoint.Store) bool {
		for _, f := range st.Files {
			if is(f) {
				return true
			}
		}
		return false
	})
}

// eachStore goes through the state stores until one is found.
func (s *start) eachStore(found func(*checkpoint.Store) bool) bool {
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
