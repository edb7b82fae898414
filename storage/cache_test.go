package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

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
	for _, v := range c.kept.Values() {
		sum += v.bytes()
	}
	if sum+c.room != 20_000 {
		t.Errorf("%d bytes kept and %d of room, want 20000 in all", sum, c.room)
	}
}

func TestCacheSurvivesAPanic(t *testing.T) {
	s := cachedStore(asStore(scripted(nil, func(context.Context, int64) error { panic("boom") })), 1000)
	if _, err := read(t.Context(), s, "f", 0, -1); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("%v, want an error that says boom", err)
	}
}

// A refresh lists once more, and reads again only what the listing shows changed.
func TestRefresh(t *testing.T) {
	files := map[string]string{"offsets/0": "old 0", "offsets/1": "old 1", "offsets/2": "old 2", "metadata": "{}"}
	m, old := mapFS(files), time.Now().Add(-time.Hour)
	for _, f := range m {
		f.ModTime = old
	}
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
	m["offsets/1"] = &fstest.MapFile{Data: []byte("newer 1"), ModTime: old}                // another size
	m["offsets/2"] = &fstest.MapFile{Data: []byte("new 2"), ModTime: old.Add(time.Second)} // the same size, another time
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
