package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tidemark/checkpoint/decode"
)

// lzfBlocks reads what compress-lzf's LZFOutputStream writes, numbers big-endian:
//
//	2  "ZV"
//	1  0 raw, 1 compressed
//	2  length of the block that follows
//	2  its inflated length, only if compressed
//	…  the block
//
// Blocks follow until the end of the file; there is no end mark and no checksum. A compressed block is a
// row of
//
//	000nnnnn             n+1 bytes follow as they are
//	nnnooooo o           n+2 bytes again from o+1 bytes back; n is 1 to 6
//	111ooooo n o         n+9 bytes again from o+1 bytes back
type lzfBlocks struct {
	src    *source
	head   [7]byte
	packed []byte // reused from block to block, as is plain
	plain  []byte
}

const (
	lzfMagic = "ZV"
	lzfWhat  = "lzf block"
)

func (b *lzfBlocks) next() ([]byte, error) {
	for {
		at := b.src.at
		head, err := b.src.take(b.head[:0], 5)
		switch {
		case err == errEnd && len(head) == 0:
			return nil, io.EOF
		case err == errEnd && lzfMagic[:min(len(head), 2)] != string(head[:min(len(head), 2)]), err == nil && string(head[:2]) != lzfMagic:
			return nil, b.src.fail(at, decode.Malformed, lzfWhat, fmt.Errorf("%q in place of the block start %q", head, lzfMagic))
		case err != nil:
			return nil, b.src.short(err, lzfWhat, "the header of a block")
		}
		kind, n := head[2], int(binary.BigEndian.Uint16(head[3:]))
		var plain []byte
		switch kind {
		case 0:
			plain, err = b.raw(n)
		case 1:
			plain, err = b.block(at, n)
		default:
			return nil, b.src.fail(at+2, decode.Malformed, lzfWhat, fmt.Errorf("unknown block type %d", kind))
		}
		if err != nil || len(plain) > 0 {
			return plain, err
		}
	}
}

func (b *lzfBlocks) raw(n int) ([]byte, error) {
	var err error
	if b.packed, err = b.src.take(b.packed, n); err != nil {
		return nil, b.src.short(err, lzfWhat, "a block")
	}
	return b.packed, nil
}

func (b *lzfBlocks) block(at int64, n int) ([]byte, error) {
	size, err := b.src.take(b.head[:0], 2)
	if err != nil {
		return nil, b.src.short(err, lzfWhat, "the header of a block")
	}
	want := int(binary.BigEndian.Uint16(size))
	if b.packed, err = b.src.take(b.packed, n); err != nil {
		return nil, b.src.short(err, lzfWhat, "a block")
	}
	in, err := b.inflate(want)
	if err == nil && len(b.plain) != want {
		err = fmt.Errorf("%d bytes decompress to %d, the header records %d", n, len(b.plain), want)
	}
	if err != nil {
		return nil, b.src.fail(at+7+int64(in), decode.Malformed, lzfWhat, err)
	}
	return b.plain, nil
}

// inflate makes plain of packed, at most want bytes, and says how far into packed it came.
func (b *lzfBlocks) inflate(want int) (int, error) {
	out, in := b.plain[:0], 0
	defer func() { b.plain = out }()
	for in < len(b.packed) {
		at, control := in, int(b.packed[in])
		in++
		if control < 32 {
			n := control + 1
			if n > len(b.packed)-in || n > want-len(out) {
				return at, errors.New("bytes go beyond the end of the block")
			}
			out = append(out, b.packed[in:in+n]...)
			in += n
			continue
		}
		n, more := control>>5+2, 1
		if n == 9 {
			more = 2
		}
		if more > len(b.packed)-in {
			return at, errors.New("the block ends inside a copy")
		}
		if n == 9 {
			n += int(b.packed[in])
		}
		in += more
		back := (control&31)<<8 + int(b.packed[in-1]) + 1
		if back > len(out) || n > want-len(out) {
			return at, fmt.Errorf("a copy of %d bytes from %d back is outside the block", n, back)
		}
		for range n { // byte by byte: a copy may read what it has just written
			out = append(out, out[len(out)-back])
		}
	}
	return in, nil
}
