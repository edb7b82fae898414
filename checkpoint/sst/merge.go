package sst

import (
	"bytes"
	"container/heap"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"tidemark/checkpoint/decode"
)

// Live is one key of a database and what it holds. All slices are valid until the next one is asked for.
type Live struct {
	Key      []byte
	Value    []byte   // of the newest put; nil where there is none and Operands stand alone
	Operands [][]byte // of the merge operator, added to Value since; oldest first
}

// MergePrefix yields the live keys of the tables of one snapshot together, in ascending order, of those
// that begin with prefix; nil is all of them. Of the entries of a key count those from the newest down to
// the first put, which counts, or deletion, which does not. Blocks that cannot hold a wanted key are not
// read. It needs memory for a read-ahead in every table that does not rest and for the operands of one key,
// however many keys there are; the files are read front to back, all side by side.
//
// What does not read is an error in its place, and merging goes on: then keys may lack after it, or be
// what they were before. An error that is not a *decode.Error is the last thing yielded.
func MergePrefix(prefix []byte, tables ...*Table) iter.Seq2[Live, error] {
	return mergeOf(merge{wanted: prefix}, tables)
}

// MergeKey yields what the tables of one snapshot together hold of one key: nothing where it is not
// alive. It is as MergePrefix of a prefix that only this key has, but reads less: nothing of a table whose
// filter says that it lacks the key, and of another the block, or the few, that can hold it. Where no error
// is yielded, nothing yielded means that no table has the key, or that it was deleted.
func MergeKey(key []byte, tables ...*Table) iter.Seq2[Live, error] {
	return mergeOf(merge{wanted: append([]byte{}, key...), whole: true}, tables)
}

func mergeOf(m merge, tables []*Table) iter.Seq2[Live, error] {
	return func(yield func(Live, error) bool) {
		m := m // it may be ranged over more than once
		m.yield, m.value = yield, []byte{}
		if m.open(tables) {
			m.run()
		}
	}
}

// mergeMemory is the bytes that all tables of a merge read ahead together; leastAhead is what one reads
// ahead at least.
const (
	mergeMemory = 32 << 20
	leastAhead  = 16 << 10

	mergeMax    = 256 << 20 // bytes that tables may need side by side: blocks, their indexes, range deletions
	operandsMax = 256 << 20 // bytes of operands of one key
	operandCost = 64        // bytes that an operand takes beside its own
)

// heads are the places in the tables, the one with the least internal key first.
type heads []*head

type head struct {
	*scan           // nil where the table rests
	rests    *Table // it
	entry    Entry  // of one that rests, only its key
	internal []byte // the key of entry with its 8 bytes; in the memory of the scan
	held     int    // bytes of the scan that are counted
}

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return compareInternal(h[i].internal, h[j].internal) < 0 }
func (h heads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)        { *h = append(*h, x.(*head)) }
func (h *heads) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	(*h)[last] = nil // its memory is needed by others
	*h = (*h)[:last]
	return x
}

// merge is the state of one MergePrefix or MergeKey.
type merge struct {
	wanted []byte // how the keys begin that are wanted
	whole  bool   // it is the only one
	yield  func(Live, error) bool
	ahead  int64 // bytes that a table reads ahead
	heads  heads
	held   int // bytes that the tables need
	hidden hidden

	doubled  bool // an entry was in two tables
	begun    bool
	key      []byte // user key that is being put together
	any      bool   // it has an entry, and packed is
	packed   uint64 // sequence number and type of the entry before
	settled  bool   // older entries of this key no longer count
	value    []byte
	put      bool
	operands [][]byte // newest first
	size     int      // bytes of operands
	memory   [][]byte // what held operands before, to be used again
}

// open puts all tables at their first entry; false where the caller is done.
func (m *merge) open(tables []*Table) bool {
	m.ahead = min(readAhead, max(leastAhead, mergeMemory/int64(max(1, len(tables)))))
	for _, t := range tables {
		deletions, err := t.RangeDeletions()
		for _, d := range deletions {
			m.held += len(d.Begin) + len(d.End) + rangeCost
		}
		if err == nil && m.held > mergeMax {
			deletions, err = nil, t.tooMuch()
		}
		m.hidden.waiting = append(m.hidden.waiting, deletions...)
		if err != nil && (!m.yield(Live{}, err) || fatal(err)) {
			return false
		}
	}
	slices.SortFunc(m.hidden.waiting, func(a, b RangeDeletion) int { return bytes.Compare(a.Begin, b.Begin) })
	for _, t := range tables {
		h, known := m.resting(t)
		if !known {
			goOn := false
			if h, goOn = m.start(t, m.ahead); !goOn {
				return false
			}
		}
		if h != nil {
			m.heads = append(m.heads, h)
		}
	}
	heap.Init(&m.heads)
	return true
}

// start is the head of a table at its first entry that is wanted; nil where there is none. goOn is false where
// the caller is done.
func (m *merge) start(t *Table, ahead int64) (h *head, goOn bool) {
	h = &head{}
	if m.whole {
		lacks, err := t.lacks(m.wanted)
		if err != nil {
			m.yield(Live{}, err)
			return nil, false
		}
		if lacks {
			return nil, true
		}
		h.scan = t.scanKey(m.wanted)
	} else {
		h.scan = t.scan(m.wanted, ahead)
	}
	ok, goOn := m.advance(h)
	if !ok {
		return nil, goOn
	}
	return h, goOn
}

// count adds what a table needs now to what all need; false where that is too much.
func (m *merge) count(h *head) bool {
	m.held += h.memory - h.held
	h.held = h.memory
	return m.held <= mergeMax
}

func (t *Table) tooMuch() error {
	return t.fail(decode.TooLarge, 0, whatFile, fmt.Errorf("it and the files next to it need more than %d MiB of memory at once; their keys were not read", mergeMax>>20))
}

// advance moves to the next entry of a table that counts. ok is false at its end, goOn where the caller
// is done.
func (m *merge) advance(h *head) (ok, goOn bool) {
	for {
		e, ok, err := h.next()
		if h.memory != h.held && !m.count(h) {
			m.held -= h.held
			return false, m.yield(Live{}, h.t.tooMuch())
		}
		switch {
		case !ok:
			m.held -= h.held
			return false, true
		case err != nil:
			if !m.yield(Live{}, err) || fatal(err) {
				return false, false
			}
		case bytes.HasPrefix(e.Key, m.wanted) && (!m.whole || len(e.Key) == len(m.wanted)):
			h.entry, h.internal = e, h.it.key
			return true, true
		case bytes.Compare(e.Key, m.wanted) > 0:
			return false, true
		}
	}
}

func (m *merge) run() {
	for len(m.heads) > 0 {
		h := m.heads[0]
		if h.scan == nil {
			if !m.wake() {
				return
			}
			continue
		}
		if !m.begun || !bytes.Equal(h.entry.Key, m.key) {
			if !m.flush() {
				return
			}
			m.begin(h.entry.Key)
		}
		if !m.add(h) {
			return
		}
		ok, goOn := m.advance(h)
		switch {
		case !goOn:
			return
		case ok:
			heap.Fix(&m.heads, 0)
		default:
			heap.Pop(&m.heads)
		}
	}
	m.flush()
}

// wake begins the table that has the least key, and rests.
func (m *merge) wake() (goOn bool) {
	h, goOn := m.start(m.heads[0].rests, m.ahead)
	switch {
	case !goOn:
	case h == nil: // it is not what it was
		heap.Pop(&m.heads)
	default:
		m.heads[0] = h
		heap.Fix(&m.heads, 0)
	}
	return goOn
}

// begin starts on another key.
func (m *merge) begin(key []byte) {
	m.begun = true
	m.key = append(m.key[:0], key...)
	m.any, m.settled, m.put, m.size = false, false, false, 0
	m.memory = append(m.memory, m.operands...)
	m.operands = m.operands[:0]
	m.hidden.moveTo(m.key)
}

// add takes the next older entry of the key; false where the caller is done.
func (m *merge) add(h *head) bool {
	e := &h.entry
	packed := binary.LittleEndian.Uint64(h.internal[len(e.Key):])
	if m.any && packed == m.packed {
		if m.doubled {
			return true // once is enough: two tables may be the same
		}
		m.doubled = true
		err := h.t.fail(decode.Value, e.At, whatEntry, fmt.Errorf("another table also has key %.60x with sequence number %d", e.Key, e.Seq))
		return m.yield(Live{}, err)
	}
	m.any, m.packed = true, packed
	if m.settled {
		return true
	}
	if m.hidden.at(e.Seq) {
		m.settled = true
		return true
	}
	switch e.Type {
	case Put:
		m.value = append(m.value[:0], e.Value...)
		m.put, m.settled = true, true
	case Merge:
		if m.size += len(e.Value) + operandCost; m.size > operandsMax {
			m.settled = true
			err := h.t.fail(decode.TooLarge, e.At, whatEntry, fmt.Errorf("key %.60x has more than %d bytes to merge; the rest was not read", e.Key, operandsMax))
			return m.yield(Live{}, err)
		}
		m.operands = append(m.operands, append(m.spare(), e.Value...))
	default:
		m.settled = true
	}
	return true
}

// spare is memory for one more operand.
func (m *merge) spare() []byte {
	last := len(m.memory) - 1
	if last < 0 {
		return nil
	}
	b := m.memory[last]
	m.memory = m.memory[:last]
	return b[:0]
}

// flush yields the key that is complete, if it is alive; false where the caller is done.
func (m *merge) flush() bool {
	if !m.begun || !m.put && len(m.operands) == 0 {
		return true
	}
	live := Live{Key: m.key, Operands: m.operands}
	slices.Reverse(live.Operands)
	if m.put {
		live.Value = m.value
	}
	return m.yield(live, nil)
}

// hidden are the range deletions that cover the key a merge is at.
type hidden struct {
	waiting []RangeDeletion // that begin behind the key, in ascending order
	open    []RangeDeletion // that cover it
	newest  uint64          // the highest sequence number of open
}

// moveTo goes on to a higher key.
func (h *hidden) moveTo(key []byte) {
	if len(h.waiting) == 0 && len(h.open) == 0 {
		return
	}
	for len(h.waiting) > 0 && bytes.Compare(h.waiting[0].Begin, key) <= 0 {
		h.open = append(h.open, h.waiting[0])
		h.waiting = h.waiting[1:]
	}
	h.open = slices.DeleteFunc(h.open, func(d RangeDeletion) bool { return bytes.Compare(d.End, key) <= 0 })
	h.newest = 0
	for _, d := range h.open {
		h.newest = max(h.newest, d.Seq)
	}
}

// at reports whether an entry with this sequence number is deleted.
func (h *hidden) at(seq uint64) bool { return seq < h.newest }
