package statestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/row"
	"tidemark/storage"
)

// RowChange is a row in which the state of two batches differs. It is the caller's to keep.
type RowChange struct {
	Partition int
	Before    Row // without a Key.Type where the row was added
	After     Row // without a Key.Type where it was removed; with Before too, the key has another value
}

// Kind is "added", "removed" or "changed".
func (c *RowChange) Kind() string {
	switch {
	case c.Before.Key.Type == nil:
		return "added"
	case c.After.Key.Type == nil:
		return "removed"
	}
	return "changed"
}

// Row is the row after the change, or before it where it was removed: its key is that of the change.
func (c *RowChange) Row() *Row {
	if c.After.Key.Type != nil {
		return &c.After
	}
	return &c.Before
}

// AppendJSON writes a change as one JSON object, with the values before and after, or null:
// {"change":"changed","partition_id":0,"key":{…},"before":{…},"after":{…}}.
func (c *RowChange) AppendJSON(dst []byte) []byte {
	r := c.Row()
	dst = append(append(append(dst, `{"change":"`...), c.Kind()...), `","partition_id":`...)
	dst = strconv.AppendInt(dst, int64(c.Partition), 10)
	dst = r.Key.AppendJSON(append(dst, `,"key":`...))
	if r.MapKey.Type != nil {
		dst = r.MapKey.AppendJSON(append(dst, `,"`+mapKeyName+`":`...))
	}
	dst = c.Before.Value.AppendJSON(append(dst, `,"before":`...))
	return append(c.After.Value.AppendJSON(append(dst, `,"after":`...)), '}')
}

// compareMemory is how many bytes of rows a comparison keeps.
const compareMemory = 64 << 20

// Changes yields the rows of a view in which a later state differs from this one: of one partition or,
// for -1, of all, by partition, and in the order in which they are stored as far as memory reaches.
//
// Rows are compared as they are shown. A key with one row on each side has changed where its value is
// another one. Of a key with several rows on a side (elements of a list, rows of a join, timers) those
// that only the later state has are added, and those that only this one has are removed.
//
// Both states of a partition are read whole before the first of its changes is given, and again for
// every share of its rows that fits in memory.
//
// A partition that cannot be read whole in both states comes as a *PartitionError, with a RowChange that
// names only the partition, and none of its changes are given; one around a *PassedError is told once,
// and its changes are right. Any other error ends the sequence: a *NoSuchError says in which batch
// there is no such view.
func (s *State) Changes(ctx context.Context, later *State, view string, partition int) iter.Seq2[RowChange, error] {
	return s.changes(ctx, later, view, partition, compareMemory)
}

// Changes yields what became of a key until a later state, in which later looks for the same key. It is
// otherwise as Changes of a State.
func (l *Lookup) Changes(ctx context.Context, later *Lookup, partition int) iter.Seq2[RowChange, error] {
	rows := func(l *Lookup) compared {
		return compared{l.s, l.view, func(_, ctx context.Context, id int) iter.Seq2[Row, error] { return l.Rows(ctx, id) }}
	}
	return compare(ctx, [2]compared{rows(l), rows(later)}, partition, compareMemory)
}

// ViewsWith are the views with a name of this state and of a later one; "" is as for View. Where both
// are guessed it is one guess for both, else the same row could look different. A *NoSuchError comes with
// the batch in which there is none.
func (s *State) ViewsWith(later *State, name string) (before, after *View, err error) {
	if before, err = s.View(name); err != nil {
		return nil, nil, fmt.Errorf("batch %d: %w", s.Batch, err)
	}
	if after, err = later.View(name); err == nil && after.Name != before.Name {
		after, err = later.View(before.Name)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("batch %d: %w", later.Batch, err)
	}
	switch {
	case !before.Guessed || !after.Guessed:
	case len(after.Key.Fields)+len(after.Value.Fields) == 0: // it has no rows to guess from
		after = before
	default:
		before = after
	}
	return before, after, nil
}

func (s *State) changes(ctx context.Context, later *State, view string, partition, budget int) iter.Seq2[RowChange, error] {
	before, after, err := s.ViewsWith(later, view)
	if err != nil {
		return func(yield func(RowChange, error) bool) { yield(RowChange{Partition: -1}, err) }
	}
	rows := func(s *State, v *View) compared {
		return compared{s, v, func(ahead, ctx context.Context, id int) iter.Seq2[Row, error] {
			return s.prepare(ahead, ctx, v, id).rows()
		}}
	}
	return compare(ctx, [2]compared{rows(s, before), rows(later, after)}, partition, budget)
}

// compared is one side of a comparison.
type compared struct {
	state *State
	view  *View
	// rows opens one partition under ahead, beside others; what it returns is ranged over once, under ctx.
	rows func(ahead, ctx context.Context, partition int) iter.Seq2[Row, error]
}

// comparedAhead is how many partitions are bothRows at once, each in two states; see partitionsAhead.
const comparedAhead = partitionsAhead / 2

func compare(ctx context.Context, sides [2]compared, partition, budget int) iter.Seq2[RowChange, error] {
	return func(yield func(RowChange, error) bool) {
		var all []int
		for _, side := range sides {
			ids, err := side.state.wanted(partition)
			if err != nil {
				yield(RowChange{Partition: partition}, fmt.Errorf("batch %d: %w", side.state.Batch, err))
				return
			}
			if len(ids) > len(all) {
				all = ids
			}
		}
		c := newComparison(sides, budget)
		for p, err := range storage.ParallelMap(ctx, comparedAhead, slices.Values(all),
			func(ahead context.Context, id int) (bothRows, error) {
				return c.open(ahead, ctx, id), nil
			}) {
			if err != nil {
				yield(RowChange{Partition: -1}, err)
				return
			}
			if !c.partition(ctx, p, yield) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(RowChange{Partition: -1}, err)
		}
	}
}

// bothRows are the rows of a partition in both states, to be read once.
type bothRows struct {
	id   int
	rows [2]iter.Seq2[Row, error] // earlier, later
}

func (c *comparison) open(ahead, ctx context.Context, id int) bothRows {
	return bothRows{id, [2]iter.Seq2[Row, error]{c.sides[0].rows(ahead, ctx, id), c.sides[1].rows(ahead, ctx, id)}}
}

// partition yields what differs in one partition: share by share of its rows, as many as memory holds.
// It reports whether to go on with the next.
func (c *comparison) partition(ctx context.Context, p bothRows, yield func(RowChange, error) bool) bool {
	c.begin(p.id, place{})
	for {
		for side, rows := range p.rows {
			for r, err := range rows {
				if err == nil {
					c.add(&r, side)
					continue
				}
				goOn, again := c.tell(side, err, yield)
				if !again {
					return goOn
				}
			}
		}
		for change := range c.changes() {
			if !yield(change, nil) {
				return false
			}
		}
		if c.to == lastPlace {
			return true
		}
		c.begin(p.id, c.to.next())
		p = c.open(ctx, ctx, p.id)
	}
}

// tell passes an error of one side on. again says that the partition can be compared all the same.
func (c *comparison) tell(side int, err error, yield func(RowChange, error) bool) (goOn, again bool) {
	p, ok := errors.AsType[*PartitionError](err)
	if !ok || checkpoint.Stopped(err) {
		yield(RowChange{Partition: c.id}, err)
		return false, false
	}
	passed, again := errors.AsType[*PassedError](err)
	if again {
		if c.passed[passed.File] {
			return true, true
		}
		c.passed[passed.File] = true
	}
	goOn = yield(RowChange{Partition: c.id}, &PartitionError{p.Partition, p.Dir, fmt.Errorf("the state written by batch %d: %w", c.sides[side].state.Batch, p.Err)})
	return goOn, again && goOn
}

// shownKey writes what a row is compared under.
func shownKey(dst []byte, r *Row) []byte {
	dst = r.Key.AppendJSON(dst)
	if r.MapKey.Type != nil {
		dst = r.MapKey.AppendJSON(append(dst, 0)) // no JSON has this byte
	}
	return dst
}

// shownRow writes all of a row that is compared.
func shownRow(dst []byte, r *Row) []byte { return r.Value.AppendJSON(append(shownKey(dst, r), 0)) }

// types gives one *row.Type for all that read the same: the two states have their own.
type types struct {
	known map[*row.Type]*row.Type
	byDDL map[string]*row.Type
}

func (t *types) same(of *row.Type) *row.Type {
	if of == nil {
		return nil
	}
	if one, ok := t.known[of]; ok {
		return one
	}
	ddl := of.DDL()
	if t.byDDL[ddl] == nil {
		t.byDDL[ddl] = of
	}
	t.known[of] = t.byDDL[ddl]
	return t.known[of]
}
