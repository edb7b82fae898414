package storage

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// inflater opens a compressed stream at any place of its content. There is no way but to inflate all
// that comes before; so the last streams that were read stay where they stopped, and a reader that goes
// on from there does not begin at the start.
type inflater struct {
	packed packed
	unpack func(io.Reader) (io.ReadCloser, error)

	mu   sync.Mutex
	idle []*inflating // the last one used at the end
}

const idleStreams = 2 // each may hold a window of many MiB

// inflating is one stream under way.
type inflating struct {
	io.Reader
	closers
	at     int64 // bytes of content that are behind
	broken bool
}

func newInflater(p packed, unpack func(io.Reader) (io.ReadCloser, error)) *inflater {
	return &inflater{packed: p, unpack: unpack}
}

func gzipped(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

func zstandard(r io.Reader) (io.ReadCloser, error) { return newZstd(r) }

// newZstd reads zstd with one goroutine's worth of memory: a window of 128 MiB is the largest that the
// zstd command makes with --long.
func newZstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// open returns the content from a place on.
func (f *inflater) open(ctx context.Context, from int64) (io.ReadCloser, error) {
	s := f.take(from)
	if s == nil {
		var err error
		if s, err = f.begin(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
	}
	if err := discard(&body{ctx, s, nil}, from-s.at); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return &lent{s, f}, nil
}

// openRange does what open does, up to a length, which the caller counts.
func (f *inflater) openRange(ctx context.Context, from, _ int64) (io.ReadCloser, error) {
	return f.open(ctx, from)
}

// take returns the idle stream that is closest before a place, nil when there is none.
func (f *inflater) take(from int64) *inflating {
	f.mu.Lock()
	defer f.mu.Unlock()
	best := -1
	for i, s := range f.idle {
		if s.at <= from && (best < 0 || s.at > f.idle[best].at) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	s := f.idle[best]
	f.idle = append(f.idle[:best], f.idle[best+1:]...)
	return s
}

// begin starts a stream that outlives the call; its readers look at their own contexts.
func (f *inflater) begin(ctx context.Context) (*inflating, error) {
	rc, err := f.packed.open(ctx, 0, -1)
	if err != nil {
		return nil, err
	}
	r, err := f.unpack(bufio.NewReaderSize(rc, 64<<10))
	if err != nil {
		return nil, errors.Join(err, rc.Close())
	}
	return &inflating{Reader: r, closers: closers{rc, r}}, nil
}

func (s *inflating) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.at += int64(n)
	s.broken = s.broken || err != nil
	return n, err
}

// lent gives its stream back when it is closed.
type lent struct {
	*inflating
	to *inflater
}

func (l *lent) Close() error {
	if l.to == nil {
		return nil
	}
	f := l.to
	l.to = nil
	if l.broken {
		return l.inflating.Close()
	}
	f.mu.Lock()
	f.idle = append(f.idle, l.inflating)
	var old *inflating
	if len(f.idle) > idleStreams {
		old, f.idle = f.idle[0], f.idle[1:]
	}
	f.mu.Unlock()
	if old != nil {
		return old.Close()
	}
	return nil
}

// inflated is a stream while its index is made, with a ceiling on what may come out of it.
type inflated struct {
	r       io.Reader
	n       int64
	allowed int64
}

func (s *inflated) at() int64 { return s.n }

func (s *inflated) Read(p []byte) (int, error) {
	if s.n > s.allowed {
		return 0, &ceilingError{fmt.Sprintf("more than %d bytes after decompression: likely a zip bomb; the rest is not read", s.allowed)}
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	return n, err
}

// ceilingError is an archive that asks for more than anyone should give it.
type ceilingError struct{ why string }

func (e *ceilingError) Error() string { return e.why }
