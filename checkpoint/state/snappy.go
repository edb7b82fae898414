package state

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/snappy"

	"tidemark/checkpoint/decode"
)

// snappyBlocks reads what snappy-java's SnappyOutputStream writes, numbers big-endian. It is not the
// Snappy framing format.
//
//	16  header: 82 "SNAPPY" 00, version int32 1, least compatible version int32 1
//	4   length of the block
//	…   the block, which begins with its own inflated length (a varint)
//
// Blocks follow until the end of the file; there is no end mark and no checksum. Where streams were
// joined, a header stands in place of a length.
type snappyBlocks struct {
	src    *source
	head   [16]byte
	packed []byte // reused from block to block, as is plain
	plain  []byte
}

const (
	snappyMagic = "\x82SNAPPY\x00"
	snappyWhat  = "snappy block"

	// snappyLimit is how long a compressed block may be. Spark's blocks hold 32 KiB unless
	// spark.io.compression.snappy.blockSize says otherwise.
	snappyLimit = 2 * blockLimit
)

func (b *snappyBlocks) next() ([]byte, error) {
	for {
		at := b.src.at
		length, err := b.src.take(b.head[:0], 4)
		if err == errEnd && len(length) == 0 {
			return nil, io.EOF
		}
		if err != nil {
			return nil, b.src.short(err, snappyWhat, "the length of a block")
		}
		if string(length) == snappyMagic[:4] {
			if err := b.header(at); err != nil {
				return nil, err
			}
			continue
		}
		n := binary.BigEndian.Uint32(length)
		switch {
		case n == 0 || n > math.MaxInt32:
			return nil, b.src.fail(at, decode.Malformed, snappyWhat, fmt.Errorf("%d is not a block length", int32(n)))
		case n > snappyLimit:
			return nil, b.src.fail(at, decode.TooLarge, snappyWhat, fmt.Errorf("a block of %d bytes; tidemark reads at most %d", n, snappyLimit))
		}
		plain, err := b.block(at, int(n))
		if err != nil || len(plain) > 0 {
			return plain, err
		}
	}
}

// header reads the rest of a header of which 4 bytes are read.
func (b *snappyBlocks) header(at int64) error {
	rest, err := b.src.take(b.head[:0], 12)
	if err != nil {
		return b.src.short(err, snappyWhat, "the header")
	}
	if string(rest[:4]) != snappyMagic[4:] {
		return b.src.fail(at+4, decode.Malformed, snappyWhat, fmt.Errorf("%q in place of %q in the header", rest[:4], snappyMagic[4:]))
	}
	if v := binary.BigEndian.Uint32(rest[8:]); v > 1 {
		return b.src.fail(at+12, decode.VersionUnknown, snappyWhat, fmt.Errorf("readable from version %d; tidemark knows version 1", v))
	}
	return nil
}

func (b *snappyBlocks) block(at int64, n int) ([]byte, error) {
	var err error
	if b.packed, err = b.src.take(b.packed, n); err != nil {
		return nil, b.src.short(err, snappyWhat, "a block")
	}
	size, err := snappy.DecodedLen(b.packed)
	if err != nil {
		return nil, b.src.fail(at+4, decode.Malformed, snappyWhat, err)
	}
	// A copy of 3 bytes makes at most 64, so a longer length is a lie that must not be allocated.
	if size > 22*n {
		return nil, b.src.fail(at+4, decode.Malformed, snappyWhat, fmt.Errorf("%d bytes cannot decompress to %d", n, size))
	}
	if size > blockLimit {
		return nil, b.src.fail(at+4, decode.TooLarge, snappyWhat, fmt.Errorf("a block of %d bytes; tidemark reads at most %d", size, blockLimit))
	}
	if b.plain, err = snappy.Decode(b.plain[:cap(b.plain)], b.packed); err != nil {
		return nil, b.src.fail(at+4, decode.Malformed, snappyWhat, err)
	}
	return b.plain, nil
}
