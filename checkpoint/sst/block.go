package sst

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"tidemark/checkpoint/decode"
)

// A block before compression is entries and, behind them, where some of them begin:
//
//	00 39 31                 varints: 0 bytes of key shared, 57 of its own, 49 of value
//	00 00 … 01 04 00 …       57 bytes: user key 00 00 … 06 00; put (01) with sequence number 4 (04 00 …)
//	00 00 …                  49 bytes of value
//	14 25 31                 the next shares 20 bytes of key with this one and has 37 of its own
//	…
//	00 00 00 00              u32 offset of every 16th entry, which shares nothing with the one before
//	01 00 00 00              u32 how many such offsets; bit 31: a hash index stands before this number
//
// With a hash index ("data_block_index_type" of RocksDB, which Spark does not set) the end is: offsets,
// one byte a bucket, u16 number of buckets, the last u32. It is passed over.
//
// Keys of data blocks and of range deletions are internal keys: the user key, then u64 of sequence
// number << 8 | type. Entries stand in ascending order of user key and, for one key, the newest first.
// Index blocks have their own way to write values: see index.go.

// blockIter goes through the entries of one inflated block. key is put together in place; key and value
// are valid until next is called.
type blockIter struct {
	t        *Table
	at       int64 // offset of the block in the file, for errors
	what     string
	noLength bool // an index with delta-encoded values: no value lengths
	data     []byte
	pos      int
	shared   int64 // bytes of key that the entry before has, too
	key      []byte
	value    []byte // where noLength: all that follows, of which the reader takes its part
	err      error
}

// entriesOf begins to go through a block; what is wrong with its end is it.err.
func (t *Table) entriesOf(content []byte, at int64, what string) *blockIter {
	it := &blockIter{}
	it.begin(t, content, at, what)
	return it
}

// begin makes it go through another block, and keeps its memory.
func (it *blockIter) begin(t *Table, content []byte, at int64, what string) {
	*it = blockIter{t: t, at: at, what: what, key: it.key[:0]}
	n := len(content)
	if n < 4 {
		it.fail(n, decode.Cut, "a block of %d bytes does not record its number of restarts", n)
		return
	}
	packed := binary.LittleEndian.Uint32(content[n-4:])
	end := int64(n - 4)
	if packed>>31 == 1 {
		if end < 2 {
			it.fail(0, decode.Malformed, "no room for a hash index")
			return
		}
		end -= 2 + int64(binary.LittleEndian.Uint16(content[end-2:]))
	}
	restarts := int64(packed & 0x7fffffff)
	if end -= 4 * restarts; end < 0 {
		it.fail(n-4, decode.Value, "%d restarts do not fit in a block of %d bytes", restarts, n)
		return
	}
	it.data = content[:end]
}

// next moves to the next entry; false at the end of the block and at an error.
func (it *blockIter) next() bool {
	if it.err != nil || it.pos >= len(it.data) {
		return false
	}
	c := cursor{data: it.data[it.pos:]}
	var valueLen int64
	shared, own := c.length(), c.length()
	if !it.noLength {
		valueLen = c.length()
	}
	key := c.take(own)
	if it.noLength {
		it.value = c.data
	} else {
		it.value = c.take(valueLen)
	}
	if c.short {
		it.fail(it.pos, decode.Cut, "the entry does not fit in its block")
		return false
	}
	if shared > int64(len(it.key)) {
		it.fail(it.pos, decode.Value, "the key shares %d bytes with one of %d", shared, len(it.key))
		return false
	}
	it.shared = shared
	it.key = append(it.key[:shared], key...)
	it.pos = len(it.data) - len(c.data)
	return true
}

// took says that the reader of a value without a length has used all but rest of it.
func (it *blockIter) took(rest []byte) { it.pos = len(it.data) - len(rest) }

func (it *blockIter) fail(pos int, flaw decode.Flaw, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	it.err = it.t.fail(flaw, it.at, it.what, fmt.Errorf("byte %d of the decompressed block: %w", pos, err))
}

// reader reads blocks one after the other and uses its memory again.
type reader struct {
	window
	inflater
	content []byte
}

// block is the inflated content of a block whose checksum matches, valid until the next call.
func (r *reader) block(h handle, what string) ([]byte, error) {
	t := r.t
	if !t.holds(h) {
		return nil, t.fail(decode.Value, min(max(h.offset, 0), t.Size), what, fmt.Errorf("block %s is not before the footer", h))
	}
	if h.size > blockMax {
		return nil, t.fail(decode.TooLarge, h.offset, what, fmt.Errorf("a block of %d bytes; tidemark reads at most %d", h.size, blockMax))
	}
	raw, err := r.at(h.offset, h.size+trailer, what)
	if err != nil {
		return nil, err
	}
	content, kind := raw[:h.size], raw[h.size]
	got, want := sum(t.checksum, content, kind)+t.modifier(h.offset), binary.LittleEndian.Uint32(raw[h.size+1:])
	if got != want {
		return nil, t.fail(decode.Checksum, h.offset, what, fmt.Errorf("the checksum of the %d bytes is %08x, the block records %08x", h.size, got, want))
	}
	if kind == compressNone {
		return content, nil
	}
	if _, dictionary := t.named["rocksdb.compression_dict"]; dictionary {
		return nil, t.fail(decode.VersionUnknown, h.offset, what, errors.New("compressed with a dictionary, which tidemark does not read"))
	}
	inflated, flaw, err := r.inflate(r.content, kind, content, t.Format)
	if err != nil {
		return nil, t.fail(flaw, h.offset, what, err)
	}
	r.content = inflated[:0]
	return inflated, nil
}

// once is the content of a single block, to keep.
func (t *Table) once(h handle, what string) ([]byte, error) {
	r := reader{window: window{t: t}}
	content, err := r.block(h, what)
	if _, shared := t.tail.has(h.offset, h.size); shared {
		content = slices.Clone(content) // nobody else has what r has read
	}
	return content, err
}
