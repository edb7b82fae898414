package sst

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	xxhash32 "github.com/OneOfOne/xxhash"
	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/zeebo/xxh3"

	"tidemark/checkpoint/decode"
)

// trailer is the bytes behind the content of a block: u8 compression type, u32 checksum.
const trailer = 5

// The checksum types, as the footer has them.
const (
	_ = iota // none
	checksumCRC32C
	checksumXXHash32
	checksumXXHash64
	checksumXXH3
	checksumLast = checksumXXH3
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is the checksum of content and the byte behind it (ComputeBuiltinChecksumWithLastByte). Where there
// is none, RocksDB writes zero.
func sum(kind byte, content []byte, last byte) uint32 {
	switch kind {
	case checksumCRC32C:
		// Masked, so that a checksum of bytes that hold checksums stays a good one.
		crc := crc32.Update(crc32.Checksum(content, castagnoli), castagnoli, []byte{last})
		return (crc>>15 | crc<<17) + 0xa282ead8
	case checksumXXHash32:
		h := xxhash32.New32()
		h.Write(content)
		h.Write([]byte{last})
		return h.Sum32()
	case checksumXXHash64:
		var h xxhash.Digest
		h.Reset()
		h.Write(content)
		h.Write([]byte{last})
		return uint32(h.Sum64())
	case checksumXXH3:
		return uint32(xxh3.Hash(content)) ^ uint32(last)*0x6b9083d9
	}
	return 0
}

// modifier is added to the checksum of what begins at offset, so that a block in the place of another
// is noticed (ChecksumModifierForContext). It is 0 before format 6.
func (t *Table) modifier(offset int64) uint32 {
	if t.context == 0 {
		return 0
	}
	return t.context ^ (uint32(offset) + uint32(offset>>32))
}

// The compression types of a block that are read.
const (
	compressNone   = 0
	compressSnappy = 1
	compressZlib   = 2
	compressBzip2  = 3
	compressLZ4    = 4
	compressLZ4HC  = 5
	compressZSTD   = 7
)

// blockMax is the largest block that is read, packed or inflated. RocksDB makes blocks of 4 KiB, or
// as large as one entry.
const blockMax = 64 << 20

// inflater unpacks blocks.
type inflater struct{ zstd *zstd.Decoder }

// inflate unpacks src into the memory of dst, which grows where it must.
//
// Snappy has its own length. The others have it in front as a varint, save that in format version 1
// zlib and bzip2 have none, and LZ4 has 8 bytes of which the first 4 count.
func (f *inflater) inflate(dst []byte, kind byte, src []byte, format int) ([]byte, decode.Flaw, error) {
	if kind == compressSnappy {
		return inflateSnappy(dst, src)
	}
	lz := kind == compressLZ4 || kind == compressLZ4HC
	size := int64(-1)
	switch {
	case format >= 2 || kind == compressZSTD:
		c := cursor{data: src}
		if size = c.length(); c.short {
			return nil, decode.Malformed, fmt.Errorf("compressed block: its length is missing")
		}
		src = c.data
	case lz:
		if len(src) < 8 {
			return nil, decode.Cut, errors.New("compressed block: its length is missing")
		}
		size, src = int64(binary.LittleEndian.Uint32(src)), src[8:]
	}
	if flaw, err := inflates(size); err != nil {
		return nil, flaw, err
	}
	var err error
	switch {
	case lz:
		if size > 255*int64(len(src)) {
			return nil, decode.Value, fmt.Errorf("%d bytes of LZ4 cannot decompress to %d", len(src), size)
		}
		dst = grow(dst, size)
		n := 0
		if n, err = lz4.UncompressBlock(src, dst); err == nil {
			dst = dst[:n]
		}
	case kind == compressZSTD:
		dst, err = f.inflateZSTD(dst, src)
	case kind == compressZlib:
		dst, err = inflateStream(dst, flate.NewReader(bytes.NewReader(src)))
	case kind == compressBzip2:
		dst, err = inflateStream(dst, bzip2.NewReader(bytes.NewReader(src)))
	default:
		return nil, decode.VersionUnknown, fmt.Errorf("unknown compression type %d", kind)
	}
	if err != nil {
		return nil, decode.Malformed, fmt.Errorf("compressed block of type %d: %w", kind, err)
	}
	if size >= 0 && int64(len(dst)) != size {
		return nil, decode.Value, fmt.Errorf("decompresses to %d bytes, the block records %d", len(dst), size)
	}
	return dst, "", nil
}

// inflates tells of a length, -1 where it is not known, that no block inflates to.
func inflates(size int64) (decode.Flaw, error) {
	switch {
	case size == 0: // RocksDB packs no such block, and the LZ4 decoder must not be given one
		return decode.Value, errors.New("a block decompresses to no bytes")
	case size > blockMax:
		return decode.TooLarge, fmt.Errorf("a block decompresses to %d bytes; tidemark reads at most %d", size, blockMax)
	}
	return "", nil
}

func inflateSnappy(dst, src []byte) ([]byte, decode.Flaw, error) {
	size, err := snappy.DecodedLen(src)
	if err != nil {
		return nil, decode.Malformed, fmt.Errorf("compressed block: %w", err)
	}
	if flaw, err := inflates(int64(size)); err != nil {
		return nil, flaw, err
	}
	// A copy of 3 bytes makes 64 at most.
	if size > 32*len(src) {
		return nil, decode.Value, fmt.Errorf("%d bytes of Snappy cannot decompress to %d", len(src), size)
	}
	dst, err = snappy.Decode(grow(dst, int64(size)), src)
	if err != nil {
		return nil, decode.Malformed, fmt.Errorf("compressed block: %w", err)
	}
	return dst, "", nil
}

func (f *inflater) inflateZSTD(dst, src []byte) ([]byte, error) {
	if f.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(blockMax))
		if err != nil {
			return nil, err
		}
		f.zstd = d
	}
	return f.zstd.DecodeAll(src, dst[:0])
}

// inflateStream reads r to its end, up to blockMax bytes.
func inflateStream(dst []byte, r io.Reader) ([]byte, error) {
	b := bytes.NewBuffer(dst[:0])
	n, err := io.Copy(b, io.LimitReader(r, blockMax+1))
	if err == nil && n > blockMax {
		err = fmt.Errorf("more than %d bytes", blockMax)
	}
	return b.Bytes(), err
}

// grow is size bytes, in the memory of dst where that is enough.
func grow(dst []byte, size int64) []byte {
	if int64(cap(dst)) < size {
		return make([]byte, size)
	}
	return dst[:size]
}
