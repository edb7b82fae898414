package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// script is a backend that does what a test says, call by call (from 1).
type script struct {
	backend
	calls  atomic.Int64
	before func(ctx context.Context, call int64) error
	body   func(call int64, rc io.ReadCloser) io.ReadCloser
}

func (s *script) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	if err := s.before(ctx, s.calls.Add(1)); err != nil {
		return nil, "", err
	}
	return s.backend.page(ctx, dir, token)
}

func (s *script) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	call := s.calls.Add(1)
	if err := s.before(ctx, call); err != nil {
		return nil, err
	}
	rc, err := s.backend.open(ctx, name, offset, length)
	if err == nil && s.body != nil {
		rc = s.body(call, rc)
	}
	return rc, err
}

func scripted(files map[string]string, before func(ctx context.Context, call int64) error) *script {
	return &script{backend: &fsBackend{mapFS(files), "memory"}, before: before}
}

func always(context.Context, int64) error { return nil }

func slowDown() error { return &busyError{why: "503 SlowDown", err: errors.New("slow down, please")} }

// ---- retries

func TestRetryRepeatsWhatPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		o := Options{Meter: new(Meter)}
		b := scripted(map[string]string{"f": "content"}, func(_ context.Context, call int64) error {
			if call <= 3 {
				return slowDown()
			}
			return nil
		})
		s := remote(b, o)
		go func() {
			time.Sleep(50 * time.Millisecond)
			if got := o.Meter.Snapshot().Notice; !strings.HasPrefix(got, "503 SlowDown, retry 1/5 in 0.") {
				t.Errorf("while waiting the meter says %q", got)
			}
		}()
		if got, err := read(t.Context(), s, "f", 0, -1); err != nil || got != "content" {
			t.Errorf("read %q with %v", got, err)
		}
		r := o.Meter.Snapshot()
		if r.Reads != 4 || r.Retries != 3 || r.Notice != "" || r.Bytes != 7 {
			t.Errorf("%+v, want 4 reads, 3 of them retries, 7 bytes and no notice", r)
		}
		// 200, 400 and 800 ms at most, and at least half of it
		if took := time.Since(began); took < 700*time.Millisecond || took > 1400*time.Millisecond {
			t.Errorf("it took %v, want 0.7 to 1.4 s", took)
		}
	})
}

func TestRetryGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Meter: new(Meter)}
		s := remote(scripted(map[string]string{"f": ""}, func(context.Context, int64) error { return slowDown() }), o)
		for what, ask := range map[string]func() error{
			"read": func() error { _, err := read(t.Context(), s, "f", 0, -1); return err },
			"list": func() error { return listError(t.Context(), s, ".") },
		} {
			before := o.Meter.Snapshot()
			err := ask()
			if err == nil || !strings.Contains(err.Error(), "after 5 retries") || !strings.Contains(err.Error(), "slow down") {
				t.Errorf("%s: %v, want that it gave up after 5 retries, and why", what, err)
			}
			if n := o.Meter.Snapshot().Requests() - before.Requests(); n != 6 {
				t.Errorf("%s: %d requests, want 6", what, n)
			}
		}
	})
}

func TestRetryLeavesOtherErrors(t *testing.T) {
	b := scripted(map[string]string{"f": ""}, func(context.Context, int64) error { return fs.ErrPermission })
	if _, err := read(t.Context(), remote(b, Options{}), "f", 0, -1); !errors.Is(err, fs.ErrPermission) || b.calls.Load() != 1 {
		t.Errorf("%v after %d calls, want one", err, b.calls.Load())
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		s := remote(scripted(nil, func(context.Context, int64) error { return slowDown() }), Options{})
		if _, err := read(ctx, s, "f", 0, -1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want context.DeadlineExceeded", err)
		}
		if took := time.Since(began); took > 310*time.Millisecond {
			t.Errorf("it ended %v after the context", took-300*time.Millisecond)
		}
	})
}

func TestRetryWaitsAsLongAsTheStoreAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := remote(scripted(map[string]string{"f": "x"}, func(_ context.Context, call int64) error {
			if call == 1 {
				return &busyError{why: "429", after: 7 * time.Second, err: errors.New("too many")}
			}
			return nil
		}), Options{})
		if _, err := read(t.Context(), s, "f", 0, -1); err != nil || time.Since(began) != 7*time.Second {
			t.Errorf("%v after %v, want success after 7 s", err, time.Since(began))
		}
	})
}

// A server that takes a request and never answers must not stop the tool for ever.
func TestRetryLeavesASilentRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{Meter: new(Meter)}
		silent := func(ctx context.Context, call int64) error {
			if call == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		if got, err := read(t.Context(), remote(scripted(map[string]string{"f": "x"}, silent), o), "f", 0, -1); err != nil || got != "x" {
			t.Errorf("read %q with %v", got, err)
		}
		if err := listError(t.Context(), remote(scripted(map[string]string{"f": "x"}, silent), o), "."); err != nil {
			t.Errorf("list: %v", err)
		}
		if r := o.Meter.Snapshot(); r.Retries != 2 {
			t.Errorf("%+v, want two retries", r)
		}
	})
}

// breaking is a body that breaks off after some bytes.
type breaking struct {
	io.ReadCloser
	left int
	err  func() error
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, b.err()
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

func TestRetryTakesABodyUpWhereItBroke(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := strings.Repeat("0123456789", 200_000)
		b := scripted(map[string]string{"f": want}, always)
		b.body = func(call int64, rc io.ReadCloser) io.ReadCloser {
			if call > 3 {
				return rc
			}
			return &breaking{rc, 333_333, func() error { return &busyError{why: "connection lost", err: io.ErrUnexpectedEOF} }}
		}
		o := Options{Meter: new(Meter)}
		got, err := read(t.Context(), remote(b, o), "f", 0, -1)
		if err != nil || got != want {
			t.Errorf("read %d bytes with %v, want %d", len(got), err, len(want))
		}
		if r := o.Meter.Snapshot(); r.Reads != 4 || r.Retries != 3 || r.Bytes != int64(len(want)) {
			t.Errorf("%+v, want 4 reads that get every byte once", r)
		}
	})
}

func TestRetryGivesUpOnABodyThatAlwaysBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := scripted(map[string]string{"f": strings.Repeat("x", 1000)}, always)
		b.body = func(_ int64, rc io.ReadCloser) io.ReadCloser {
			return &breaking{rc, 1, func() error { return &busyError{why: "connection lost", err: io.ErrUnexpectedEOF} }}
		}
		got, err := read(t.Context(), remote(b, Options{}), "f", 0, -1)
		if !errors.Is(err, io.ErrUnexpectedEOF) || b.calls.Load() != maxBreaks+1 {
			t.Errorf("%d bytes with %v after %d requests, want an error after %d", len(got), err, b.calls.Load(), maxBreaks+1)
		}
	})
}

func TestRetryOverHTTP(t *testing.T) {
	var n atomic.Int64
	o := fakeS3(t, "cp/", map[string]string{"offsets/0": "v1"}, func(w http.ResponseWriter, r *http.Request) bool {
		switch n.Add(1) {
		case 1:
			return says(w, 503, "SlowDown", "Please reduce your request rate.")
		case 3:
			w.Header().Set("Content-Length", "2")
			w.Write([]byte("v")) // and the connection breaks
			return true
		}
		return false
	})
	s := open(t, "s3://b/cp", o)
	if got := listing(t, s, "offsets"); got != "0" {
		t.Errorf("listed %q", got)
	}
	if got, err := read(t.Context(), s, "offsets/0", 0, -1); err != nil || got != "v1" {
		t.Errorf("read %q with %v", got, err)
	}
	if r := o.Meter.Snapshot(); r.Lists != 2 || r.Reads != 2 || r.Retries != 2 {
		t.Errorf("%+v, want both asked twice", r)
	}
}

// ---- limit

func TestLimitBoundsWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		s := asStore(limited(scripted(map[string]string{"f": "x"}, func(context.Context, int64) error {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return nil
		})))
		began := time.Now()
		var wg sync.WaitGroup
		for range 2 * requestsAtOnce {
			wg.Go(func() {
				if _, err := read(t.Context(), s, "f", 0, -1); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most.Load() != requestsAtOnce || time.Since(began) != 2*time.Second {
			t.Errorf("%d at once for %v, want %d for 2 s", most.Load(), time.Since(began), requestsAtOnce)
		}
	})
}

// A merge holds many large files open at once; it must not wait for itself.
func TestLimitLetsManyLargeFilesStayOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := asStore(limited(scripted(map[string]string{"f": strings.Repeat("x", 2*firstPart)}, always)))
		for range requestsAtOnce + 5 {
			rc, err := s.Open(t.Context(), "f", 0, -1)
			if err != nil {
				t.Fatal(err)
			}
			defer rc.Close()
		}
	})
}

// ---- budget

func TestBudget(t *testing.T) {
	o := Options{Meter: new(Meter), MaxRequests: 3}
	files := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"}
	s := remote(scripted(files, always), o)
	for range 3 { // the second and third from memory
		if got, err := read(t.Context(), s, "a", 0, -1); err != nil || got != "1" {
			t.Errorf("a: %q with %v", got, err)
		}
	}
	if got := listing(t, s, "."); got != "a b c d" {
		t.Errorf("listed %q", got)
	}
	other := compose(scripted(files, always), o) // shares the meter, so the budget
	if _, err := read(t.Context(), other, "b", 0, -1); err != nil {
		t.Errorf("third request: %v", err)
	}
	for _, s := range []Store{s, other} {
		if _, err := read(t.Context(), s, "c", 0, -1); !errors.Is(err, ErrBudget) {
			t.Errorf("fourth request: %v, want ErrBudget", err)
		}
		if err := listError(t.Context(), s, "sub"); !errors.Is(err, ErrBudget) {
			t.Errorf("fifth request: %v, want ErrBudget", err)
		}
	}
	if got, err := read(t.Context(), s, "a", 0, -1); err != nil || got != "1" {
		t.Errorf("from memory: %q with %v", got, err)
	}
	if r := o.Meter.Snapshot(); r.Requests() != 3 {
		t.Errorf("%d requests were made, want 3", r.Requests())
	}
}

func TestBudgetCountsPages(t *testing.T) {
	files := map[string]string{}
	for i := range 2500 {
		files[fmt.Sprint(i)] = ""
	}
	o := fakeS3(t, "cp/", files, nil)
	o.MaxRequests = 2
	n := 0
	var last error
	for _, err := range open(t, "s3://b/cp", o).List(t.Context(), ".") {
		if last = err; err == nil {
			n++
		}
	}
	if n != 2000 || !errors.Is(last, ErrBudget) {
		t.Errorf("listed %d and then %v, want two pages and ErrBudget", n, last)
	}
}
