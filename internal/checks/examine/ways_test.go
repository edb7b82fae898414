package examine

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
	"tidemark/storage"
)

// TestWaysOfOracle takes every way that is offered for the damaged checkpoints of testdata/oracle: what is to be set aside
// is taken out of a copy, what is to be put back is taken from the undamaged base, and the copy is judged again. It must
// start, with nothing wrong in its files, and as was foretold.
func TestWaysOfOracle(t *testing.T) {
	t.Parallel()
	bases, err := filepath.Glob("testdata/oracle/*/*.jsonl")
	if err != nil || len(bases) == 0 {
		t.Fatalf("no records: %v", err)
	}
	var mu sync.Mutex
	count := map[string]int{}
	t.Run("bases", func(t *testing.T) {
		for _, file := range bases {
			name := filepath.ToSlash(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/oracle/"), ".jsonl"))
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				own := takeWaysOf(t, file, name)
				mu.Lock()
				defer mu.Unlock()
				for line, n := range own {
					count[line] += n
				}
			})
		}
	})
	for _, line := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%5d %s", count[line], line)
	}
	for line, least := range map[string]int{"offered set-aside": 240, "offered roll-back": 650, "offered put-back": 1050,
		"offered set-aside and Spark was seen to do it": 120, "damaged, set aside at no cost": 90} {
		if count[line] < least {
			t.Errorf("%s: %d, want at least %d", line, count[line], least)
		}
	}
}

// takeWaysOf takes the ways of all damaged checkpoints of one base, and counts.
func takeWaysOf(t *testing.T, file, name string) map[string]int {
	stem := strings.TrimSuffix(file, ".jsonl")
	base := oracleBase{tree: untar(t, stem+".tar.gz"), spec: readLines(t, stem+".yaml")}
	records := readRecords(t, file)
	seen := map[string]*record{} // by what the checkpoint then was, and the release
	for i := range records {
		tree := maps.Clone(base.tree)
		if err := records[i].apply(tree); err != nil {
			t.Fatal(err)
		}
		if records[i].Kind != "query" {
			seen[records[i].Spark+fingerprint(tree)] = &records[i]
		}
	}
	count := map[string]int{}
	for _, r := range records {
		if r.Kind != "query" && (r.Want.Restart.Outcome == checks.Refuses || r.Want.Silent) {
			r.takeWays(t, name+"/"+r.ID+" by "+r.Spark, base, seen, count)
		}
	}
	return count
}

func (r *record) takeWays(t *testing.T, name string, base oracleBase, seen map[string]*record, count map[string]int) {
	t.Helper()
	tree := maps.Clone(base.tree)
	if err := r.apply(tree); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v := r.examine(t, tree, base)
	count["damaged"]++
	cheap := v.Recover.Cheapest()
	switch {
	case cheap == nil:
		count["damaged, no way: "+string(v.Restart.Outcome)+" "+r.ID]++
	case cheap.Way == checks.SetAside && len(cheap.Twice) == 0 && cheap.First < 0:
		count["damaged, set aside at no cost"]++
	case cheap.Way == checks.PutBack && len(v.Recover.Ways) > 1 && v.Recover.Ways[1].Way == checks.SetAside:
		count["damaged, put back, else set aside"]++
	default:
		count["damaged, cheapest is "+string(cheap.Way)+map[bool]string{true: " " + r.ID}[cheap.Way != checks.PutBack]]++
	}
	for i := range v.Recover.Ways {
		w := &v.Recover.Ways[i]
		count["offered "+string(w.Way)]++
		if w.Way == checks.NewCheckpoint {
			continue
		}
		copied, whole := maps.Clone(tree), true
		for _, file := range w.Files {
			if w.Way == checks.PutBack {
				whole = restore(copied, base.tree, file) && whole
			} else {
				setAsideIn(t, name, copied, file)
			}
		}
		if !whole {
			count["offered put-back, and the base never had such a file"]++
			continue
		}
		after := r.examine(t, copied, base)
		got, told := after.Restart, w.Restart
		wrong := slices.IndexFunc(after.Findings, func(f checks.Finding) bool { return f.WrongFile() && strings.HasPrefix(f.Code, "state-") })
		ok := (got.Outcome == told.Outcome || w.Way == checks.PutBack && told.Outcome == checks.Unknown) && (got.Batch == told.Batch || told.Outcome == checks.Unknown) && (got.StateVersion == told.StateVersion || w.Way == checks.PutBack) && (got.Outcome != checks.Refuses || told.Outcome == checks.Unknown) && wrong < 0
		if really := seen[r.Spark+fingerprint(copied)]; really != nil && w.Way != checks.PutBack {
			count["offered "+string(w.Way)+" and Spark was seen to do it"]++
			if want := really.Want.Restart; want.Outcome != told.Outcome || want.Batch != -1 && want.Batch != told.Batch {
				t.Errorf("%s: %s\n  foretold %s %d, and Spark did %s %d (%s)", name, w.Does, told.Outcome, told.Batch, want.Outcome, want.Batch, really.ID)
			}
			if really.Want.Silent && len(w.Needs) == 0 {
				t.Errorf("%s: %s, says nothing of what it needs, and %s was silently wrong", name, w.Does, really.ID)
			}
		}
		if ok {
			count["offered "+string(w.Way)+" and starts as foretold"]++
			continue
		}
		t.Errorf("%s: %s (%s)\n  foretold %s %d state %d\n  then     %s %d state %d (%s)", name, w.Does, w.Files, told.Outcome, told.Batch, told.StateVersion, got.Outcome, got.Batch, got.StateVersion, got.Because)
	}
}

// restore takes a file, or all of a folder, from another tree; found is false where that has none.
func restore(tree, from fstest.MapFS, name string) (found bool) {
	for file, data := range from {
		found = found || file == name || strings.HasPrefix(file, name+"/")
		if file == name || strings.HasPrefix(file, name+"/") || path.Dir(file) == path.Dir(name) && strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "."), ".crc") == path.Base(name) {
			tree[file] = data
		}
	}
	return found
}

// setAsideIn takes a file or a folder out of a tree.
func setAsideIn(t *testing.T, story string, tree fstest.MapFS, name string) {
	t.Helper()
	n := len(tree)
	maps.DeleteFunc(tree, func(file string, _ *fstest.MapFile) bool { return file == name || strings.HasPrefix(file, name+"/") })
	if len(tree) == n {
		t.Errorf("%s: there is no %s to set aside", story, name)
	}
	keepFolder(tree, name)
}

func (r *record) examine(t *testing.T, tree fs.FS, base oracleBase) (v checks.Verdict) {
	t.Helper()
	spark, err := spark.Parse(r.Spark)
	if err != nil {
		t.Fatal(err)
	}
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(tree, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	query, err := spec.Parse("spec.yaml", []byte(r.Spec.of(base.spec)))
	if err != nil {
		t.Fatalf("%s: %v", r.ID, err)
	}
	for e := range Examine(t.Context(), cp, Options{Spark: spark, Spec: query, Now: time.Date(2026, 11, 29, 18, 0, 0, 0, time.UTC)}) {
		v.Add(e)
	}
	for _, n := range v.NotRun {
		if strings.Contains(n.Needs, "ways back") {
			t.Errorf("%s by %s: %s", r.ID, r.Spark, n.Needs)
		}
	}
	return v
}

// fingerprint is the same for trees with the same files of the same content, and the same folders within the logs.
func fingerprint(tree fstest.MapFS) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if f := tree[name]; !f.Mode.IsDir() || strings.HasPrefix(name, "offsets/") || strings.HasPrefix(name, "commits/") {
			fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(f.Data))
		}
	}
	return string(h.Sum(nil))
}
