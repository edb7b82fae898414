package sst

import (
	"encoding/binary"
	"fmt"
	"math"
)

// handle says where the content of a block is; its trailer follows.
type handle struct{ offset, size int64 }

func (h handle) String() string { return fmt.Sprintf("(offset %d, size %d)", h.offset, h.size) }

// end is the first byte behind the block and its trailer.
func (h handle) end() int64 { return h.offset + h.size + trailer }

// cursor takes numbers off the front of data. Once something did not fit, short is set and all that
// follows is zero.
type cursor struct {
	data  []byte
	short bool
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.data)
	// RocksDB writes no varint longer than it must be.
	if n <= 0 || n > 1 && c.data[n-1] == 0 {
		c.data, c.short = nil, true
		return 0
	}
	c.data = c.data[n:]
	return v
}

// length is a varint that counts bytes; one that no file can have counts as not fitting.
func (c *cursor) length() int64 {
	v := c.uvarint()
	if v > math.MaxInt64/4 {
		c.data, c.short = nil, true
		return 0
	}
	return int64(v)
}

func (c *cursor) handle() handle { return handle{c.length(), c.length()} }

// signed is a varint whose lowest bit is the sign (zigzag).
func (c *cursor) signed() int64 {
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (c *cursor) take(n int64) []byte {
	if n < 0 || n > int64(len(c.data)) {
		c.data, c.short = nil, true
		return nil
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}
