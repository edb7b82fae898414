package sst

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"tidemark/checkpoint/decode"
)

// trailerKey is the bytes behind a user key: u64 of sequence number << 8 | type.
const trailerKey = 8

// Entries yields all entries in ascending order of key, for one key the newest first; range deletions
// are not among them (see RangeDeletions). The file is read front to back, 256 KiB at a time.
//
// A block that does not read yields its error in its place, and reading goes on with the next one. An
// error that is not a *decode.Error is the last thing yielded.
func (t *Table) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s := t.scan(nil, readAhead)
		for {
			e, ok, err := s.next()
			if !ok {
				return
			}
			if !yield(e, err) || fatal(err) {
				return
			}
		}
	}
}

// fatal reports whether err is about reaching the bytes, so that asking again is of no use.
func fatal(err error) bool {
	if err == nil {
		return false
	}
	_, ok := errors.AsType[*decode.Error](err)
	return !ok
}

// scan is a place among the entries of a table.
type scan struct {
	t      *Table
	r      reader
	blocks blocks
	it     blockIter
	inside bool   // it is in a block
	last   []byte // internal key of the entry before, to see that they ascend
	count  int64  // entries
	memory int    // bytes that it has, beside those of the table
	lost   bool   // something did not read: the count says nothing
	part   bool   // begun at a key: the count says nothing
	done   bool
}

// scan begins at the first block that does not end before key, at the first of all with nil.
func (t *Table) scan(key []byte, ahead int64) *scan {
	s := &scan{t: t, part: key != nil}
	s.r = reader{window: window{t: t, ahead: ahead, most: ahead}}
	if key != nil {
		s.r.ahead = min(firstAhead, ahead)
	}
	s.blocks = blocks{t: t, r: &s.r, from: key}
	return s
}

// scanKey is of the blocks that can hold key: one, or the few that a key with many entries fills.
func (t *Table) scanKey(key []byte) *scan {
	s := t.scan(key, 0)
	s.blocks.only = true
	return s
}

// next is the next entry, or an error in its place; false at the end.
func (s *scan) next() (e Entry, ok bool, err error) {
	for !s.done {
		if s.inside {
			if s.it.next() {
				if e, err = s.entry(); err != nil {
					s.lost, s.inside = true, false // what follows in the block is passed over
				}
				return e, true, err
			}
			s.inside = false
			if s.it.err != nil {
				s.lost = true
				return Entry{At: s.it.at}, true, s.it.err
			}
		}
		h, ok, err := s.blocks.next()
		if err == nil && ok {
			var content []byte
			if content, err = s.r.block(h, whatBlock); err == nil {
				s.it.begin(s.t, content, h.offset, whatEntry)
				s.inside = true
				s.memory = cap(s.r.buf) + cap(s.r.content) + cap(s.it.key) + cap(s.last) + s.blocks.memory()
				continue
			}
		}
		if err != nil {
			s.lost, s.done = true, fatal(err)
			return Entry{At: h.offset}, true, err
		}
		s.done = true
		if err := s.counted(); err != nil {
			return Entry{}, true, err
		}
	}
	return Entry{}, false, nil
}

// entry takes the entry apart that it stands at.
func (s *scan) entry() (Entry, error) {
	s.count++
	it := &s.it
	n := len(it.key) - trailerKey
	if n < 0 {
		return Entry{At: it.at}, s.bad("the key has %d bytes, too few for a sequence number", len(it.key))
	}
	packed := binary.LittleEndian.Uint64(it.key[n:])
	e := Entry{Key: it.key[:n], Seq: packed >> 8, Type: Type(packed), Value: it.value, At: it.at}
	disorder := len(s.last) > 0 && compareInternal(s.last, it.key) >= 0
	s.last = append(s.last[:0], it.key...)
	switch e.Type {
	case Delete, Put, Merge, SingleDelete:
	default:
		return e, s.bad("unknown entry type %d", e.Type)
	}
	if disorder {
		return e, s.bad("the key %.60x is not in sort order", e.Key)
	}
	return e, nil
}

func (s *scan) bad(format string, args ...any) error {
	return s.t.fail(decode.Value, s.it.at, whatEntry, fmt.Errorf(format+"; the rest of the block was not read", args...))
}

// counted compares the number of entries read with what the properties say.
func (s *scan) counted() error {
	p := s.t.Properties
	if s.lost || s.part || p.Entries < 0 {
		return nil
	}
	if want := p.Entries - max(0, p.RangeDeletions); s.count != want {
		return s.t.fail(decode.Value, s.t.index.offset, whatIndex, fmt.Errorf("its blocks have %d entries, the properties record %d", s.count, want))
	}
	return nil
}

// compareInternal orders internal keys: user keys ascending, then sequence numbers and types descending.
// Both have their 8 bytes.
func compareInternal(a, b []byte) int {
	na, nb := len(a)-trailerKey, len(b)-trailerKey
	if c := bytes.Compare(a[:na], b[:nb]); c != 0 {
		return c
	}
	pa, pb := binary.LittleEndian.Uint64(a[na:]), binary.LittleEndian.Uint64(b[nb:])
	switch {
	case pa > pb:
		return -1
	case pa < pb:
		return 1
	}
	return 0
}

// RangeDeletion hides all entries of keys from Begin on and before End whose sequence number is lower
// than Seq. Spark 4.2 and later delete ranges of keys.
type RangeDeletion struct {
	Begin, End []byte // user keys
	Seq        uint64
}

const (
	rangeMax   = 1 << 20  // range deletions of one file
	rangeBytes = 64 << 20 // bytes of them: keys share what they begin with, in the file
	rangeCost  = 64       // bytes that one takes beside its own
)

// RangeDeletions are those of the file, in ascending order of Begin; most files have none. It is the
// block of the metaindex entry "rocksdb.range_del": the key is the internal key of Begin, the value is
// End. What was read before an error comes back beside it.
func (t *Table) RangeDeletions() ([]RangeDeletion, error) {
	h, ok := t.named["rocksdb.range_del"]
	if !ok {
		return nil, nil
	}
	content, err := t.once(h, whatRange)
	if err != nil {
		return nil, err
	}
	var all []RangeDeletion
	it := t.entriesOf(content, h.offset, whatRange)
	for size := 0; it.next(); {
		n := len(it.key) - trailerKey
		if n < 0 || Type(it.key[n]) != RangeDelete {
			return all, t.fail(decode.Value, h.offset, whatRange, fmt.Errorf("%.60x is not a range deletion key", it.key))
		}
		if size += n + rangeCost; len(all) >= rangeMax || size > rangeBytes {
			return all, t.fail(decode.TooLarge, h.offset, whatRange, fmt.Errorf("more than %d range deletions, or %d bytes of them", rangeMax, rangeBytes))
		}
		all = append(all, RangeDeletion{
			Begin: bytes.Clone(it.key[:n]),
			End:   it.value, // of content, which is kept
			Seq:   binary.LittleEndian.Uint64(it.key[n:]) >> 8,
		})
	}
	return all, it.err
}
