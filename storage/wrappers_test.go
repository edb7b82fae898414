package storage

import (
	"bytes"
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
	"testing/fstest"
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

// ---- cache

func TestCacheAsksOnce(t *testing.T) {
	o := Options{Meter: new(Meter)}
	large := strings.Repeat("0123456789", wholeFile/10+1000)
	s := remote(scripted(map[string]string{"d/f": "0123456789", "d/large": large}, always), o)
	requests := func(want int64, what string) {
		t.Helper()
		if got := o.Meter.Snapshot().Requests(); got != want {
			t.Errorf("%s: %d requests, want %d", what, got, want)
		}
	}
	for range 3 {
		listing(t, s, "d")
	}
	requests(1, "a listing")
	for _, r := range []struct{ offset, length int64 }{{2, 3}, {0, -1}, {5, 100}, {9, 1}, {20, 4}, {0, 1 << 30}} {
		got, err := read(t.Context(), s, "d/f", r.offset, r.length)
		from, n := within(10, r.offset, r.length)
		if want := "0123456789"[from : from+n]; err != nil || got != want {
			t.Errorf("%+v: %q with %v, want %q", r, got, err, want)
		}
	}
	requests(2, "ranges of a small file")
	for range 2 {
		if got, err := read(t.Context(), s, "d/large", 11, 5); err != nil || got != "12345" {
			t.Errorf("large at 11: %q with %v", got, err)
		}
		if got, err := read(t.Context(), s, "d/large", 1000, 100_000); err != nil || got != large[1000:101_000] {
			t.Errorf("large at 1000: %d bytes with %v", len(got), err)
		}
	}
	requests(4, "two ranges of a large file")
	if got, err := read(t.Context(), s, "d/large", 0, -1); err != nil || got != large {
		t.Errorf("large: %d bytes with %v", len(got), err)
	}
	requests(5, "a large file streams once")
	for range 2 {
		if _, err := read(t.Context(), s, "d/none", 0, -1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("missing: %v", err)
		}
	}
	requests(7, "an error is not kept")
}

func TestCacheSharesOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := scripted(map[string]string{"d/f": "content"}, func(ctx context.Context, call int64) error {
			select {
			case <-time.After(time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		s := remote(b, Options{})
		early, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { // asks first, and leaves
			if _, err := read(early, s, "d/f", 0, -1); !errors.Is(err, context.Canceled) {
				t.Errorf("the first reader got %v, want context.Canceled", err)
			}
		})
		for range 10 {
			wg.Go(func() {
				time.Sleep(time.Millisecond)
				if got, err := read(t.Context(), s, "d/f", 0, -1); err != nil || got != "content" {
					t.Errorf("read %q with %v", got, err)
				}
			})
			wg.Go(func() { listing(t, s, "d") })
		}
		time.Sleep(500 * time.Millisecond)
		leave()
		wg.Wait()
		if n := b.calls.Load(); n != 2 {
			t.Errorf("%d requests, want one for the file and one for the listing", n)
		}
	})
}

func TestCacheCancelsWhatNobodyWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Bool
		s := remote(scripted(nil, func(ctx context.Context, _ int64) error {
			<-ctx.Done()
			ended.Store(true)
			return ctx.Err()
		}), Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := read(ctx, s, "f", 0, -1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want context.DeadlineExceeded", err)
		}
		synctest.Wait()
		if !ended.Load() {
			t.Error("the request goes on after its last reader has left")
		}
	})
}

func TestCacheStaysWithinItsMemory(t *testing.T) {
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("d/%02d", i)] = strings.Repeat("x", 1000)
	}
	b := scripted(files, always)
	c := cachedStore(asStore(b), 20_000)
	for i := range 100 {
		if _, err := read(t.Context(), c, fmt.Sprintf("d/%02d", i), 0, -1); err != nil {
			t.Fatal(err)
		}
		if c.room < 0 || c.room > 20_000 {
			t.Fatalf("%d bytes of room after %d files", c.room, i+1)
		}
	}
	before := b.calls.Load()
	for _, name := range []string{"d/99", "d/98"} {
		if _, err := read(t.Context(), c, name, 0, -1); err != nil {
			t.Fatal(err)
		}
	}
	if b.calls.Load() != before {
		t.Error("the newest files are not kept")
	}
	if _, err := read(t.Context(), c, "d/00", 0, -1); err != nil || b.calls.Load() != before+1 {
		t.Errorf("%v, %d requests; want the oldest file read again", err, b.calls.Load()-before)
	}
	var sum int64
	for _, el := range c.kept {
		sum += el.Value.(*cached).bytes()
	}
	if sum+c.room != 20_000 || c.used.Len() != len(c.kept) {
		t.Errorf("%d bytes kept and %d of room, want 20000 in all", sum, c.room)
	}
}

func TestCacheSurvivesAPanic(t *testing.T) {
	s := cachedStore(asStore(scripted(nil, func(context.Context, int64) error { panic("boom") })), 1000)
	if _, err := read(t.Context(), s, "f", 0, -1); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("%v, want an error that says boom", err)
	}
}

// A refresh lists anew, and reads again only what the listing shows changed.
func TestRefresh(t *testing.T) {
	files := map[string]string{"offsets/0": "old 0", "offsets/1": "old 1", "offsets/2": "old 2", "metadata": "{}"}
	m := mapFS(files)
	b := &script{backend: &fsBackend{m, "memory"}, before: always}
	s := Sub(cachedStore(asStore(b), 1<<20), "offsets")
	all := func() string {
		var out bytes.Buffer
		listing(t, s, ".")
		for _, name := range []string{"0", "1", "2"} {
			got, err := read(t.Context(), s, name, 0, -1)
			if err != nil {
				got = "gone"
			}
			fmt.Fprintf(&out, "%s, ", got)
		}
		return out.String()
	}
	if got := all(); got != "old 0, old 1, old 2, " {
		t.Fatal(got)
	}
	m["offsets/1"] = &fstest.MapFile{Data: []byte("newer 1"), ModTime: written}                // another size
	m["offsets/2"] = &fstest.MapFile{Data: []byte("new 2"), ModTime: written.Add(time.Second)} // the same size, another time
	if got := all(); got != "old 0, old 1, old 2, " {
		t.Errorf("before the refresh: %s", got)
	}
	before := b.calls.Load()
	Refresh(s)
	if got := all(); got != "old 0, newer 1, new 2, " {
		t.Errorf("after the refresh: %s", got)
	}
	if n := b.calls.Load() - before; n != 3 {
		t.Errorf("%d requests, want the listing and two files", n)
	}
	Refresh(FromFS(m, "keeps nothing"))
}
