package statestore

import "fmt"

// What of a partition must be in memory before its first row comes: the changes on top of its whole file, the
// indexes of RocksDB tables, and for a side of a join how many rows each key has. That is little beside the rows, as a rule. Several
// partitions are prepared at once with a little memory each; one that needs more is prepared again when its
// turn comes, and may have much.
const (
	heldAhead = 64 << 20 // bytes
	heldAlone = 1 << 30  // bytes

	heldTables = 1 << 20 // bytes of the indexes of tables: others rest until a merge comes to them

	heldKey = 160 // bytes that a key takes beside its own and those of its value
)

// allowance is the memory that one partition may still take. nil has no end.
type allowance struct{ left, all int64 }

// heldError is a partition that needs more memory than it may have.
type heldError struct{ limit int64 }

func (e *heldError) Error() string {
	return fmt.Sprintf("not read: the first row needs more than %d MiB of memory (changes since the last snapshot, table indexes, join counts)", e.limit>>20)
}

func newAllowance(limit int64) *allowance { return &allowance{limit, limit} }

// take uses n bytes; its error says that there are not so many left.
func (a *allowance) take(n int) error {
	if a == nil {
		return nil
	}
	if a.left -= int64(n); a.left < 0 {
		return &heldError{a.all}
	}
	return nil
}
