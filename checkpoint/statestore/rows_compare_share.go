package statestore

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"tidemark/checkpoint/row"
)

// place is where a row stands among all rows: first by its key, then by all of it. A comparison goes
// through the places from the first to the last, as many at a time as memory holds.
type place struct {
	key uint64 // xxHash of the shown key: the same order in every run
	row uint64 // of the shown row, seeded anew in every run: no checkpoint can have many rows in one place
}

var lastPlace = place{math.MaxUint64, math.MaxUint64}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.key, q.key), cmp.Compare(p.row, q.row))
}

// next is the place after p, which is not the last.
func (p place) next() place {
	if p.row++; p.row == 0 {
		p.key++
	}
	return p
}

// kept is a row that is kept, and how often each side has it.
type kept struct {
	at     place
	order  int      // of its first appearance: those of the earlier side before those of the later
	packed []byte   // key, key of a map, value
	types  rowTypes // of what is packed
	counts [2]int   // earlier, later
	other  *kept    // in the same place
}

// rowTypes are the types of key, key of a map (nil elsewhere) and value.
type rowTypes [3]*row.Type

// keptBytes is about what a kept row takes beside its bytes: the struct, its slots in the map and the
// lists.
const keptBytes = 192

// comparison compares one share of one partition after the other: rows with places from `from` to `to`.
// `to` comes down while rows are added, as far as it must for them to fit.
type comparison struct {
	sides  [2]compared // earlier, later
	budget int         // bytes
	seed   maphash.Seed
	types  types
	passed map[string]bool // files of a *PassedError that was told

	id       int // of the partition
	from, to place
	rows     map[place]*kept
	list     []*kept // all of them
	added    int     // rows that ever were
	size     int     // bytes

	json, packed []byte // of the row at hand
}

func newComparison(sides [2]compared, budget int) *comparison {
	return &comparison{
		sides: sides, budget: budget, seed: maphash.MakeSeed(), passed: map[string]bool{},
		types: types{map[*row.Type]*row.Type{}, map[string]*row.Type{}},
	}
}

// begin starts with no rows, at a place of a partition.
func (c *comparison) begin(id int, from place) {
	c.id, c.from, c.to = id, from, lastPlace
	c.rows, c.list, c.added, c.size = map[place]*kept{}, nil, 0, 0
}

// add takes in a row of one side.
func (c *comparison) add(r *Row, side int) {
	c.json = shownKey(c.json[:0], r)
	at := place{key: xxhash.Sum64(c.json)}
	if at.key < c.from.key || at.key > c.to.key {
		return // the rest of the row is not needed
	}
	c.json = r.Value.AppendJSON(append(c.json, 0))
	at.row = maphash.Bytes(c.seed, c.json)
	if at.compare(c.from) < 0 || at.compare(c.to) > 0 {
		return
	}
	types := rowTypes{c.types.same(r.Key.Type), c.types.same(r.MapKey.Type), c.types.same(r.Value.Type)}
	c.packed = row.Pack(c.packed[:0], r.Key)
	if types[1] != nil {
		c.packed = row.Pack(c.packed, r.MapKey)
	}
	c.packed = row.Pack(c.packed, r.Value)
	for k := c.rows[at]; k != nil; k = k.other {
		if c.isThis(k, types) {
			k.counts[side]++
			return
		}
	}
	k := &kept{at: at, order: c.added, packed: bytes.Clone(c.packed), types: types, other: c.rows[at]}
	k.counts[side] = 1
	c.rows[at] = k
	c.list = append(c.list, k)
	c.added++
	c.size += keptBytes + len(k.packed)
	for c.size > c.budget && c.shrink() {
	}
}

// isThis reports whether a kept row reads as the one at hand does.
func (c *comparison) isThis(k *kept, types rowTypes) bool {
	if k.types == types && bytes.Equal(k.packed, c.packed) {
		return true
	}
	r := c.row(k, 0)
	return bytes.Equal(shownRow(nil, &r), c.json)
}

// row is a kept row as one of a side.
func (c *comparison) row(k *kept, side int) Row {
	r := Row{Partition: c.id, View: c.sides[side].view}
	rest := k.packed
	r.Key, rest = row.Unpack(k.types[0], rest)
	if k.types[1] != nil {
		r.MapKey, rest = row.Unpack(k.types[1], rest)
	}
	r.Value, _ = row.Unpack(k.types[2], rest)
	return r
}

// shrink leaves the last places to a later share, about a quarter of the rows. Rows of one key stay
// together where that can be, and always where each side has one row of it. It reports whether it
// could.
func (c *comparison) shrink() bool {
	slices.SortFunc(c.list, func(a, b *kept) int { return a.at.compare(b.at) })
	first, last := c.list[0], c.list[len(c.list)-1]
	var n int // how many stay
	var to place
	switch {
	case first.at.key != last.at.key:
		n = c.cut(func(k *kept) uint64 { return k.at.key })
		to = place{c.list[n-1].at.key, math.MaxUint64}
	case first.at != last.at && c.several():
		n = c.cut(func(k *kept) uint64 { return k.at.row })
		to = c.list[n-1].at
	default:
		return false
	}
	for _, k := range c.list[n:] {
		delete(c.rows, k.at)
		c.size -= keptBytes + len(k.packed)
	}
	clear(c.list[n:])
	c.list, c.to = c.list[:n], to
	return true
}

// cut is how many rows of the sorted list stay, so that no two with one part of their place are parted.
// There are two parts at least.
func (c *comparison) cut(part func(*kept) uint64) int {
	n := len(c.list) * 3 / 4
	begin := slices.IndexFunc(c.list, func(k *kept) bool { return part(k) == part(c.list[n]) })
	if begin > 0 {
		return begin
	}
	return slices.IndexFunc(c.list, func(k *kept) bool { return part(k) != part(c.list[0]) })
}

// several reports whether the rows that are kept are more than one on a side.
func (c *comparison) several() bool {
	var n [2]int
	for _, k := range c.list {
		n[0] += k.counts[0]
		n[1] += k.counts[1]
	}
	return n[0] > 1 || n[1] > 1
}

// difference is a row or two that differ, so many times.
type difference struct {
	before, after *kept
	times         int
}

func (d difference) order() int {
	if d.before != nil {
		return d.before.order
	}
	return d.after.order
}

// changes yields what differs between the sides in the rows that are kept.
func (c *comparison) changes() iter.Seq[RowChange] {
	return func(yield func(RowChange) bool) {
		for _, d := range c.differences() {
			change := RowChange{Partition: c.id}
			for range d.times {
				if d.before != nil {
					change.Before = c.row(d.before, 0)
				}
				if d.after != nil {
					change.After = c.row(d.after, 1)
				}
				if !yield(change) {
					return
				}
			}
		}
	}
}

func (c *comparison) differences() []difference {
	slices.SortFunc(c.list, func(a, b *kept) int { return cmp.Or(cmp.Compare(a.at.key, b.at.key), a.order-b.order) })
	var found []difference
	for rest := c.list; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].at.key == rest[0].at.key {
			n++
		}
		of := rest[:n]
		rest = rest[n:]
		if n == 2 && c.oneEach(of[0], of[1]) {
			found = append(found, difference{of[0], of[1], 1})
			continue
		}
		for _, k := range of {
			switch more := k.counts[1] - k.counts[0]; {
			case more > 0:
				found = append(found, difference{nil, k, more})
			case more < 0:
				found = append(found, difference{k, nil, -more})
			}
		}
	}
	slices.SortFunc(found, func(a, b difference) int { return a.order() - b.order() })
	return found
}

// oneEach reports whether two rows are the only ones of one key: the first before, the second after.
func (c *comparison) oneEach(before, after *kept) bool {
	if before.counts != [2]int{1, 0} || after.counts != [2]int{0, 1} || !c.whole(before.at.key) {
		return false
	}
	b, a := c.row(before, 0), c.row(after, 1)
	return bytes.Equal(shownKey(nil, &b), shownKey(nil, &a))
}

// whole reports whether all rows of a key are in this share.
func (c *comparison) whole(key uint64) bool {
	return (key > c.from.key || c.from.row == 0) && (key < c.to.key || c.to.row == math.MaxUint64)
}
