package examine

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// breaking is a store that meets a fault of this program in one place: every call there panics.
type breaking struct {
	storage.Store
	place string // "list offsets", "open offsets/7", "read offsets/7"

	mu   sync.Mutex
	seen map[string]bool // places where calls were made
}

func (s *breaking) call(place string) {
	s.mu.Lock()
	s.seen[place] = true
	s.mu.Unlock()
	if place == s.place {
		panic("a fault of ours")
	}
}

func (s *breaking) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	return func(yield func(storage.Entry, error) bool) {
		s.call("list " + dir)
		s.Store.List(ctx, dir)(yield)
	}
}

func (s *breaking) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	s.call("open " + name)
	rc, err := s.Store.Open(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	return &breakingFile{rc, name, s}, nil
}

type breakingFile struct {
	io.ReadCloser
	name string
	s    *breaking
}

func (f *breakingFile) Read(p []byte) (int, error) {
	f.s.call("read " + f.name)
	return f.ReadCloser.Read(p)
}

// TestAFaultAnywhereIsToldAndEndsNothing has the calls to the storage panic in one place after the other,
// in whatever goroutine they are made: the program goes on, says so, and never calls healthy what it has
// not read.
func TestAFaultAnywhereIsToldAndEndsNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"state-3.5-hdfs-dedup", "s3-4.1-rocks", "4.3-offsets-v2"} {
		t.Run(name, func(t *testing.T) { faults(t, untar(t, "../../../testdata/golden/"+name+".tar.gz")) })
	}
}

func faults(t *testing.T, tree fstest.MapFS) {
	examine := func(place string) (*breaking, *checks.Verdict) {
		s := &breaking{Store: storage.Sub(storage.FromFS(tree, "x"), "checkpoint"), place: place, seen: map[string]bool{}}
		v := new(checks.Verdict)
		cp, err := checkpoint.Open(t.Context(), s)
		if err != nil {
			t.Errorf("%s: the checkpoint does not open: %v", place, err)
			return s, v
		}
		for e := range Examine(t.Context(), cp, Options{}) {
			v.Add(e)
		}
		return s, v
	}
	whole, v := examine("")
	if !v.Complete || v.Questions[0].Answer != "yes" {
		t.Fatalf("without a fault: complete %v, %+v", v.Complete, v.Questions)
	}
	for _, place := range slices.Sorted(maps.Keys(whole.seen)) {
		_, v := examine(place)
		if !v.Done || v.Complete {
			t.Errorf("%s: the examination has an end: %t; is complete: %t", place, v.Done, v.Complete)
		}
		for _, q := range v.Questions {
			if q.Name == "intact" && q.Answer == "yes" {
				t.Errorf("%s: what was not read is called intact", place)
			}
		}
		if told := fmt.Sprint(v.Err, v.NotRun, v.Findings); !strings.Contains(told, "a fault of ours") {
			t.Errorf("%s: nobody is told: %s", place, told)
		}
	}
}
