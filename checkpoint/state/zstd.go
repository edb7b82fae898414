package state

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"tidemark/checkpoint/decode"
)

// zstdFrames reads Zstandard frames (RFC 8878), as zstd-jni's stream writes them: the size of the
// content unknown, no checksum. So a changed byte can pass unseen here, and only what was inflated can
// tell.
//
// Unlike the other codecs Spark's reader asks for up to 32 KiB at once, so it also meets damage that
// stands behind the records, as long as that is in the same frame.
type zstdFrames struct {
	src *source
	dec *zstd.Decoder
	buf []byte
}

const (
	zstdWhat = "zstd frame"

	// zstdWindow is the largest window there is room for: a frame of ten bytes may ask for all of it.
	// Spark writes level 1 unless told otherwise, which has 512 KiB; level 19 has this much.
	zstdWindow = blockLimit
)

func newZstdFrames(src *source) (*zstdFrames, error) {
	// One at a time: the decoder starts no goroutine then, and needs no closing.
	dec, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return &zstdFrames{src: src, dec: dec, buf: make([]byte, 32<<10)}, nil
}

func (z *zstdFrames) next() ([]byte, error) {
	n, err := z.dec.Read(z.buf)
	switch {
	case n > 0, err == nil: // an error comes again with the next call
		return z.buf[:n], nil
	case err == io.EOF:
		return nil, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, z.src.fail(z.src.at, decode.Cut, zstdWhat, errors.New("the file ends inside a frame"))
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, z.src.fail(z.src.at, decode.TooLarge, zstdWhat, fmt.Errorf("a frame needs more than %d bytes of memory", zstdWindow))
	case errors.Is(err, zstd.ErrCRCMismatch):
		return nil, z.src.fail(z.src.at, decode.Checksum, zstdWhat, err)
	}
	return nil, z.src.fail(z.src.at, decode.Malformed, zstdWhat, err)
}
