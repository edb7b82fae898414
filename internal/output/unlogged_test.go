package output

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/internal/tablelog"
)

// Data files without a log are found with two listings, and counted only so far.
func TestUnlogged(t *testing.T) {
	t.Parallel()
	many := fstest.MapFS{}
	for i := range 3000 {
		many[fmt.Sprintf("part-%05d-%08x-1cdd-4c1a-8930-f7c0bff2531a-c000.snappy.parquet", i%4, i)] = &fstest.MapFile{}
	}
	file := &fstest.MapFile{}
	for name, c := range map[string]struct {
		files     fstest.MapFS
		opt       Options
		count     int64
		more, job bool
	}{
		"many":              {many, Options{}, unloggedCounted, true, false},
		"declared":          {many, Options{Kind: "parquet"}, unloggedCounted, true, false},
		"other kind":        {many, Options{Kind: "foreach-batch"}, 0, false, false},
		"other names":       {fstest.MapFS{"00000-0-0cec2a9d-80a4-43e3-8196-292dd5a9484a-00001.parquet": file, "part-00000": file, "part-00000-x.parquet": file}, Options{}, 0, false, false},
		"below a folder":    {fstest.MapFS{"day=1/hour=2/part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a.c000.orc": file}, Options{}, 1, true, false},
		"below no folder":   {fstest.MapFS{"data/part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a.c000.orc": file}, Options{}, 0, false, false},
		"job":               {fstest.MapFS{"_SUCCESS": file, "part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a-c000.csv": file}, Options{}, 1, false, true},
		"a table":           {fstest.MapFS{"_delta_log/x": file, "part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a-c000.parquet": file}, Options{}, 0, false, false},
		"an empty log":      {fstest.MapFS{"_spark_metadata/.0.crc": file, "part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a-c000.parquet": file}, Options{}, 1, false, false},
		"declared, nothing": {fstest.MapFS{"x": file}, Options{Kind: "file"}, 0, false, false},
	} {
		counted := &tablelog.Counted{Files: tablelog.FromFS(c.files, "sink")}
		h, err := New(counted, c.opt).Look(t.Context(), Query{ID: query, Planned: 7, Committed: 7, Newest: 1})
		if err != nil {
			t.Fatal(err)
		}
		u := h.Unlogged
		switch {
		case u == nil && c.count > 0, u != nil && (u.Files != c.count || u.More != c.more || u.Job != c.job):
			t.Errorf("%s: %+v", name, u)
		case h.Highest >= 0:
			t.Errorf("%s: batch %d", name, h.Highest)
		case (h.Unlogged == nil || h.Unlogged.Job) && h.Unknown == "" && !h.Absent && name != "a table":
			t.Errorf("%s: nothing is told: %+v", name, h)
		}
		if counted.Lists > 2+partitionDepth {
			t.Errorf("%s: %d listings", name, counted.Lists)
		}
	}
}

// Where the log of another kind lies at the location than the spec declares, that is said, and no log is missed.
func TestAnotherKind(t *testing.T) {
	t.Parallel()
	file := &fstest.MapFile{}
	data := "part-00000-0cec2a9d-80a4-43e3-8196-292dd5a9484a-c000.snappy.parquet"
	for kind, files := range map[string]fstest.MapFS{
		"parquet": {"_delta_log/00000000000000000000.json": file, data: file},
		"delta":   {"_spark_metadata/0": file, data: file},
		"file":    {"metadata/v1.metadata.json": file, "data/" + data: file},
		"iceberg": {"_delta_log/00000000000000000000.json": file, data: file},
	} {
		h, err := New(tablelog.FromFS(files, "sink"), Options{Kind: kind}).Look(t.Context(), Query{ID: query, Planned: 7, Committed: 7, Newest: 1})
		if err != nil || h.Absent || h.Unlogged != nil || h.Highest >= 0 || !strings.Contains(h.Unknown, "of the kind "+kind+", and this location has another kind: it has ") {
			t.Errorf("%s: %v: %+v", kind, err, h)
		}
	}
}

// A mark of a folder, as EMR leaves one beside it, is no file of the output: the log was still copied alone.
func TestLogBesideItsMark(t *testing.T) {
	t.Parallel()
	entry := `v1` + "\n" + `{"path":"s3a://lake/out/part-00000-a0.parquet","size":8,"isDir":false,"modificationTime":1,"blockReplication":1,"blockSize":1,"action":"add"}`
	files := fstest.MapFS{"_spark_metadata/0": {Data: []byte(entry)}, "_spark_metadata_$folder$": {}}
	for _, want := range []bool{true, false} {
		got, err := New(tablelog.FromFS(files, "sink"), Options{}).(Logger).Logged(t.Context(), false)
		if err != nil || got.Compared != 1 || got.Alone != want {
			t.Errorf("%v: %+v, %v", want, got, err)
		}
		files["part-00000-b0.parquet"] = &fstest.MapFile{}
	}
}
