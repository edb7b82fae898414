package storage

import (
	"context"
	"io"
	"sync/atomic"
)

// Meter counts what is asked of stores, for the screen and for tests. It is safe for concurrent use,
// and a nil *Meter counts nothing.
type Meter struct {
	lists, reads, retries, bytes atomic.Int64
	spent                        atomic.Int64 // of Options.MaxRequests
	notice                       atomic.Pointer[string]
}

// Reading is what a Meter showed at one moment.
type Reading struct {
	Lists   int64  // requests for a page of a listing, those that were repeated included
	Reads   int64  // requests for a file or a part of one, those that were repeated included
	Retries int64  // requests that were made because one before them did not succeed
	Bytes   int64  // of files, as received
	Notice  string // what is being waited for: "503 SlowDown, retry 2/5 in 0.8 s"; "" for nothing
}

// Requests is how often something was asked of the stores.
func (r Reading) Requests() int64 { return r.Lists + r.Reads }

// Snapshot reads the meter.
func (m *Meter) Snapshot() Reading {
	if m == nil {
		return Reading{}
	}
	r := Reading{Lists: m.lists.Load(), Reads: m.reads.Load(), Retries: m.retries.Load(), Bytes: m.bytes.Load()}
	if n := m.notice.Load(); n != nil {
		r.Notice = *n
	}
	return r
}

// waiting shows a notice until the returned function is called, or until a later notice replaces it.
func (m *Meter) waiting(notice string) (done func()) {
	if m == nil {
		return func() {}
	}
	m.retries.Add(1)
	m.notice.Store(&notice)
	return func() { m.notice.CompareAndSwap(&notice, nil) }
}

// metered is a backend that counts on a Meter.
type metered struct {
	backend
	meter *Meter
}

func (m *metered) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	m.meter.lists.Add(1)
	return m.backend.page(ctx, dir, token)
}

func (m *metered) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	m.meter.reads.Add(1)
	rc, err := m.backend.open(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	return &meteredBody{rc, m.meter}, nil
}

type meteredBody struct {
	io.ReadCloser
	meter *Meter
}

func (b *meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.bytes.Add(int64(n))
	return n, err
}
