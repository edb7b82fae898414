package iceberg

import (
	"bytes"
	"compress/gzip"
	"testing"
	"testing/fstest"

	"tidemark/internal/tablelog"
)

const good = `{"format-version":2,"table-uuid":"9c5a5d2e","current-schema-id":1,
"schemas":[{"type":"struct","schema-id":0,"fields":[]},{"type":"struct","schema-id":1,"fields":[{"id":1,"name":"id","required":true,"type":"long"},
{"id":2,"name":"tags","required":false,"type":{"type":"list","element-id":3,"element":"string","element-required":false}},
{"id":4,"name":"at","required":false,"type":"timestamptz"},{"id":5,"name":"price","required":false,"type":"decimal(10, 2)"}]}],
"current-snapshot-id":8358106974146857158,"refs":{"main":{"snapshot-id":8358106974146857158,"type":"branch"}},
"snapshots":[{"snapshot-id":1,"timestamp-ms":5,"summary":{"operation":"append","spark.sql.streaming.queryId":"q","spark.sql.streaming.epochId":"3"}},
{"snapshot-id":8358106974146857158,"parent-snapshot-id":1,"sequence-number":2,"timestamp-ms":6,"summary":{"operation":"replace"}}]}`

func TestParse(t *testing.T) {
	t.Parallel()
	m, err := Parse("metadata/v2.metadata.json", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	line, cut := m.Ancestors(m.Current)
	if len(line) != 2 || cut || line[0].ID != 8358106974146857158 || line[1].Summary[EpochID] != "3" || line[1].Parent != -1 {
		t.Errorf("%+v %v", line, cut)
	}
	if want := "`id` BIGINT NOT NULL, `tags` ARRAY<STRING>, `at` TIMESTAMP, `price` DECIMAL(10, 2)"; m.Schema != want {
		t.Errorf("schema %s, want %s", m.Schema, want)
	}
}

// A file that is cut is no table: nothing of it is taken for one.
func TestCutEverywhere(t *testing.T) {
	t.Parallel()
	for n := range len(good) {
		if _, err := Parse("m", []byte(good[:n])); err == nil {
			t.Fatalf("cut at %d: no error", n)
		}
	}
}

// Snapshots that name each other as parents do not hold anyone up, and an expired parent cuts the line.
func TestAncestorsEnd(t *testing.T) {
	t.Parallel()
	m := &Metadata{Snapshots: map[int64]*Snapshot{1: {ID: 1, Parent: 2}, 2: {ID: 2, Parent: 1}}}
	if line, _ := m.Ancestors(1); len(line) != 2 {
		t.Errorf("%d ancestors", len(line))
	}
	m = &Metadata{Snapshots: map[int64]*Snapshot{5: {ID: 5, Parent: 4}}}
	if line, cut := m.Ancestors(5); len(line) != 1 || !cut {
		t.Errorf("%d ancestors, cut %v", len(line), cut)
	}
	if line, cut := m.Ancestors(-1); len(line) != 0 || cut {
		t.Errorf("an empty table: %v %v", line, cut)
	}
}

func TestOpenTakesTheNewest(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(good))
	z.Close()
	for name, c := range map[string]struct {
		files   []string
		want    string
		assumed bool
	}{
		"a path table":          {[]string{"v9.metadata.json", "v10.gz.metadata.json", "version-hint.text", "snap-1.avro"}, "metadata/v10.gz.metadata.json", false},
		"a catalog":             {[]string{"00009-a.metadata.json", "00010-b.metadata.json", "0a1b-m0.avro"}, "metadata/00010-b.metadata.json", true},
		"packed by another one": {[]string{"00003-a.metadata.json.gz"}, "metadata/00003-a.metadata.json.gz", true},
	} {
		files := fstest.MapFS{}
		for _, f := range c.files {
			files["metadata/"+f] = &fstest.MapFile{Data: packed.Bytes()}
		}
		m, err := Open(t.Context(), tablelog.FromFS(files, "t"))
		if err != nil || m.File != c.want || m.Assumed != c.assumed || m.UUID != "9c5a5d2e" {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, _ := Parse("m", text)
		m.Ancestors(m.Current)
	})
}
