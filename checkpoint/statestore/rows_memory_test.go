package statestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
)

// stateFilesOf are the state files of what is generated.
func stateFilesOf(g *generated) iter.Seq[File] {
	return func(yield func(File) bool) {
		for p := range 4 {
			dir := fmt.Sprintf("state/0/%d", p)
			for _, e := range g.dirs[dir] {
				f, ok := state.ParseName(e.Name)
				if f.Size = e.Size; !ok {
					continue
				}
				if large, ok := g.large[path.Join(dir, e.Name)]; ok {
					f.Size = large.size()
				}
				if !yield(File{Dir: dir, File: f}) {
					return
				}
			}
		}
	}
}

// live is how much memory is in use, without what can be thrown away.
func live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools forget what they have with the second
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// peakOfRows reads all rows of a generated checkpoint and says how much memory was in use at the most, looked
// at some times.
func peakOfRows(t testing.TB, g *generated, rows int64) (peak uint64) {
	before := live()
	c, err := checkpoint.Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	every := max(rows/25, 1)
	var text []byte
	for r, err := range rowsOfStore(t.Context(), c, rowsRequest{Batch: 0, Partition: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n > rows/2 && n%every == 0 { // all partitions are prepared by then
			text = r.AppendJSON(text[:0])
			peak = max(peak, live())
		}
	}
	if n != rows {
		t.Fatalf("%d rows, want %d", n, rows)
	}
	return peak - min(before, peak)
}

// sizes are a small state and one of eight times its size, in bytes.
func sizes() [2]int64 {
	switch {
	case testing.Short():
		return [2]int64{5 << 20, 40 << 20}
	case os.Getenv("TIDEMARK_ROWS_GB") != "":
		return [2]int64{50 << 20, 400 << 20}
	}
	return [2]int64{24 << 20, 192 << 20}
}

// ofTables is the memory that more tables of RocksDB may take where several are read to their end at once: each
// has its index, here a tenth of it.
const ofTables = 48 << 20

// TestMemoryOfRows: eight times the state takes no more memory.
func TestMemoryOfRows(t *testing.T) {
	for _, rocksdb := range []bool{false, true} {
		var peaks [2]uint64
		for i, size := range sizes() {
			g, rows := generate(t, rocksdb, size, 8<<20)
			peaks[i] = peakOfRows(t, g, rows)
			t.Logf("rocksdb %t: %d MB of state take %.1f MB", rocksdb, size>>20, float64(peaks[i])/1e6)
		}
		if peaks[1] > 2*peaks[0]+4<<20 {
			t.Errorf("rocksdb %t: memory grows from %d to %d bytes", rocksdb, peaks[0], peaks[1])
		}
	}
}

// watched is a Store that looks at the memory in use at some of the reads.
type watched struct {
	*generated
	reads, peak atomic.Uint64
}

func (w *watched) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	r, err := w.generated.Open(ctx, name, offset, length)
	return &watchedReader{r, w}, err
}

type watchedReader struct {
	io.ReadCloser
	w *watched
}

func (r *watchedReader) Read(p []byte) (int, error) {
	if r.w.reads.Add(1)%500 == 0 {
		if now := live(); now > r.w.peak.Load() {
			r.w.peak.Store(now)
		}
	}
	return r.ReadCloser.Read(p)
}

// TestMemoryOfContents: check --deep, which reads every byte of state, takes no more for more of it either.
func TestMemoryOfContents(t *testing.T) {
	for _, rocksdb := range []bool{false, true} {
		var peaks [2]uint64
		for i, size := range sizes() {
			g, _ := generate(t, rocksdb, size, 8<<20)
			w := &watched{generated: g}
			before := live()
			for _, f := range contentsOf(t, w, slices.Collect(stateFilesOf(g)), noLimits) {
				if len(f.Flaws)+len(f.Unread)+len(f.Partly) > 0 {
					t.Errorf("%+v", f)
				}
			}
			peaks[i] = w.peak.Load() - min(before, w.peak.Load())
			t.Logf("rocksdb %t: %d MB of state take %.1f MB", rocksdb, size>>20, float64(peaks[i])/1e6)
		}
		if limit := 2*peaks[0] + 4<<20; !rocksdb && peaks[1] > limit || peaks[1] > limit+ofTables {
			t.Errorf("rocksdb %t: memory grows from %d to %d bytes", rocksdb, peaks[0], peaks[1])
		}
	}
}

// TestChangesTakeNoEndOfMemory: changes that need more memory than several partitions may have are read when
// their turn comes, and those that need more than there is for one are an error.
func TestChangesTakeNoEndOfMemory(t *testing.T) {
	t.Parallel()
	g, _ := generate(t, false, 8<<20, 0)
	f, rows := snapshotOf(heldAhead / 2) // in memory more than twice as much
	g.large["state/0/1/1.delta"] = f
	delete(g.large, "state/0/1/1.snapshot")
	files := map[string][]byte{}
	for name, data := range g.files {
		if name != "state/0/1/1.snapshot" {
			files[name] = data
		}
	}
	files["state/0/1/1.delta"] = nil
	g.memory = inMemory(files)
	c, err := checkpoint.Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	for r, err := range rowsOfStore(t.Context(), c, rowsRequest{Batch: 0, Partition: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Partition == 1 {
			n++
		}
	}
	if n != rows {
		t.Errorf("%d rows, want %d", n, rows)
	}
	s, err := At(t.Context(), c, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := s.prepareWithin(t.Context(), t.Context(), &s.Views[0], 1, newAllowance(1<<20))
	if e, ok := errors.AsType[*heldError](p.failed.Err); !ok || e.limit != 1<<20 || p.pairs != nil {
		t.Errorf("%v", p.failed)
	}
}

// BenchmarkRowsMemory reads as many gigabytes of state as TIDEMARK_ROWS_GB says, uncompressed, made while they
// are read.
func BenchmarkRowsMemory(b *testing.B) {
	gigabytes, err := strconv.ParseFloat(os.Getenv("TIDEMARK_ROWS_GB"), 64)
	if err != nil {
		gigabytes = 0.1
	}
	for _, provider := range []string{"hdfs", "rocksdb"} {
		b.Run(provider, func(b *testing.B) {
			for b.Loop() {
				g, rows := generate(b, strings.HasPrefix(provider, "rocks"), int64(gigabytes*(1<<30)), 64<<20)
				start := time.Now()
				peak := peakOfRows(b, g, rows)
				b.ReportMetric(float64(peak)/1e6, "peak-MB")
				b.ReportMetric(float64(rows)/time.Since(start).Seconds()/1e6, "Mrows/s")
				b.ReportMetric(gigabytes*1024/time.Since(start).Seconds(), "MB/s")
			}
		})
	}
}
