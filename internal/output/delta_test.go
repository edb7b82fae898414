package output

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/internal/tablelog"
	"tidemark/internal/tablelog/delta"
)

// tables are logs that Delta 4.0 wrote (see testdata/generators/table_goldens.py): a query wrote batches 0 and 1,
// another one 0 to 6 after it, and the table has a checkpoint now and then, in four forms.
var tables = []string{"two-queries", "multi-part", "v2-json", "v2-parquet"}

func TestCheckpointsKnowOurBatch(t *testing.T) {
	t.Parallel()
	for _, name := range tables {
		t.Run(name, func(t *testing.T) {
			files := unpack(t, "testdata/"+name+".tar.gz", "sink/")
			for checkpoint, highest := range map[string]int64{"checkpoint/": 1, "checkpoint-b/": 6} {
				q := Query{ID: idOf(t, name, checkpoint), Planned: highest, Committed: highest, Newest: 1, Table: true}
				h := lookAt(t, files, q)
				if h.Highest != highest || h.Proof.Version < 0 || h.Unsure != "" || h.Schema == nil || h.TableID == "" {
					t.Errorf("%s: the whole log: %+v", checkpoint, h)
				}
				// Old commits are cleaned up, and checksum files need not be there.
				old := maps.Clone(files)
				newest := newestCheckpoint(t, files)
				maps.DeleteFunc(old, func(name string, _ *fstest.MapFile) bool {
					return strings.HasSuffix(name, ".crc") || regexp.MustCompile(`/\d{20}\.json$`).MatchString(name) && filepath.Base(name) < newest
				})
				h = lookAt(t, old, q)
				if h.Highest != highest || highest == 1 && len(h.Others) != 1 || h.Schema == nil || h.TableID == "" {
					t.Errorf("%s: what a checkpoint knows: %+v", checkpoint, h)
				}
				if highest == 1 && (h.Unsure == "" || h.Proof.Version >= 0) {
					t.Errorf("%s: the commit is gone, and nothing is said of it: %+v", checkpoint, h)
				}
			}
		})
	}
}

// A checkpoint that is cut anywhere is told, and nothing breaks over it.
func TestCutCheckpoint(t *testing.T) {
	t.Parallel()
	files := unpack(t, "testdata/two-queries.tar.gz", "sink/")
	newest := "_delta_log/" + newestCheckpoint(t, files) + ".checkpoint.parquet"
	whole := files[newest].Data
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return name != newest })
	for n := 0; n < len(whole); n += 97 {
		files[newest] = &fstest.MapFile{Data: whole[:n]}
		h := lookAt(t, files, Query{ID: query, Newest: 1})
		if h.Unknown == "" {
			t.Fatalf("cut at %d: %+v", n, h)
		}
	}
}

// A part of a checkpoint is missing: the older whole one counts, and the commits after it.
func TestPartialCheckpointDoesNotCount(t *testing.T) {
	t.Parallel()
	files := unpack(t, "testdata/multi-part.tar.gz", "sink/")
	var parts []string
	for name := range files {
		if strings.Contains(name, newestCheckpoint(t, files)+".checkpoint.") {
			parts = append(parts, name)
		}
	}
	slices.Sort(parts)
	if len(parts) < 2 {
		t.Fatalf("parts: %q", parts)
	}
	delete(files, parts[len(parts)-1])
	l, err := delta.List(t.Context(), tablelog.FromFS(files, "t"), 0)
	if err != nil || len(l.Partial) != 1 || l.Checkpoint() == nil || strings.HasPrefix(l.Checkpoint().Files[0].Name, newestCheckpoint(t, files)) && len(l.Checkpoint().Files) < len(parts) {
		t.Errorf("%+v, %v", l, err)
	}
	h := lookAt(t, files, Query{ID: idOf(t, "multi-part", "checkpoint/"), Planned: 1, Committed: 1, Newest: 1})
	if h.Highest != 1 {
		t.Errorf("%+v", h)
	}
}

// A log compaction stands for the commits that it replaces.
func TestCompaction(t *testing.T) {
	t.Parallel()
	files := longDelta(300, 0)
	for v := 100; v < 300; v++ {
		files[commitName(v)] = commit(v, int64(v), "7d3e9b10-0c55-4d0e-8a33-9f1f0a2b6c77")
	}
	var all []byte
	for v := range 150 {
		all = append(all, files[commitName(v)].Data...)
	}
	files["_delta_log/00000000000000000000.00000000000000000149.compacted.json"] = &fstest.MapFile{Data: commit(99, 99, query).Data}
	counted := &tablelog.Counted{Files: tablelog.FromFS(files, "sink")}
	h, err := New(counted, Options{Kind: "delta"}).Look(t.Context(), Query{ID: query, Planned: 99, Committed: 99, Newest: 1})
	if err != nil || h.Highest != 99 || h.Unsure == "" {
		t.Errorf("%+v, %v (%d bytes)", h, err, len(all))
	}
	if counted.Opens > deltaWalk+30 {
		t.Errorf("%d reads", counted.Opens)
	}
}

// What Delta 4.0 and Iceberg 1.10 themselves write: the newest batch, what was taken out again, other ids.
func TestRealTables(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		highest       int64
		first, last   int64 // of what was taken out; -1 for none
		exact         bool
		others, notes int
	}{
		"restore":      {3, 2, 3, true, 0, 0},
		"restore-time": {3, 2, 3, true, 0, 0},
		"optimized":    {2, -1, -1, false, 0, 0},
		"txn-app-id":   {-1, -1, -1, false, 1, 0},
		"iceberg":      {3, -1, -1, false, 0, 0},
	} {
		files := unpack(t, "testdata/"+name+".tar.gz", "sink/")
		h, err := New(tablelog.FromFS(files, "sink"), Options{}).Look(t.Context(), Query{ID: idOf(t, name, "checkpoint/"), Planned: 3, Committed: 3, Newest: 1, Table: true})
		if err != nil || h.Unknown != "" || h.Highest != want.highest || len(h.Others) != want.others || len(h.Notes) != want.notes || h.Schema == nil || len(h.Schema.Fields) != 2 {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
		if u := h.Undone; u == nil && want.first >= 0 || u != nil && (u.First != want.first || u.Last != want.last || u.Exact != want.exact) {
			t.Errorf("%s: taken out: %+v", name, u)
		}
	}
}

func lookAt(t *testing.T, files fstest.MapFS, q Query) Held {
	t.Helper()
	h, err := New(tablelog.FromFS(files, "sink"), Options{Kind: "delta"}).Look(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func idOf(t *testing.T, name, checkpoint string) string {
	t.Helper()
	var m struct{ ID string }
	if err := json.Unmarshal(unpack(t, "testdata/"+name+".tar.gz", checkpoint)["metadata"].Data, &m); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

// newestCheckpoint is the version of the newest checkpoint, as names begin with it.
func newestCheckpoint(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	newest := ""
	for name := range files {
		if base := filepath.Base(name); strings.Contains(base, ".checkpoint.") {
			newest = max(newest, base[:20])
		}
	}
	if newest == "" {
		t.Fatal("no checkpoint")
	}
	return newest
}
