package statestore

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint"
)

// BatchState is a batch that has a plan, and the stateful operators with the schemas that counted for it.
type BatchState struct {
	*checkpoint.Batch
	Operators []Operator
}

// ReadBatches reads batches with their operators, in the order of ids. A batch without a plan that can be read is an
// error, which says why there is none.
func ReadBatches(ctx context.Context, cp *checkpoint.Checkpoint, ids ...int64) ([]BatchState, error) {
	var all []BatchState
	for b, err := range cp.BatchesOf(ctx, slices.Values(ids)) {
		if err != nil {
			return nil, err
		}
		if b.Plan == nil {
			_, err := cp.PlanOf(ctx, b.ID)
			return nil, fmt.Errorf("%w: the planned input of batch %d is unknown", err, b.ID)
		}
		operators, err := operatorsAt(ctx, cp, b)
		if err != nil {
			return nil, err
		}
		all = append(all, BatchState{b, operators})
	}
	return all, nil
}
