package state

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"tidemark/checkpoint/decode"
)

// Codec is how the bytes of a delta, snapshot or changelog are compressed, by Spark's short name for it.
// An empty one stands for a codec that could not be told.
type Codec string

// The four codecs that spark.sql.streaming.stateStore.compression.codec can name.
const (
	LZ4    Codec = "lz4"
	Zstd   Codec = "zstd"
	Snappy Codec = "snappy"
	LZF    Codec = "lzf"
)

// In is the name of what is inside the compressed file: "state/0/0/7.delta!lz4". Offsets of changes
// count in there.
func (c Codec) In(file string) string { return file + "!" + string(c) }

// inflatedLimit is how many bytes of one file are inflated. A store that Spark can load has less: it
// must fit into an executor's memory.
const inflatedLimit = 16 << 30

// blockLimit is how many bytes one block may inflate to. Spark writes blocks of 32 KiB unless it is told
// otherwise. Many files are read at once, and a few bytes can ask for all of it.
const blockLimit = 8 << 20

// magics are the first bytes of a compressed file, by codec. The configured codec is not asked: it may
// be absent, and the bytes cannot be mistaken.
var magics = []struct {
	codec Codec
	magic []byte
}{
	{LZ4, []byte(lz4Magic)},
	{Zstd, []byte{0x28, 0xb5, 0x2f, 0xfd}},
	{Snappy, []byte(snappyMagic)},
	{LZF, []byte(lzfMagic)},
}

// Inflate is what file holds once decompressed; r is the file from its first byte. The codec is told by
// the first bytes.
//
// The error, here or from a Read, is a *decode.Error whose Offset counts in the compressed file: where
// the block stands that does not inflate, or the end of a file that was cut. Its flaw is Empty, Cut,
// Malformed, Checksum or TooLarge. What r itself fails with comes back as it is.
//
// LZ4 blocks carry a checksum, which is verified, and a stream of them an end mark, whose lack is a Cut.
// Zstandard frames may carry a checksum; Spark's do not. The others have none.
func Inflate(file string, r io.Reader) (io.Reader, Codec, error) {
	src := &source{file: file, r: bufio.NewReaderSize(r, 16<<10)}
	codec, err := src.codec()
	if err != nil {
		return nil, "", err
	}
	b := blocks{src: src, limit: inflatedLimit}
	switch codec {
	case LZ4:
		b.next = (&lz4Blocks{src: src}).next
	case Zstd:
		z, err := newZstdFrames(src)
		if err != nil {
			return nil, "", err
		}
		b.next = z.next
	case Snappy:
		b.next = (&snappyBlocks{src: src}).next
	case LZF:
		b.next = (&lzfBlocks{src: src}).next
	}
	return &b, codec, nil
}

// blocks is the reader over the blocks of one codec.
type blocks struct {
	src   *source
	next  func() ([]byte, error) // the next block inflated, valid until the next call; io.EOF after the last
	rest  []byte                 // of the current block
	total int64                  // bytes inflated so far
	limit int64                  // how many there may be
	err   error                  // why there is no next block
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		if b.rest, b.err = b.next(); b.err != nil {
			b.rest = nil
		}
		if b.total += int64(len(b.rest)); b.total > b.limit {
			b.rest, b.err = nil, b.src.fail(b.src.at, decode.TooLarge, "compressed file", fmt.Errorf("more than %d bytes after decompression", b.limit))
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// errEnd is the end of a file where more was expected. It is not io.EOF or io.ErrUnexpectedEOF,
// which a connection that broke reports too.
var errEnd = errors.New("the file ends here")

// source is the compressed file.
type source struct {
	file string
	r    *bufio.Reader
	at   int64 // bytes read
	err  error // what r failed with, other than its end
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.at += int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// codec tells the codec by the first bytes, which remain to be read.
func (s *source) codec() (Codec, error) {
	head, err := s.r.Peek(8)
	if err != nil && err != io.EOF {
		return "", err
	}
	if len(head) == 0 {
		return "", s.fail(0, decode.Empty, "compressed file", errors.New("the file is empty"))
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, m.magic) {
			return m.codec, nil
		}
	}
	for _, m := range magics {
		if bytes.HasPrefix(m.magic, head) {
			return "", s.fail(int64(len(head)), decode.Cut, "compressed file", fmt.Errorf("the file ends inside the first bytes of %s", m.codec))
		}
	}
	return "", s.fail(0, decode.Malformed, "compressed file", fmt.Errorf("%q begins no codec Spark writes (lz4, zstd, snappy, lzf)", head))
}

// take reads the next n bytes into buf, which it may replace.
func (s *source) take(buf []byte, n int) ([]byte, error) { return take(s, buf, n) }

// take reads n bytes of r into buf, which it may replace, and returns what it got. The error is errEnd
// where r ends first. A length in a file may lie, so memory grows with the bytes that really come.
func take(r io.Reader, buf []byte, n int) ([]byte, error) {
	buf = buf[:0]
	for len(buf) < n {
		if len(buf) == cap(buf) || cap(buf) < n && cap(buf) < 64<<10 {
			buf = slices.Grow(buf, min(n-len(buf), max(len(buf), 64<<10)))
		}
		m, err := r.Read(buf[len(buf):min(n, cap(buf))])
		buf = buf[:len(buf)+m]
		switch {
		case len(buf) == n:
			return buf, nil
		case err == io.EOF:
			return buf, errEnd
		case err != nil:
			return buf, err
		}
	}
	return buf, nil
}

// fail is an error at a byte of the compressed file, unless reaching its bytes is what failed.
func (s *source) fail(at int64, flaw decode.Flaw, what string, err error) error {
	if s.err != nil {
		return s.err
	}
	return &decode.Error{Where: decode.Where{File: s.file, Offset: at}, Flaw: flaw, What: what, Err: err}
}

// short is the error of a take: at the end of a file that was cut, or what r failed with.
func (s *source) short(err error, what, inside string) error {
	if err != errEnd {
		return err
	}
	return s.fail(s.at, decode.Cut, what, fmt.Errorf("the file ends inside %s", inside))
}
