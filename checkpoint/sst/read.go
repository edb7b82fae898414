package sst

import (
	"errors"
	"fmt"
	"io"

	"tidemark/checkpoint/decode"
)

// readAhead is how many bytes a scan asks for at once.
const readAhead = 256 << 10

// firstAhead is how many bytes are asked for first by a scan that may end soon.
const firstAhead = 8 << 10

// window is a run of bytes of the file that were read at once. Asking for bytes outside of it reads
// from there on, ahead bytes or as many as are asked for. Each read asks for twice as many, up to most.
type window struct {
	t     *Table
	ahead int64
	most  int64
	from  int64
	buf   []byte
}

// at is size bytes of the file from offset on, valid until the next call. The caller has made sure
// that they are within the size of the file.
func (w *window) at(offset, size int64, what string) ([]byte, error) {
	if b, ok := w.has(offset, size); ok {
		return b, nil
	}
	if b, ok := w.t.tail.has(offset, size); ok {
		return b, nil
	}
	n := min(max(size, w.ahead), w.t.Size-offset)
	w.ahead = min(2*w.ahead, w.most)
	if int64(cap(w.buf)) < n {
		w.buf = make([]byte, n)
	}
	w.from, w.buf = offset, w.buf[:n]
	got, err := w.t.r.ReadAt(w.buf, offset)
	w.buf = w.buf[:got]
	if int64(got) >= size {
		return w.buf[:size], nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, w.t.fail(decode.Cut, offset+int64(got), what, fmt.Errorf("the file ends here; %d bytes were expected", w.t.Size))
	}
	if err == nil {
		err = io.ErrNoProgress
	}
	return nil, err
}

// has is the bytes where they were read before.
func (w *window) has(offset, size int64) ([]byte, bool) {
	if offset < w.from || offset-w.from > int64(len(w.buf)) || size > int64(len(w.buf))-(offset-w.from) {
		return nil, false
	}
	return w.buf[offset-w.from:][:size], true
}
