package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/OneOfOne/xxhash"
	"github.com/pierrec/lz4/v4"

	"tidemark/checkpoint/decode"
)

// lz4Blocks reads what lz4-java's LZ4BlockOutputStream writes: blocks with a header each, numbers
// little-endian. It is not the LZ4 frame format.
//
//	8  "LZ4Block"
//	1  token: high half 1 raw, 2 LZ4; low half + 10 is log2 of the largest block
//	4  compressed length
//	4  uncompressed length
//	4  xxHash32 of the uncompressed bytes, seed 0x9747B28C, its lower 28 bits
//	…  the block
//
// A block of length 0 and checksum 0 ends the stream; another stream may follow. So a file of one record:
//
//	4c5a34426c6f636b 25 4e000000 7c000000 3652f40b …78 bytes… 4c5a34426c6f636b 15 00000000 00000000 00000000
//
// Spark does not ask for the end mark: it takes the end of the file for it.
type lz4Blocks struct {
	src    *source
	header [21]byte
	packed []byte // reused from block to block, as is plain
	plain  []byte
	ended  bool // the last block was an end mark
}

const (
	lz4Magic = "LZ4Block"
	lz4What  = "LZ4 block"
	lz4Seed  = 0x9747B28C
	lz4Raw   = 1
	lz4Fast  = 2
)

func (b *lz4Blocks) next() ([]byte, error) {
	for {
		at := b.src.at
		header, err := b.src.take(b.header[:0], len(b.header))
		magic := header[:min(len(header), len(lz4Magic))]
		switch {
		case err == errEnd && len(header) == 0:
			return nil, b.end()
		case err == nil && string(magic) != lz4Magic, err == errEnd && lz4Magic[:len(magic)] != string(magic):
			return nil, b.src.fail(at, decode.Malformed, lz4What, fmt.Errorf("%q in place of the block start %q", magic, lz4Magic))
		case err != nil:
			return nil, b.src.short(err, lz4What, "the header of a block")
		}
		plain, err := b.block(at, header[len(lz4Magic):])
		if err != nil || len(plain) > 0 {
			return plain, err
		}
	}
}

// end is what the end of the file between two blocks means.
func (b *lz4Blocks) end() error {
	if b.ended {
		return io.EOF
	}
	return b.src.fail(b.src.at, decode.Cut, lz4What, errors.New("the file ends without the end mark of LZ4"))
}

// block reads the block of a header that stands at byte at. No bytes and no error are an end mark.
func (b *lz4Blocks) block(at int64, header []byte) ([]byte, error) {
	method, level := header[0]>>4, header[0]&15
	packed, plain, sum := binary.LittleEndian.Uint32(header[1:]), binary.LittleEndian.Uint32(header[5:]),
		binary.LittleEndian.Uint32(header[9:])
	malformed := func(in int64, format string, args ...any) error {
		return b.src.fail(at+in, decode.Malformed, lz4What, fmt.Errorf(format, args...))
	}
	b.ended = false
	switch {
	case method != lz4Raw && method != lz4Fast:
		return nil, malformed(8, "token 0x%02x names no method", header[0])
	case plain > 1<<(level+10):
		return nil, malformed(13, "a block of %d bytes; the token 0x%02x allows %d", plain, header[0], 1<<(level+10))
	case method == lz4Raw && packed != plain, (packed == 0) != (plain == 0), plain > 0 &&
		uint64(packed) > uint64(lz4.CompressBlockBound(int(plain))):
		return nil, malformed(9, "a block of %d bytes cannot need %d", plain, packed)
	case uint64(plain) > 255*uint64(packed):
		return nil, malformed(9, "%d bytes cannot decompress to %d", packed, plain)
	case plain > blockLimit:
		return nil, b.src.fail(at+13, decode.TooLarge, lz4What, fmt.Errorf("a block of %d bytes; tidemark reads at most %d", plain, blockLimit))
	case plain == 0 && sum != 0:
		return nil, malformed(17, "an end mark has the checksum 0x%08x", sum)
	case plain == 0:
		b.ended = true
		return nil, nil
	}
	var err error
	if b.packed, err = b.src.take(b.packed, int(packed)); err != nil {
		return nil, b.src.short(err, lz4What, "a block")
	}
	data := b.packed
	if method == lz4Fast {
		if cap(b.plain) < int(plain) {
			b.plain = make([]byte, plain)
		}
		data = b.plain[:plain]
		if n, err := lz4.UncompressBlock(b.packed, data); err != nil || n != len(data) {
			return nil, malformed(21, "%d bytes do not decompress to %d", packed, plain)
		}
	}
	if got := xxhash.Checksum32S(data, lz4Seed) & 0x0fffffff; got != sum {
		return nil, b.src.fail(at, decode.Checksum, lz4What, fmt.Errorf("the checksum of the block is 0x%08x, its header records 0x%08x", got, sum))
	}
	return data, nil
}

// EndsShort reports whether a compressed file of size bytes does not end in the mark that its codec writes,
// so that it may be cut; only LZ4 has one. Nothing but its last and its first bytes is read. The error is
// that of r.
func EndsShort(r io.ReaderAt, size int64) (bool, error) {
	const header = 21
	var end, begin [header]byte
	if _, err := r.ReadAt(end[:], max(size-header, 0)); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	lengths := end[len(lz4Magic)+1:]
	if string(end[:len(lz4Magic)]) == lz4Magic && string(lengths) == string(make([]byte, len(lengths))) {
		return false, nil
	}
	if _, err := r.ReadAt(begin[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return string(begin[:len(lz4Magic)]) == lz4Magic, nil
}
