package cli

import (
	"errors"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// partitionFailures reports on stderr which partitions have no rows, or not all: the first of them one by one.
type partitionFailures struct {
	a      *app
	failed int
}

const reportedOneByOne = 20

// report reports whether the rows of the partition are right all the same.
func (t *partitionFailures) report(p *statestore.PartitionError) (whole bool) {
	if passed, ok := errors.AsType[*statestore.PassedError](p); ok {
		t.a.note("%v", passed)
		return true
	}
	if t.failed++; t.failed <= reportedOneByOne {
		t.a.problem("%v", p)
	}
	return false
}

// end returns the exit status for what was reported.
func (t *partitionFailures) end() error {
	if t.failed > reportedOneByOne {
		t.a.problem("%s more like these", phrase.Count(int64(t.failed-reportedOneByOne)))
	}
	if t.failed > 0 {
		return exit(report.Unread)
	}
	return nil
}
