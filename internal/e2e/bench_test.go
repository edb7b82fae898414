package e2e

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/storage"
)

// perRequest is what a request to a far bucket costs here, in virtual time.
const perRequest = 50 * time.Millisecond

// far is a Store whose every request takes perRequest, at most 64 at once, and counts them.
type far struct {
	storage.Store
	slots    chan struct{}
	requests atomic.Int64
}

func newFar(s storage.Store) *far { return &far{Store: s, slots: make(chan struct{}, 64)} }

func (s *far) wait() {
	s.slots <- struct{}{}
	time.Sleep(perRequest)
	<-s.slots
	s.requests.Add(1)
}

func (s *far) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		s.wait()
		s.Store.List(ctx, dir)(yield)
	}
}

func (s *far) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	s.wait()
	return s.Store.Open(ctx, name, offset, length)
}

// synthetic writes the files of a healthy Kafka query.
func synthetic(write func(name, content string), batches, partitions int) {
	write("metadata", `{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)
	const conf = `{"spark.sql.streaming.stateStore.providerClass":"org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",` +
		`"spark.sql.streaming.join.stateFormatVersion":"2","spark.sql.streaming.stateStore.compression.codec":"lz4",` +
		`"spark.sql.streaming.stateStore.rocksdb.formatVersion":"5","spark.sql.streaming.statefulOperator.useStrictDistribution":"true",` +
		`"spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion":"2","spark.sql.streaming.multipleWatermarkPolicy":"min",` +
		`"spark.sql.streaming.aggregation.stateFormatVersion":"2","spark.sql.shuffle.partitions":"4"}`
	at := func(batch int) string {
		var b strings.Builder
		for p := range partitions {
			if p > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%d":%d`, p, 1000+batch*(30+p%7))
		}
		return `{"orders":{` + b.String() + `}}`
	}
	write("sources/0/0", "\x00v1\n"+at(-1))
	for n := range batches {
		write(fmt.Sprintf("offsets/%d", n), fmt.Sprintf("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":%s}\n%s", 1764403200000+int64(n)*60000, conf, at(n)))
		write(fmt.Sprintf("commits/%d", n), "v1\n{\"nextBatchWatermarkMs\":0}")
	}
}

func synthetized(batches, partitions int) fstest.MapFS {
	fsys := fstest.MapFS{}
	synthetic(func(name, content string) { fsys[name] = &fstest.MapFile{Data: []byte(content)} }, batches, partitions)
	return fsys
}

func examined(tb testing.TB, s storage.Store) *checks.Verdict {
	tb.Helper()
	cp, err := checkpoint.Open(tb.Context(), s)
	if err != nil {
		tb.Fatal(err)
	}
	v := new(checks.Verdict)
	for e := range examine.Examine(tb.Context(), cp, examine.Options{Now: time.UnixMilli(1764403200000)}) {
		v.Add(e)
	}
	return v
}

// noChanges is a delta or snapshot of no rows: an LZ4 block of the end mark -1, and LZ4's own end.
const noChanges = "LZ4Block\x15\x04\x00\x00\x00\x04\x00\x00\x00\xdb\x80\x4d\x08\xff\xff\xff\xff" + "LZ4Block\x15\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// TestStages holds the promise to people far from their bucket: on a healthy checkpoint of 100
// batches the whole verdict takes few dependent stages of requests. Time is virtual here.
func TestStages(t *testing.T) {
	fsys := synthetized(100, 3)
	for p := range 4 {
		for v := 1; v <= 100; v++ {
			fsys[fmt.Sprintf("state/0/%d/%d.delta", p, v)] = &fstest.MapFile{Data: []byte(noChanges)}
			if v%10 == 5 {
				fsys[fmt.Sprintf("state/0/%d/%d.snapshot", p, v)] = &fstest.MapFile{Data: []byte(noChanges)}
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := newFar(storage.FromFS(fsys, "s3://bucket/cp"))
		began := time.Now()
		v := examined(t, s)
		stages := int(time.Since(began) / perRequest)
		t.Logf("%d requests in %d stages", s.requests.Load(), stages)
		if !v.Complete || v.Restart.Outcome != checks.Next || v.Questions[0].Answer != "yes" {
			t.Fatalf("verdict: complete %v, %+v, %+v", v.Complete, v.Restart, v.Questions[0])
		}
		if stages > 7 { // the last for the files that snapshots are held against
			t.Errorf("%d stages of requests, want at most 7", stages)
		}
		if n := s.requests.Load(); n > 300 {
			t.Errorf("%d requests for 202 files of logs, 24 of state, 48 that 4 snapshots are held against, and their folders, want at most 300", n)
		}
	})
}

// TestOpenReadsNothing holds the promise that opening costs a few listings however long the log is.
func TestOpenReadsNothing(t *testing.T) {
	s := &counting{Store: storage.FromFS(synthetized(3000, 3), "long-lived")}
	cp, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.lists.Load() != 5 || s.opens.Load() != 0 {
		t.Errorf("opening made %d listings and %d reads, want 5 and 0", s.lists.Load(), s.opens.Load())
	}
	for b, err := range cp.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if b.ID == 2 {
			break
		}
	}
	if n := s.opens.Load(); n > 200 {
		t.Errorf("three batches took %d reads: reading ahead must be bounded", n)
	}
}

type counting struct {
	storage.Store
	lists, opens atomic.Int64
}

func (s *counting) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	s.lists.Add(1)
	return s.Store.List(ctx, dir)
}

func (s *counting) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	s.opens.Add(1)
	return s.Store.Open(ctx, name, offset, length)
}

// BenchmarkCheck looks at local checkpoints whole: many batches, and many partitions.
func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct{ batches, partitions int }{{100, 3}, {100, 2000}, {100_000, 3}} {
		b.Run(fmt.Sprintf("%dx%d", c.batches, c.partitions), func(b *testing.B) {
			dir := b.TempDir()
			made := sync.Map{}
			synthetic(func(name, content string) {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if _, known := made.LoadOrStore(filepath.Dir(path), true); !known {
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						b.Fatal(err)
					}
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					b.Fatal(err)
				}
			}, c.batches, c.partitions)
			s, err := storage.Open(b.Context(), dir, storage.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			peak := watchHeap()
			for b.Loop() {
				if v := examined(b, s); !v.Complete {
					b.Fatal("not complete")
				}
			}
			b.ReportMetric(float64(peak())/(1<<20), "peak-heap-MB")
		})
	}
}

// watchHeap samples the heap until the returned function is called, which gives the largest size in use.
func watchHeap() (peak func() uint64) {
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		var m runtime.MemStats
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				done <- most
				return
			case <-tick.C:
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse)
			}
		}
	}()
	return func() uint64 { close(stop); return <-done }
}

// million is a store with a million plans and commits in it and nothing else.
type million struct{ n int }

func (million) String() string { return "s3://bucket/cp" }

func (m million) List(_ context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		if dir != "offsets" && dir != "commits" {
			return
		}
		for i := range m.n / 2 {
			if !yield(storage.Entry{Name: strconv.Itoa(1_000_000 + i), Size: 700, Modified: time.UnixMilli(1764403200000 + int64(i))}, nil) {
				return
			}
		}
	}
}

func (million) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, fs.ErrNotExist
}

// listedBytes is how many bytes of memory a checkpoint of so many objects holds once it is listed.
func listedBytes(tb testing.TB, objects int) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	cp, err := checkpoint.Open(tb.Context(), million{objects})
	if err != nil {
		tb.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n := len(cp.Offsets.Files) + len(cp.Commits.Files); n != objects {
		tb.Fatalf("%d files, want %d", n, objects)
	}
	runtime.KeepAlive(cp)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}

// BenchmarkListed lists a million objects and says what they hold of memory.
func BenchmarkListed(b *testing.B) {
	b.ReportAllocs()
	held := uint64(0)
	for b.Loop() {
		held = listedBytes(b, 1_000_000)
	}
	b.ReportMetric(float64(held)/(1<<20), "held-MB")
}

// TestListedObjectsAreSmall holds what a listed object takes of memory: a million fit in 100 MB.
func TestListedObjectsAreSmall(t *testing.T) {
	const objects = 100_000
	if each := listedBytes(t, objects) / objects; each > 100 {
		t.Errorf("a listed object holds %d bytes, want at most 100", each)
	}
}
