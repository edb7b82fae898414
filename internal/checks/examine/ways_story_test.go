package examine

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// reusedSST is a checkpoint whose newest snapshot names a file that is gone, and whose older one rebuilds the same version.
func reusedSST(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, f := range untar(t, "../../../testdata/cases/C75-reused-sst-deleted.tar.gz") {
		if rest, ok := strings.CutPrefix(name, "checkpoint/"); ok {
			files[rest] = f
		}
	}
	return files
}

func judgeFor(t *testing.T, files fs.FS, spark spark.Version) (v checks.Verdict) {
	t.Helper()
	c, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	for e := range Examine(t.Context(), c, Options{Spark: spark}) {
		v.Add(e)
	}
	return v
}

func TestSetAsideIsCheapest(t *testing.T) {
	t.Parallel()
	v := judgeFor(t, reusedSST(t), spark.Version{Major: 3, Minor: 5})
	w := v.Recover.Cheapest()
	if w == nil || w.Way != checks.SetAside || !w.Free() || !slices.Equal(w.Files, []string{"state/0/0/12.zip"}) || w.Restart.Outcome != checks.Next || w.Restart.StateVersion != 12 {
		t.Fatalf("cheapest: %+v", w)
	}
	if !strings.Contains(w.Does, "6.zip and 7.changelog to 12.changelog") {
		t.Errorf("it does not say what the version is rebuilt from: %s", w.Does)
	}
	var ways []checks.RecoveryWay
	for i := range v.Recover.Ways {
		ways = append(ways, v.Recover.Ways[i].Way)
	}
	if want := []checks.RecoveryWay{checks.SetAside, checks.PutBack, checks.RollBack, checks.NewCheckpoint}; !slices.Equal(ways, want) {
		t.Errorf("ways in the order %v, want %v", ways, want)
	}
	if !strings.HasSuffix(v.Advice.What, "cheapest: set aside state/0/0/12.zip") {
		t.Errorf("the advice is %s", v.Advice)
	}
}

func TestNoWayWhereSparkHelpsItself(t *testing.T) {
	t.Parallel()
	v := judgeFor(t, reusedSST(t), spark.Version{Major: 4, Minor: 3})
	if v.Restart.Outcome != checks.Next || len(v.Recover.Ways)+len(v.Recover.Not) > 0 {
		t.Errorf("%s, %+v", v.Restart.Outcome, v.Recover)
	}
}

// openings counts how often each file is opened.
type openings struct {
	fs.FS
	mu    sync.Mutex
	count map[string]int
}

func (o *openings) Open(name string) (fs.File, error) {
	o.mu.Lock()
	o.count[name]++
	o.mu.Unlock()
	return o.FS.Open(name)
}

// A file of state is opened for what stands in it, and once for each comparison of two snapshots that it is a part of: no way back that
// is judged opens it again.
func TestWaysReadStateOnce(t *testing.T) {
	t.Parallel()
	o := &openings{FS: reusedSST(t), count: map[string]int{}}
	v := judgeFor(t, o, spark.Version{Major: 3, Minor: 5})
	if v.Recover.Cheapest() == nil {
		t.Fatal("no way")
	}
	read := 0
	for name, n := range o.count {
		if strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".changelog") {
			if read++; n > 3 { // 9.zip: itself, and 12.zip and 9.zip with what is before each
				t.Errorf("%s was opened %d times", name, n)
			}
		}
	}
	if read < 8 {
		t.Errorf("only %d files of state were opened", read)
	}
}

// A file that could not be read is not said to be in the way.
func TestUnreadFileIsNotSetAside(t *testing.T) {
	t.Parallel()
	v := judgeFor(t, brokenFS{reusedSST(t), map[string]error{"state/0/1/12.zip": fs.ErrPermission}}, spark.Version{Major: 3, Minor: 5})
	for i := range v.Recover.Ways {
		if w := &v.Recover.Ways[i]; slices.Contains(w.Files, "state/0/1/12.zip") && w.Way != checks.RollBack {
			t.Errorf("%s: %s", w.Way, w.Does)
		}
	}
}

// Of two partitions that hold the same file, either may be the wrong one.
func TestBothTwinsAreWanting(t *testing.T) {
	t.Parallel()
	files := reusedSST(t)
	delete(files, "state/0/0/12.zip")
	files["state/0/1/12.changelog"] = files["state/0/0/12.changelog"]
	delete(files, "state/0/1/12.zip")
	v := judgeFor(t, files, spark.Version{Major: 3, Minor: 5})
	for i := range v.Recover.Ways {
		w := &v.Recover.Ways[i]
		if w.Way == checks.PutBack && !(slices.Contains(w.Files, "state/0/0/12.changelog") && slices.Contains(w.Files, "state/0/1/12.changelog")) {
			t.Errorf("to put back: %v", w.Files)
		}
		if w.Way == checks.RollBack && w.To >= 11 {
			t.Errorf("back at batch %d the file is still loaded", w.To)
		}
	}
	if len(v.Recover.Ways) < 2 {
		t.Errorf("%+v, %v", v.Recover, v.Findings)
	}
}
