package statestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/storage"
)

// Row is one row of a state store, shaped as Spark's own reader shapes it.
type Row struct {
	Partition int
	Key       row.Value
	MapKey    row.Value // the user's key, in a map of transformWithState; without a Type elsewhere
	Value     row.Value
	View      *View // what it is a row of
}

// AppendJSON writes a row as one JSON object: {"partition_id":0,"key":{…},"value":{…}}.
func (r *Row) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"partition_id":`...), int64(r.Partition), 10)
	dst = r.Key.AppendJSON(append(dst, `,"key":`...))
	if r.MapKey.Type != nil {
		dst = r.MapKey.AppendJSON(append(dst, `,"`+mapKeyName+`":`...))
	}
	dst = append(append(append(dst, `,"`...), r.View.ValueName...), `":`...)
	return append(r.Value.AppendJSON(dst), '}')
}

// NoSuchError is a request for something that is not there: an operator, a store, a partition.
type NoSuchError struct {
	What  string   // "operator", "store", "partition"
	Asked string   // "" where one must be named
	Known []string // what there is
}

func (e *NoSuchError) Error() string {
	there := "there is none"
	if len(e.Known) > 0 {
		there = "there is " + strings.Join(e.Known, ", ")
	}
	if e.Asked == "" {
		return fmt.Sprintf("several %ss: name one (%s)", e.What, strings.Join(e.Known, ", "))
	}
	return fmt.Sprintf("no %s %s (%s)", e.What, e.Asked, there)
}

// PartitionError is why a partition has no rows, or not all of them. The other partitions still come.
type PartitionError struct {
	Partition int
	Dir       string // of its store: "state/0/1"
	Err       error
}

func (e *PartitionError) Error() string { return fmt.Sprintf("%s: %v", e.Dir, e.Err) }

func (e *PartitionError) Unwrap() error { return e.Err }

// errNotCommitted is that no batch is committed.
var errNotCommitted = errors.New("no batch is committed, so no state is shown; --batch N shows the state of an uncommitted batch")

// partitionsAhead is how many partitions are prepared at once. Each may hold the changes of its deltas
// and prefetched bytes of what lies below them.
const partitionsAhead = 8

// Rows yields the rows of a view, of one partition or, for -1, of all: by partition, within one as they are stored.
// Several partitions are prepared at once. What goes wrong with one partition comes as a *PartitionError, with a Row that
// names only the partition, and the next one follows; any other error ends the sequence. Slices in a row are good until
// the next.
func (s *State) Rows(ctx context.Context, v *View, partition int) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		ids, err := s.wanted(partition)
		if err != nil {
			yield(Row{Partition: partition}, err)
			return
		}
		for p, err := range storage.ParallelMap(ctx, partitionsAhead, slices.Values(ids),
			func(ahead context.Context, id int) (*prepared, error) {
				return s.prepare(ahead, ctx, v, id), nil
			}) {
			if err != nil {
				yield(Row{Partition: -1}, err)
				return
			}
			for row, err := range p.rows() {
				if !yield(row, err) || checkpoint.Stopped(err) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Row{Partition: -1}, err)
		}
	}
}

// PartitionCount is how many partitions there are, or should be: their ids are those below it.
func (s *State) PartitionCount() int {
	n := s.Operator.Recorded
	if l := len(s.Operator.Partitions); l > 0 {
		n = max(n, s.Operator.Partitions[l-1].ID+1)
	}
	return n
}

// mostPartitions is how many partitions are asked for that may not be there; an operator has some hundreds.
const mostPartitions = 1 << 20

// wanted are the partitions to read, ascending: also those that should be there and are not.
func (s *State) wanted(partition int) ([]int, error) {
	n := s.PartitionCount()
	if partition >= n {
		known := []string{}
		if n > 0 {
			known = []string{"0 to " + strconv.Itoa(n-1)}
		}
		return nil, &NoSuchError{"partition", strconv.Itoa(partition), known}
	}
	if partition >= 0 {
		return []int{partition}, nil
	}
	ids := make([]int, min(n, mostPartitions))
	for i := range ids {
		ids[i] = i
	}
	for i := range s.Operator.Partitions { // a folder may have any number: those between are not made up
		if id := s.Operator.Partitions[i].ID; id >= mostPartitions {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// prepared is one partition, opened.
type prepared struct {
	state  *State
	view   *View
	id     int
	failed *PartitionError // it has no rows
	passed []error
	pairs  iter.Seq2[pair, error]
	counts joinCounts // of the side of a join; nil for another view

	again func() *prepared // with more memory, alone; nil where it had enough
}

// prepare opens one partition and reads what must be in memory before its first row. It is called
// beside others, under ahead; what it returns is ranged over alone, under ctx.
func (s *State) prepare(ahead, ctx context.Context, v *View, id int) *prepared {
	p := s.prepareWithin(ahead, ctx, v, id, newAllowance(heldAhead))
	if p.failed == nil {
		return p
	}
	if _, held := errors.AsType[*heldError](p.failed.Err); held {
		p.again = func() *prepared { return s.prepareWithin(ctx, ctx, v, id, newAllowance(heldAlone)) }
	}
	return p
}

func (s *State) prepareWithin(ahead, ctx context.Context, v *View, id int, held *allowance) *prepared {
	p := &prepared{state: s, view: v, id: id}
	var err error
	if p.counts, err = s.counts(ahead, v, id, held); err != nil {
		p.failed = &PartitionError{id, s.storeDir(id, v.counts.Store), err}
		return p
	}
	if p.pairs, p.passed, err = s.open(ahead, ctx, v, id, held); err != nil {
		p.failed = p.problem(err)
	}
	return p
}

// problem is an error of the partition's store.
func (p *prepared) problem(err error) *PartitionError {
	return &PartitionError{p.id, p.state.storeDir(p.id, p.view.Store), err}
}

// all yields the stored pairs, and what is wrong in the place where it shows.
func (p *prepared) all() iter.Seq2[pair, *PartitionError] {
	return func(yield func(pair, *PartitionError) bool) {
		if p.again != nil {
			*p = *p.again()
		}
		if p.failed != nil {
			yield(pair{}, p.failed)
			return
		}
		for _, err := range p.passed {
			if !yield(pair{}, p.problem(err)) {
				return
			}
		}
		for pair, err := range p.pairs {
			var problem *PartitionError
			if err != nil {
				if unloadable(err) {
					err = fmt.Errorf("%w; rows of this partition may be missing or outdated", err)
				}
				problem = p.problem(err)
			}
			if !yield(pair, problem) {
				return
			}
		}
	}
}

// rows yields the rows as they are shown.
func (p *prepared) rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var m room
		for pair, problem := range p.all() {
			if problem != nil {
				if !yield(Row{Partition: p.id}, problem) {
					return
				}
				continue
			}
			for r, err := range p.state.decode(p.view, pair, &m) {
				r.Partition, r.View = p.id, p.view
				if err != nil {
					err = p.problem(err)
				} else if p.counts != nil && !p.counts.has(r) {
					continue
				}
				r = p.view.shaped(r)
				if !yield(r, err) {
					return
				}
			}
		}
	}
}
