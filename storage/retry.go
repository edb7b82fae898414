package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// busyError is an error that may be gone at the next try: the store is throttling, breaks down, or the
// connection was lost. Only a backend can tell; nothing else is tried again.
type busyError struct {
	why   string        // in a few words: "503 SlowDown"
	after time.Duration // the store asks for so much patience; 0 for none
	err   error
}

func (e *busyError) Error() string { return e.err.Error() }
func (e *busyError) Unwrap() error { return e.err }

// retry is a backend that repeats what was refused for a reason that passes. The wait doubles from try
// to try and is never twice the same, so that many readers do not come back at one moment; the Meter
// shows it. A body that breaks off is taken up where it broke.
type retry struct {
	backend
	meter  *Meter
	silent atomic.Bool // the last thing that was heard of the store is that it did not answer
}

const (
	retries   = 5
	firstWait = 200 * time.Millisecond
	longest   = 10 * time.Second
	patience  = 30 * time.Second // without a byte, and the request counts as lost
	impatient = 5 * time.Second  // the same for a store that did not answer before
	slowest   = 1 << 10          // bytes a second; a body that comes slower than that for as long as patience is none
)

var errStalled = errors.New("no answer")

// stalledFor returns what a request that nothing is heard of ends with.
func stalledFor(d time.Duration) error { return fmt.Errorf("%w for %v", errStalled, d) }

// do calls try until it succeeds, fails for good, or has been repeated often enough.
func (r *retry) do(ctx context.Context, try func() error) error {
	for n := 1; ; n++ {
		err := try()
		busy, ok := errors.AsType[*busyError](err)
		switch {
		case ctx.Err() != nil && err != nil:
			return ctx.Err()
		case !ok:
			r.silent.Store(false)
			return err
		case errors.Is(err, errStalled) && (n > 1 || r.silent.Load()):
			r.silent.Store(true)
			return err
		case n > retries:
			return fmt.Errorf("the same error after %d retries: %w", retries, err)
		}
		if err := r.wait(ctx, n, busy); err != nil {
			return err
		}
	}
}

func (r *retry) wait(ctx context.Context, n int, busy *busyError) error {
	most := min(firstWait<<(n-1), longest)
	wait := max(most/2+rand.N(most/2+1), min(busy.after, longest))
	shown := r.meter.waiting(fmt.Sprintf("%s, retry %d/%d in %.1f s", busy.why, n, retries, wait.Seconds()))
	defer shown()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *retry) page(ctx context.Context, dir, token string) (found []Entry, next string, err error) {
	err = r.do(ctx, func() error {
		w, tryCtx := r.watch(ctx)
		defer w.stop()
		found, next, err = r.backend.page(tryCtx, dir, token)
		return w.judge(err)
	})
	return found, next, err
}

func (r *retry) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	b := &resumed{retry: r, ctx: ctx, name: name, at: offset, left: length}
	if err := b.reopen(); err != nil {
		return nil, err
	}
	return b, nil
}

// resumed is a body that is opened again where it breaks off.
type resumed struct {
	*retry
	ctx      context.Context
	name     string
	at, left int64 // what is still to be read; left is -1 for all
	rc       io.ReadCloser
	watch    *watchdog
	breaks   int
	stalls   int
	got      int64         // bytes
	waited   time.Duration // for them
}

const maxBreaks = 20 // of one body, whatever comes between them

func (b *resumed) reopen() error {
	return b.do(b.ctx, func() error {
		w, ctx := b.retry.watch(b.ctx)
		rc, err := b.retry.backend.open(ctx, b.name, b.at, b.left)
		if err = w.judge(err); err != nil {
			w.stop()
			return err
		}
		w.rest()
		b.rc, b.watch = rc, w
		return nil
	})
}

func (b *resumed) Read(p []byte) (int, error) {
	for {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		b.watch.wake(patience + time.Duration(b.got/slowest)*time.Second - b.waited)
		began := time.Now()
		n, err := b.rc.Read(p)
		b.watch.rest()
		b.got, b.waited = b.got+int64(n), b.waited+time.Since(began)
		b.at += int64(n)
		if b.left >= 0 {
			b.left -= int64(n)
		}
		err = b.watch.judge(err)
		busy, ok := errors.AsType[*busyError](err)
		if !ok {
			return n, err
		}
		if b.breaks++; b.breaks > maxBreaks {
			return n, err
		}
		if errors.Is(err, errStalled) {
			if b.stalls++; b.stalls > 1 {
				b.silent.Store(true)
				return n, err
			}
			b.got, b.waited = 0, 0
		}
		if err := b.again(busy); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

func (b *resumed) again(busy *busyError) error {
	_ = b.Close() // it is broken
	if err := b.wait(b.ctx, 1, busy); err != nil {
		return err
	}
	return b.reopen()
}

func (b *resumed) Close() error {
	err := b.rc.Close()
	b.watch.stop()
	return err
}

// watchdog ends a request that nothing is heard of.
type watchdog struct {
	timer  *time.Timer
	cancel context.CancelCauseFunc
	ctx    context.Context
}

func (r *retry) watch(ctx context.Context) (*watchdog, context.Context) {
	wait := patience
	if r.silent.Load() {
		wait = impatient
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return &watchdog{time.AfterFunc(wait, func() { cancel(stalledFor(wait)) }), cancel, ctx}, ctx
}

// wake begins to wait: no longer than patience, nor than it is given.
func (w *watchdog) wake(most time.Duration) { w.timer.Reset(max(min(patience, most), 0)) }
func (w *watchdog) rest()                   { w.timer.Stop() }

func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// judge makes of an error that the watchdog caused what it is: a reason to try again.
func (w *watchdog) judge(err error) error {
	if cause := context.Cause(w.ctx); err != nil && errors.Is(cause, errStalled) {
		return &busyError{why: cause.Error(), err: fmt.Errorf("%w: %w", cause, withoutCancel(err))}
	}
	return err
}

// withoutCancel keeps the words of an error and not its kind: the caller did not cancel.
func withoutCancel(err error) error { return errors.New(err.Error()) }
