package examine

import (
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/storage"
)

// TestWaysOfGolden takes the ways that are offered for damaged state: what is to be set aside is taken out, and then the
// start must do what was foretold, over whole state.
func TestWaysOfGolden(t *testing.T) {
	archives, err := filepath.Glob("../../../testdata/golden/state-*-damage-*.tar.gz")
	if err != nil || len(archives) < 10 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	offered := map[checks.RecoveryWay]int{}
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
			if before.Restart.Outcome == checks.Refuses && before.Recover.Cheapest() == nil {
				t.Errorf("no way at all: %v", before.Recover.Not)
			}
			for i := range before.Recover.Ways {
				w := &before.Recover.Ways[i]
				offered[w.Way]++
				if w.Way != checks.SetAside && w.Way != checks.RollBack {
					continue
				}
				copied := maps.Clone(files)
				for _, name := range w.Files {
					setAsideIn(t, string(w.Way), copied, name)
				}
				r := judge(t, copied).Restart
				if r.Outcome != w.Restart.Outcome || r.Batch != w.Restart.Batch || r.StateVersion != w.Restart.StateVersion || r.Outcome == checks.Refuses {
					t.Errorf("%s\n  foretold %s of batch %d with state %d\n  then     %s of batch %d with state %d (%s)", w.Does, w.Restart.Outcome, w.Restart.Batch, w.Restart.StateVersion, r.Outcome, r.Batch, r.StateVersion, r.Because)
				}
			}
		})
	}
	if offered[checks.RollBack] < 8 {
		t.Errorf("offered: %v", offered)
	}
	t.Logf("offered: %v", offered)
}

func judge(t *testing.T, files fs.FS) *checks.Verdict {
	t.Helper()
	c, err := checkpoint.Open(t.Context(), storage.FromFS(files, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var v checks.Verdict
	for e := range Examine(t.Context(), c, Options{}) {
		v.Add(e)
	}
	return &v
}
