package examine

import (
	"context"
	"io"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// The lineage stands at the head of files that are read anyway: on a healthy checkpoint each changelog is
// opened once, and none that the start does not load.
func TestLineageTakesNoRequests(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, file := range untar(t, filepath.Join("..", "..", "..", "testdata", "golden", "state-4.3-rockscl-ckptv2-window-agg.tar.gz")) {
		if name, ok := strings.CutPrefix(name, "checkpoint/"); ok && !strings.HasSuffix(name, ".crc") {
			files[name] = file
		}
	}
	for _, zip := range []string{"state/0/0/9_4cf3c742-764a-4482-a87e-bf88f2ce0f5d.zip", "state/0/1/9_730f3749-7699-4094-8d10-20d06192ad44.zip"} {
		delete(files, zip) // so that it is built from several changelogs
	}
	s := &opens{Store: storage.FromFS(files, "checkpoint"), of: map[string]int{}}
	cp, err := checkpoint.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var v checks.Verdict
	facts := 0
	for e := range Examine(t.Context(), cp, Options{}) {
		if e.Facts != nil {
			facts++
		}
		v.Add(e)
	}
	if len(v.Findings) > 0 || !v.Complete || facts != 2 {
		t.Fatalf("complete %v, facts %d times, %v", v.Complete, facts, v.Findings)
	}
	total := 0
	for name, n := range s.of {
		file, _ := state.ParseName(path.Base(name))
		if file.Role == state.Changelog && file.Version > 6 { // those below are held against 6.zip
			if total++; n != 1 {
				t.Errorf("%s was opened %d times", name, n)
			}
		}
	}
	if total != 8 {
		t.Errorf("%d changelogs were opened, want 4 of each partition: %v", total, s.of)
	}
	for i := range v.Loads {
		if c := v.Loads[i].Chain(); len(c.Files) != 5 || c.Files[0].Version != 6 || !c.Whole() {
			t.Errorf("%s: %+v", v.Loads[i].Dir, c)
		}
	}
}

// opens counts how often each file is opened.
type opens struct {
	storage.Store
	mu sync.Mutex
	of map[string]int
}

func (s *opens) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	s.mu.Lock()
	s.of[name]++
	s.mu.Unlock()
	return s.Store.Open(ctx, name, offset, length)
}
