package output

import (
	"archive/tar"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tidemark/internal/tablelog"
	"tidemark/internal/testfiles"
)

const query = "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"

// A look at an output in step costs a few requests, however long its log is. Where the spec names the kind, the
// root is not listed to find it out.
func TestRequests(t *testing.T) {
	t.Parallel()
	in := func(batch int64) Query { return Query{ID: query, Planned: batch, Committed: batch, Newest: 1} }
	golden := func(name, id string, batch int64) (fstest.MapFS, Query) {
		q := in(batch)
		q.ID = id
		return unpack(t, "../../testdata/golden/"+name+".tar.gz", "sink/"), q
	}
	type one struct {
		name  string
		files fstest.MapFS
		q     Query
		opt   Options
		most  int
	}
	var all []one
	add := func(name string, files fstest.MapFS, q Query, opt Options, most int) {
		all = append(all, one{name, files, q, opt, most})
	}
	files, q := golden("delta-clean", "171df49a-7962-4f22-8a70-ffa2cfb92aa7", 5)
	add("delta, the kind not declared", files, q, Options{}, 4)
	files, q = golden("delta-clean-4.0", "176ce8a1-f48c-4e05-9ecd-fad8b882961f", 3)
	add("delta 4.0", files, q, Options{Kind: "delta"}, 3)
	add("delta, 500 commits after a checkpoint", longDelta(500, 40), in(499), Options{}, 4)
	files, q = golden("file-sink", "", 7)
	add("file sink", files, q, Options{Kind: "file"}, 2)
	add("file sink, the kind not declared", files, q, Options{}, 3)
	add("iceberg, the kind not declared", snapshots(30, "v31.metadata.json"), in(29), Options{}, 3)
	add("iceberg of a catalog", snapshots(30, "00031-7d3e9b10-0c55-4d0e-8a33-9f1f0a2b6c77.metadata.json"), in(29), Options{Kind: "iceberg"}, 3)
	add("iceberg, the file is given", snapshots(30, "v31.metadata.json"), in(29), Options{File: "metadata/v31.metadata.json"}, 1)
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			counted := &tablelog.Counted{Files: tablelog.FromFS(c.files, "sink")}
			h, err := New(counted, c.opt).Look(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			if h.Unknown != "" || h.Highest != c.q.Committed || h.Holds(c.q.Committed) != Yes {
				t.Errorf("highest %d, want %d (%s)", h.Highest, c.q.Committed, h.Unknown)
			}
			if n := counted.Requests(); n > c.most {
				t.Errorf("%d listings and %d reads, want no more than %d together", counted.Lists, counted.Opens, c.most)
			}
		})
	}
}

// The newest commits are another writer's: they are read one by one only as far as our own.
func TestDeltaReadsBackToOurCommit(t *testing.T) {
	t.Parallel()
	files := longDelta(30, 0)
	for v := 30; v < 40; v++ {
		files[commitName(v)] = commit(v, int64(v), "7d3e9b10-0c55-4d0e-8a33-9f1f0a2b6c77")
	}
	counted := &tablelog.Counted{Files: tablelog.FromFS(files, "sink")}
	h, err := New(counted, Options{Kind: "delta"}).Look(t.Context(), Query{ID: query, Planned: 29, Committed: 29, Newest: 1})
	if err != nil || h.Highest != 29 || h.Proof.Version != 29 || len(h.Others) != 1 || h.Others[0].Highest != 39 {
		t.Errorf("%+v, %v", h, err)
	}
	if counted.Opens != 1+11 { // the hint, ten of the other's, ours
		t.Errorf("%d reads", counted.Opens)
	}
}

func longDelta(commits, hint int) fstest.MapFS {
	files := fstest.MapFS{}
	for v := range commits {
		files[commitName(v)] = commit(v, int64(v), query)
	}
	if hint > 0 {
		files["_delta_log/_last_checkpoint"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"version":%d,"size":41}`, hint)}
		files[fmt.Sprintf("_delta_log/%020d.checkpoint.parquet", hint)] = &fstest.MapFile{Data: []byte("PAR1")}
	}
	return files
}

func commitName(v int) string { return fmt.Sprintf("_delta_log/%020d.json", v) }

func commit(v int, batch int64, id string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{"commitInfo":{"timestamp":%d,"operation":"STREAMING UPDATE"}}
{"txn":{"appId":%q,"version":%d,"lastUpdated":%d}}
`, 1796000000000+v, id, batch, 1796000000000+v), ModTime: time.UnixMilli(1796000000000)}
}

func snapshots(n int, name string) fstest.MapFS {
	type object = map[string]any
	var all []object
	for i := range n {
		s := object{"snapshot-id": 1000 + i, "timestamp-ms": 1796000000000 + i, "summary": object{
			"operation": "append", "spark.sql.streaming.queryId": query, "spark.sql.streaming.epochId": fmt.Sprint(i), "added-records": "10"}}
		if i > 0 {
			s["parent-snapshot-id"] = 999 + i
		}
		all = append(all, s)
	}
	text, _ := json.Marshal(object{"format-version": 2, "table-uuid": "u", "current-snapshot-id": 999 + n, "snapshots": all})
	return fstest.MapFS{"metadata/" + name: {Data: text}, "metadata/snap-1.avro": {}, "data/1.parquet": {}}
}

// unpack are the files of an archive below a folder.
func unpack(t *testing.T, archive, below string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for h, data := range testfiles.In(t, archive) {
		if name, ok := strings.CutPrefix(h.Name, below); ok && h.Typeflag != tar.TypeDir && name != "" {
			files[name] = &fstest.MapFile{Data: data, ModTime: h.ModTime}
		}
	}
	return files
}
