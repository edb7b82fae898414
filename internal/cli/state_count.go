package cli

import (
	"context"
	"errors"
	"fmt"

	"tidemark/checkpoint/statestore"
)

// countRows prints how many rows a view has, without decoding them.
func (a *app) countRows(ctx context.Context, s *statestore.State, v *statestore.View, partition int) error {
	told, total, any := partitionFailures{a: a}, int64(0), false
	p := a.rowProgress(s, partition, true)
	counts := watched(p, s.Count(ctx, v, partition), func(n *statestore.RowCount) (int, int64) { return n.Partition, n.Rows })
	for n, err := range counts {
		if err != nil {
			return noSuch(err)
		}
		whole := true
		for _, problem := range n.Problems {
			p.pause(func() bool { whole = told.report(problem) && whole; return true })
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
