package sst

import (
	"errors"
	"fmt"

	"tidemark/checkpoint/decode"
)

// An index block has an entry for every data block, in their order: a key that is not below the last
// one of the block and below the first one of the next, and the handle of the block. This is the entry
// of the example in sst.go:
//
//	00 39                    shared 0, 57 bytes of its own; no value length where values are delta-encoded
//	00 00 …                  key: a user key, where the properties say so, else an internal key
//	00 db 01                 handle: varint offset 0, varint size 219
//
// Where values are delta-encoded, an entry that shares bytes of its key has, in place of a handle, a
// signed (zigzag) varint: the size less the size of the block before. The block begins where the trailer
// of that one ends. Format version 4 and later do this.
//
// The index has one level (type 0; type 1, a hash index, is written the same), or two (type 2): then the
// index block of the footer points at further index blocks. Type 3 is one level where the handle is
// followed by the first key of the block, as a varint length and bytes.

// indexForm is how an index is written.
type indexForm struct {
	kind    uint32
	delta   bool // handles are delta-encoded
	userKey bool // keys lack sequence number and type
}

const (
	indexTwoLevel = 2
	indexFirstKey = 3
)

// handleIter goes through the handles of an index block.
type handleIter struct {
	blockIter
	form indexForm
	last handle
}

func (it *handleIter) start(t *Table, content []byte, at int64, form indexForm) {
	it.begin(t, content, at, whatIndex)
	it.noLength = form.delta
	it.form, it.last = form, handle{}
}

// next moves to the next handle, it.last; false at the end and at an error, it.err.
func (it *handleIter) next() bool {
	if !it.blockIter.next() {
		return false
	}
	c := cursor{data: it.value}
	h := handle{}
	if it.form.delta && it.shared > 0 {
		h = handle{it.last.end(), it.last.size + c.signed()}
	} else {
		h = c.handle()
	}
	if it.form.kind == indexFirstKey {
		c.take(c.length())
	}
	switch {
	case c.short:
		it.fail(it.pos, decode.Malformed, "a block handle is missing")
		return false
	case !it.t.holds(h):
		it.fail(it.pos, decode.Value, "block %s is not before the footer", h)
		return false
	case h.offset < it.last.offset+it.last.size:
		it.fail(it.pos, decode.Value, "block %s is before the end of %s", h, it.last)
		return false
	}
	if it.form.delta {
		it.took(c.data)
	} else if len(c.data) > 0 {
		it.fail(it.pos, decode.Value, "%x follows a handle", c.data)
		return false
	}
	it.last = h
	return true
}

// userKey is the key of the index entry without sequence number and type.
func (it *handleIter) userKey() []byte {
	if !it.form.userKey && len(it.key) >= trailerKey {
		return it.key[:len(it.key)-trailerKey]
	}
	return it.key
}

// blocks goes through the handles of all data blocks of a table, whichever form its index has.
type blocks struct {
	t         *Table
	r         *reader // reads index blocks of the second level
	top       handleIter
	low       handleIter
	lowMemory []byte
	from      []byte // where not nil, blocks that end before this user key are passed over
	only      bool   // so are those that begin after it
	begun     bool
	inLow     bool
	last      handle // of the data block before
	done      bool
}

// begin goes to the first entry of the index, which it reads where the table has let go of it.
func (b *blocks) begin() error {
	b.begun = true
	content, err := b.t.top, error(nil)
	if content == nil {
		content, err = b.t.once(b.t.index, whatIndex)
	}
	form := b.t.indexing
	if form.kind == indexTwoLevel {
		form.kind = 0
	}
	b.top.start(b.t, content, b.t.index.offset, form)
	return err
}

// memory is how many bytes it has beside those of the table.
func (b *blocks) memory() int {
	n := cap(b.lowMemory)
	if b.t.top == nil {
		n += cap(b.top.data)
	}
	return n
}

// next is the handle of the next data block; false at the end. After an error of decoding it goes on
// with what can still be found.
func (b *blocks) next() (handle, bool, error) {
	if !b.begun {
		if err := b.begin(); err != nil {
			b.done = true
			return handle{}, true, err
		}
	}
	for !b.done {
		it := &b.top
		if b.inLow {
			it = &b.low
		}
		if it.next() {
			if b.from != nil && string(it.userKey()) < string(b.from) {
				continue
			}
			if b.inLow || b.t.indexing.kind != indexTwoLevel {
				h := it.last
				if b.inLow && h.offset < b.last.offset+b.last.size {
					b.inLow = false // else a small file could name its blocks any number of times
					return h, true, b.t.fail(decode.Value, it.at, whatIndex, fmt.Errorf("block %s is before the end of %s", h, b.last))
				}
				b.last = h
				b.done = b.only && string(it.userKey()) > string(b.from)
				return h, true, nil
			}
			if err := b.descend(); err != nil {
				return handle{}, true, err
			}
			continue
		}
		err := it.err
		if b.inLow {
			b.inLow = false
		} else {
			b.done = true
		}
		if err != nil {
			return handle{}, true, err
		}
	}
	return handle{}, false, nil
}

// descend goes into the index block that the upper level is at.
func (b *blocks) descend() error {
	content, err := b.r.block(b.top.last, whatIndex)
	if err != nil {
		if e, ok := errors.AsType[*decode.Error](err); ok {
			return b.t.fail(e.Flaw, e.Offset, e.What, fmt.Errorf("%w; its data blocks cannot be found", e.Err))
		}
		return err
	}
	// The reader uses its memory again for the data blocks.
	b.lowMemory = append(b.lowMemory[:0], content...)
	b.low.start(b.t, b.lowMemory, b.top.last.offset, b.top.form)
	b.inLow = true
	return nil
}
