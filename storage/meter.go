package storage

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// Meter counts what is asked of stores, for the screen and for tests. It is safe for concurrent use,
// and a nil *Meter counts nothing.
type Meter struct {
	// Trace, where it is set, is told of every request when it is over. It is set before the Meter is used,
	// and is called from many goroutines at once.
	Trace func(Request)

	lists, entries, reads, others, retries, bytes atomic.Int64
	spent                                         atomic.Int64 // of Options.MaxRequests
	notice                                        atomic.Pointer[string]
	identity                                      atomic.Pointer[string]
}

// Request is one request that was made of a store, for a log.
type Request struct {
	Op           string        // "list", "read", "size"; "retry" is the wait before a request is made again
	Name         string        // whole: "s3://bucket/cp/offsets/120"; "" for a retry
	From, Length int64         // bytes, of a read; Length is -1 to the end
	Entries      int           // of a list
	Bytes        int64         // received, of a read
	Took         time.Duration // until the last byte was read or the body was closed
	Status       int           // of HTTP, where the request was refused; 0 for none
	Err          error         // nil where it was answered
	Notice       string        // of a retry: "503 SlowDown, retry 2/5 in 0.8 s"
}

// trace tells of a request that is over.
func (m *Meter) trace(began time.Time, r Request) {
	if m == nil || m.Trace == nil {
		return
	}
	r.Took = time.Since(began)
	if refused, ok := errors.AsType[*refusal](r.Err); ok {
		r.Status = refused.status
	}
	m.Trace(r)
}

// Reading is what a Meter showed at one moment.
type Reading struct {
	Lists   int64 // requests for a page of a listing, those that were repeated included
	Entries int64 // files and folders in listings
	Reads   int64 // requests for a file or a part of one, those that were repeated included
	Others  int64 // requests beyond these: for a size, and those that a store sent on to another address or region
	Retries int64 // requests that were made because one before them did not succeed
	Bytes   int64 // of files, as received
	// Identity is as whom the last object store is read: "anonymous", "profile prod, AKIA…WXYZ". "" where none
	// was opened.
	Identity string
	Notice   string // what is being waited for: "503 SlowDown, retry 2/5 in 0.8 s"; "" for nothing
}

// Requests returns how often something was asked of the stores.
func (r Reading) Requests() int64 { return r.Lists + r.Reads + r.Others }

// Snapshot reads the meter.
func (m *Meter) Snapshot() Reading {
	if m == nil {
		return Reading{}
	}
	r := Reading{
		Lists: m.lists.Load(), Entries: m.entries.Load(), Reads: m.reads.Load(),
		Others: m.others.Load(), Retries: m.retries.Load(), Bytes: m.bytes.Load(),
	}
	if n := m.notice.Load(); n != nil {
		r.Notice = *n
	}
	if who := m.identity.Load(); who != nil {
		r.Identity = *who
	}
	return r
}

// Add counts requests that go to no store, and the bytes of their answers. They are as much of what is allowed as those
// that do; a nil *Meter counts nothing.
func (m *Meter) Add(requests, bytes int64) {
	if m != nil {
		m.reads.Add(requests)
		m.spent.Add(requests)
		m.bytes.Add(bytes)
	}
}

// Spent returns how many of the allowed requests were made; see Options.MaxRequests. Only requests of stores with a limit,
// and those of Add, are counted.
func (m *Meter) Spent() int64 {
	if m == nil {
		return 0
	}
	return m.spent.Load()
}

// waiting shows a notice until the returned function is called, or until a later notice replaces it.
func (m *Meter) waiting(notice string) (done func()) {
	if m == nil {
		return func() {}
	}
	m.retries.Add(1)
	m.trace(time.Now(), Request{Op: "retry", Notice: notice})
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
	began := time.Now()
	found, next, err := m.backend.page(ctx, dir, token)
	m.meter.entries.Add(int64(len(found)))
	m.meter.trace(began, Request{Op: "list", Name: m.full(dir), Entries: len(found), Err: err})
	return found, next, err
}

func (m *metered) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	m.meter.reads.Add(1)
	b := &meteredBody{meter: m.meter, began: time.Now(), request: Request{Op: "read", Name: m.full(name), From: offset, Length: length}}
	rc, err := m.backend.open(ctx, name, offset, length)
	if err != nil {
		b.over(err)
		return nil, err
	}
	b.ReadCloser = rc
	return b, nil
}

// full returns the whole name of a file or folder, for a log; nothing where nobody keeps one.
func (m *metered) full(name string) string {
	if m.meter.Trace == nil {
		return ""
	}
	if name == "." {
		return m.String()
	}
	return join(m.String(), name)
}

type meteredBody struct {
	io.ReadCloser
	meter   *Meter
	began   time.Time
	request Request
	told    bool
}

func (b *meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.bytes.Add(int64(n))
	b.request.Bytes += int64(n)
	if errors.Is(err, io.EOF) {
		b.over(nil)
	} else if err != nil {
		b.over(err)
	}
	return n, err
}

func (b *meteredBody) Close() error {
	err := b.ReadCloser.Close()
	b.over(err)
	return err
}

// over tells once how the request ended.
func (b *meteredBody) over(err error) {
	if b.told {
		return
	}
	b.told = true
	b.request.Err = err
	b.meter.trace(b.began, b.request)
}
