package cli

import (
	"context"
	"errors"
	"fmt"
	"tidemark/checkpoint/statestore"

	"tidemark/internal/report"
)

// countRows prints how many rows a view has, without decoding them.
func (a *app) countRows(ctx context.Context, s *statestore.State, v *statestore.View, partition int) error {
	told, total, any := toldPartitions{a: a}, int64(0), false
	p := a.rowProgress(s, partition, true)
	counts := watched(p, s.Count(ctx, v, partition), func(n *statestore.RowCount) (int, int64) { return n.Partition, n.Rows })
	for n, err := range counts {
		if err != nil {
			return noSuch(err)
		}
		whole := true
		for _, problem := range n.Problems {
			p.aside(func() bool { whole = told.tell(problem) && whole; return true })
		}
		total, any = total+n.Rows, any || n.Rows > 0 || whole
	}
	err := told.end()
	if !any && err != nil {
		return err // to say "0" would not be true
	}
	_, werr := fmt.Fprintln(a.Out, total)
	return errors.Join(werr, err)
}

// toldPartitions tells on stderr which partitions have no rows, or not all: the first of them one by one.
type toldPartitions struct {
	a      *app
	failed int
}

const toldOneByOne = 20

// tell reports whether the rows of the partition are right all the same.
func (t *toldPartitions) tell(p *statestore.PartitionError) (whole bool) {
	if passed, ok := errors.AsType[*statestore.PassedError](p); ok {
		fmt.Fprintln(t.a.Err, "note: "+report.Printable(passed.Error()))
		return true
	}
	if t.failed++; t.failed <= toldOneByOne {
		fmt.Fprintln(t.a.Err, "tidemark: "+report.Printable(p.Error()))
	}
	return false
}

// end is the exit status of what was told.
func (t *toldPartitions) end() error {
	if t.failed > toldOneByOne {
		fmt.Fprintf(t.a.Err, "tidemark: %s more like these\n", report.Count(int64(t.failed-toldOneByOne)))
	}
	if t.failed > 0 {
		return exit(report.Unread)
	}
	return nil
}
