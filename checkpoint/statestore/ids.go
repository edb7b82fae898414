package statestore

import (
	"slices"
	"strconv"

	"tidemark/checkpoint/log"
)

// JoinStores are the stores of a stream-stream join in formats 1 and 2, in the order in which commits
// record the ids of their files.
var JoinStores = []string{"left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue"}

// stateID is the id that a commit records for the files of a store: of the version that its batch wrote, in
// checkpoint format 2. "" where it records none.
func stateID(c *log.Commit, operator, partition int, store string) string {
	if c == nil {
		return ""
	}
	parts := c.StateUniqueIDs[strconv.Itoa(operator)]
	i := max(slices.Index(JoinStores, store), 0)
	if partition >= len(parts) || i >= len(parts[partition]) {
		return ""
	}
	return parts[partition][i]
}

// StateIDs gives the ids that commits record for the files of a store, by version; known is false where none
// does. As a start does, it takes those of the version that is loaded from the newest commit, whatever its
// number, and those of others from the commits that wrote them, as far as the survey kept them. nil where
// the newest commit records none: then files have none either, or nothing tells which of them count.
func (s *Survey) StateIDs(operator, partition int, store string, loaded int64) func(version int64) (id string, known bool) {
	newest := s.Standing.Committed
	if newest == nil || newest.Commit == nil || newest.Commit.StateUniqueIDs == nil {
		return nil
	}
	return func(version int64) (string, bool) {
		b := newest
		if version != loaded {
			b = s.Kept(version - 1)
		}
		if b == nil {
			return "", false
		}
		id := stateID(b.Commit, operator, partition, store)
		return id, id != ""
	}
}
