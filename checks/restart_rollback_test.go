package checks

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/storage"
)

// TestTheWayBackIsOne walks it: where a damaged checkpoint can go back, the files that are said to be in
// the way are taken out, and then the start must run the next batch again over whole state.
func TestTheWayBackIsOne(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("../testdata/golden/state-*-damage-*.tar.gz")
	if err != nil || len(archives) < 10 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	back := 0
	for _, archive := range archives {
		if strings.HasSuffix(archive, ".rows.tar.gz") {
			continue
		}
		t.Run(filepath.Base(archive), func(t *testing.T) {
			files := fstest.MapFS{}
			for name, f := range untar(t, archive) {
				if rest, ok := strings.CutPrefix(name, "checkpoint/"); ok {
					files[rest] = f
				}
			}
			before := judge(t, files)
			b := before.Restart.Rollback
			if b == nil {
				if before.Restart.Outcome == Refuses {
					t.Logf("no way back: %s", before.Restart.Because)
				}
				return
			}
			back++
			if len(b.Missing) > 0 || len(b.Ranges) == 0 {
				t.Fatalf("%+v: a golden has its logs", b)
			}
			for _, first := range b.Aside {
				dir, from, _ := strings.Cut(first, "/")
				takeOut(t, files, dir, from)
			}
			after := judge(t, files)
			if r := after.Restart; r.Outcome != Rerun || r.Batch != b.Batch+1 || r.StateVersion != b.Version {
				t.Errorf("after going back: %s of batch %d with state %d (%s %s), want a rerun of %d with %d", r.Outcome, r.Batch, r.StateVersion, r.Error, r.Because, b.Batch+1, b.Version)
			}
		})
	}
	if back < 8 {
		t.Errorf("only %d checkpoints had a way back", back)
	}
}

// takeOut removes the files of a log from a number on.
func takeOut(t *testing.T, files fstest.MapFS, dir, from string) {
	t.Helper()
	first, err := strconv.ParseInt(from, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		in, file, _ := strings.Cut(name, "/")
		file = strings.TrimSuffix(strings.TrimPrefix(file, "."), ".crc")
		if id, err := strconv.ParseInt(file, 10, 64); in == dir && err == nil && id >= first {
			delete(files, name)
		}
	}
}

func judge(t *testing.T, files fs.FS) *Verdict {
	t.Helper()
	c, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var v Verdict
	for e := range Examine(t.Context(), c, Options{}) {
		v.Add(e)
	}
	return &v
}
