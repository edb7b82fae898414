package cli

import (
	"errors"
	"fmt"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/report"
)

// partitionFailures tells on stderr which partitions have no rows, or not all: the first of them one by one.
type partitionFailures struct {
	a      *app
	failed int
}

const reportedOneByOne = 20

// report reports whether the rows of the partition are right all the same.
func (t *partitionFailures) report(p *statestore.PartitionError) (whole bool) {
	if passed, ok := errors.AsType[*statestore.PassedError](p); ok {
		fmt.Fprintln(t.a.Err, "note: "+report.Printable(passed.Error()))
		return true
	}
	if t.failed++; t.failed <= reportedOneByOne {
		fmt.Fprintln(t.a.Err, "tidemark: "+report.Printable(p.Error()))
	}
	return false
}

// end is the exit status of what was told.
func (t *partitionFailures) end() error {
	if t.failed > reportedOneByOne {
		fmt.Fprintf(t.a.Err, "tidemark: %s more like these\n", report.Count(int64(t.failed-reportedOneByOne)))
	}
	if t.failed > 0 {
		return exit(report.Unread)
	}
	return nil
}
