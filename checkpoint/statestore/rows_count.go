package statestore

import (
	"context"
	"iter"
	"runtime"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/storage"
)

// RowCount is how many rows one partition of a view holds.
type RowCount struct {
	Partition int
	Rows      int64
	// Problems are what is wrong with the partition, the first of many; beside any but a *PassedError, Rows is
	// not the whole number.
	Problems []*PartitionError
}

// problemsOfPartition is how many problems of one partition are kept.
const problemsOfPartition = 1000

// Count yields how many rows a view has, of one partition or, for -1, of all, by partition. The files are
// read and verified as for Rows, several partitions at once, but rows are counted as they are stored: one
// whose columns do not decode counts, too, where Rows gives an error in its place. An error ends the
// sequence.
func (s *State) Count(ctx context.Context, v *View, partition int) iter.Seq2[RowCount, error] {
	return func(yield func(RowCount, error) bool) {
		ids, err := s.wanted(partition)
		if err != nil {
			yield(RowCount{Partition: partition}, err)
			return
		}
		atOnce := min(partitionsAhead, runtime.GOMAXPROCS(0)+1) // one of them waits for bytes
		for n, err := range storage.ParallelMap(ctx, atOnce, slices.Values(ids), func(ctx context.Context, id int) (RowCount, error) {
			return s.countOne(ctx, v, id)
		}) {
			if !yield(n, err) || err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(RowCount{Partition: -1}, err)
		}
	}
}

func (s *State) countOne(ctx context.Context, v *View, id int) (n RowCount, err error) {
	n.Partition = id
	p := s.prepare(ctx, ctx, v, id)
	if p.again != nil {
		s.alone.Lock()
		defer s.alone.Unlock()
	}
	for size, err := range p.sizes() {
		if err != nil {
			if checkpoint.Stopped(err) {
				return n, err
			}
			if len(n.Problems) < problemsOfPartition {
				n.Problems = append(n.Problems, err)
			}
		}
		n.Rows += size
	}
	return n, nil
}

// sizes yields for every stored pair how many rows it makes.
func (p *prepared) sizes() iter.Seq2[int64, *PartitionError] {
	return func(yield func(int64, *PartitionError) bool) {
		var m room
		for pair, problem := range p.all() {
			n := int64(1)
			switch {
			case problem != nil:
				n = 0
			case p.view.several:
				n, problem = p.elements(pair)
			case p.counts != nil:
				n, problem = p.counting(pair, &m)
			}
			if !yield(n, problem) {
				return
			}
		}
	}
}

// elements is how many rows a list makes.
func (p *prepared) elements(list pair) (n int64, problem *PartitionError) {
	for _, err := range row.Elements(list.value, list.comma) {
		if err != nil {
			problem = p.problem(in(list, err))
			continue
		}
		n++
	}
	return n, problem
}

// counting is 1 for a row of a join that counts, by the number of rows that its key has.
func (p *prepared) counting(stored pair, m *room) (n int64, problem *PartitionError) {
	for r, err := range p.state.decode(p.view, stored, m) {
		if err != nil {
			problem = p.problem(err)
		} else if p.counts.has(r) {
			n++
		}
	}
	return n, problem
}
