package statestore

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
)

// pair is one key of a store with its value, as they are encoded. The slices are good until the next.
type pair struct {
	key, value []byte
	comma      bool         // elements of a list are joined by a comma
	where      decode.Where // of the record or block that gave it its value
}

// overlay is what the change files of a chain leave, one on top of the other: for each key that they
// touch what became of it. Only this is kept in memory; the whole file below it is streamed past.
type overlay struct {
	prefix []byte // of the keys that are wanted: the id of a column family; empty for all
	whole  bool   // it is all of the one key that is wanted
	none   bool   // no key is wanted: the column family is not there
	comma  bool   // elements of a list are joined by a comma: merge operator 1
	held   *allowance

	at     map[string]int // key → its place in list
	list   []touched      // in the order in which the keys first appear
	ranges []keyRange     // that were deleted: they hide what lies below
}

type touched struct {
	key     string
	value   []byte
	where   decode.Where // of the last change
	removed bool         // it is not there
	appends bool         // value follows the one below, where there is one
	done    bool
}

type keyRange struct{ from, to string } // to is excluded

// wants reports whether a key belongs to what is read.
func (o *overlay) wants(key []byte) bool {
	return !o.none && bytes.HasPrefix(key, o.prefix) && (!o.whole || len(key) == len(o.prefix))
}

// add takes in one change. Later changes win. Its error is that they take too much memory.
func (o *overlay) add(ch located) error {
	if ch.Op == state.DeleteRange {
		o.removeRange(string(ch.Key), string(ch.Value))
		return o.held.take(len(ch.Key) + len(ch.Value) + heldKey)
	}
	if !o.wants(ch.Key) {
		return nil
	}
	more := len(ch.Value)
	i, known := o.at[string(ch.Key)]
	if !known {
		more += len(ch.Key) + heldKey
		if o.at == nil {
			o.at = map[string]int{}
		}
		i = len(o.list)
		key := string(ch.Key)
		o.at[key] = i
		below := !slices.ContainsFunc(o.ranges, func(s keyRange) bool { return s.holds(key) })
		o.list = append(o.list, touched{key: key, removed: !below, appends: below})
	}
	t := &o.list[i]
	if ch.Op != state.Merge {
		more -= len(t.value)
	}
	switch ch.Op {
	case state.Put:
		*t = touched{key: t.key, value: bytes.Clone(ch.Value)}
	case state.Delete:
		*t = touched{key: t.key, removed: true}
	case state.Merge:
		if (t.removed || !known) && len(t.value) == 0 {
			t.value = bytes.Clone(ch.Value)
		} else {
			t.value = o.join(t.value, ch.Value)
		}
		t.removed = false
	}
	t.where = ch.where()
	return o.held.take(more)
}

func (o *overlay) removeRange(from, to string) {
	s := keyRange{from, to}
	o.ranges = append(o.ranges, s)
	for i := range o.list {
		if t := &o.list[i]; s.holds(t.key) {
			*t = touched{key: t.key, removed: true}
		}
	}
}

func (s keyRange) holds(key string) bool { return s.from <= key && key < s.to }

// join puts two parts of a list together.
func (o *overlay) join(a, b []byte) []byte {
	if o.comma {
		a = append(a, ',')
	}
	return append(a, b...)
}

// over yields what base and the changes on top of it make together. With sorted, both are in the
// order of their keys, as RocksDB keeps them; else base goes first, and then what the changes added.
// An error of base is passed on; it is for base to end then or to go on.
func (o *overlay) over(base iter.Seq2[pair, error], sorted bool) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		next := 0
		if sorted && len(o.list) > 0 {
			slices.SortFunc(o.list, func(a, b touched) int { return strings.Compare(a.key, b.key) })
			for i := range o.list {
				o.at[o.list[i].key] = i
			}
		}
		// rest yields the added keys before limit, or all.
		rest := func(limit []byte, all bool) bool {
			for ; next < len(o.list) && (all || o.list[next].key < string(limit)); next++ {
				if t := &o.list[next]; !t.done && !t.removed && !yield(o.pair(t), nil) {
					return false
				}
			}
			return true
		}
		for p, err := range base {
			if err != nil {
				if !yield(p, err) {
					return
				}
				continue
			}
			if !o.wants(p.key) {
				continue
			}
			if sorted && !rest(p.key, false) {
				return
			}
			if p, there := o.apply(p); there && !yield(p, nil) {
				return
			}
		}
		rest(nil, true)
	}
}

func (o *overlay) pair(t *touched) pair {
	return pair{key: []byte(t.key), value: t.value, comma: o.comma, where: t.where}
}

// apply is a pair of the whole file after the changes.
func (o *overlay) apply(p pair) (pair, bool) {
	p.comma = o.comma
	i, known := o.at[string(p.key)]
	if !known {
		hidden := slices.ContainsFunc(o.ranges, func(r keyRange) bool { return r.holds(string(p.key)) })
		return p, !hidden
	}
	t := &o.list[i]
	t.done = true
	if t.appends {
		p.value = o.join(slices.Clip(p.value), t.value)
		return p, true
	}
	return o.pair(t), !t.removed
}
