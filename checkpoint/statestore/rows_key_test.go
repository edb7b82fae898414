package statestore

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint/row"
	"tidemark/internal/testfiles"
	"tidemark/storage"
)

// A state of 5.4 MB in three tables that Spark 4.3 wrote (testdata/three_tables.py), each with the keys of
// one batch. Looking a key up reads the end of every table, and a block of the one that has it.
func TestFindReadsFewBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unpackTo(t, dir, "testdata/three-tables.tar.gz")
	meter := &storage.Meter{}
	store, err := storage.Open(t.Context(), dir, storage.Options{Meter: meter})
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, store)
	s, err := At(t.Context(), c, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View("")
	if err != nil {
		t.Fatal(err)
	}
	find := func(key string) (rows int, reads, bytes int64) {
		l, err := s.Find(v, key)
		if err != nil {
			t.Fatal(err)
		}
		before := meter.Snapshot()
		for r, err := range l.Rows(t.Context(), l.Partition) {
			if err != nil || string(r.Key.AppendJSON(nil)) != `{"device":`+key+`}` || r.Value.Items[0].Int != 1 {
				t.Fatalf("%s: %s, %v", key, r.AppendJSON(nil), err)
			}
			rows++
		}
		after := meter.Snapshot()
		return rows, after.Reads - before.Reads, after.Bytes - before.Bytes
	}
	// The zip, and of each table its size and its end.
	const opening = 1 + 3*2
	total := int64(0)
	for _, n := range []int{0, 3999, 4000, 7531, 8000, 11_999} {
		rows, reads, bytes := find(fmt.Sprintf(`"device-%06d"`, n))
		if rows != 1 || bytes > 120_000 {
			t.Errorf("device %d: %d rows after %d reads of %d bytes", n, rows, reads, bytes)
		}
		total += reads
	}
	if most := int64(6*(opening+1) + 1); total > most { // a filter may leave one key open that is not there
		t.Errorf("6 keys took %d reads, want up to %d", total, most)
	}
	total = 0
	for n := range 20 {
		rows, reads, bytes := find(fmt.Sprintf(`"device-%05dx"`, n*60))
		if rows != 0 || bytes > 120_000 {
			t.Errorf("no device: %d rows after %d reads of %d bytes", rows, reads, bytes)
		}
		total += reads
	}
	if most := int64(20*opening + 3); total > most {
		t.Errorf("20 keys that are not there took %d reads, want up to %d", total, most)
	}
}

// unpackTo writes the files of an archive below dir.
func unpackTo(t *testing.T, dir, archive string) {
	t.Helper()
	for name, data := range unpacked(t, archive) {
		if strings.HasSuffix(name, "/") {
			continue
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// Every key that a view shows is found by the bytes it is written as: where they are said to be all that
// Spark can have written, no other pass is made.
func TestKeysOfOneForm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"state-4.3-hdfs-rich-keys", "state-4.3-hdfs-hash-multi", "state-4.3-hdfs-hash-double", "state-4.3-hdfs-hash-decimal-large",
		"state-4.3-hdfs-session", "state-4.3-rockscl-session", "state-3.5-rockscl-session", "state-4.3-rocks-tws-ttl-avro", "state-4.3-rocks-join-v3",
		"state-3.3-rocks-window-agg", "state-4.3-rocks-dedup-within-wm",
	} {
		c := golden(t, name)
		s, err := At(t.Context(), c, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Views {
			v := &s.Views[i]
			for r, err := range s.Rows(t.Context(), v, -1) {
				if err != nil {
					t.Fatal(err)
				}
				key := string(r.Key.AppendJSON(nil))
				l, err := s.Find(v, key)
				if err != nil {
					t.Errorf("%s %s: %v", name, v.Name, err)
					continue
				}
				found := 0
				for _, err := range l.Rows(t.Context(), r.Partition) {
					if err != nil {
						t.Error(err)
					}
					found++
				}
				if found == 0 {
					t.Errorf("%s %s: %s is not found (%x)", name, v.Name, key, l.bytes)
				}
			}
		}
	}
}

// Keys that show alike and have other bytes are found: what dropDuplicates keeps of floats, and text that is
// no UTF-8. A key with one form is looked for once, also where it is not there.
func TestKeysOfOtherForms(t *testing.T) {
	t.Parallel()
	double := &row.Type{Kind: row.Double, Name: "double"}
	pair := row.StructOf(row.Field{Name: "d", Type: double}, row.Field{Name: "s", Type: &row.Type{Kind: row.String, Name: "string"}})
	put := func(bits uint64, text string) string {
		key, err := row.Encode(row.Value{Type: pair, Items: []row.Value{{Type: double, Int: int64(bits)}, {Type: pair.Fields[1].Type, Bytes: []byte(text)}}})
		if err != nil {
			t.Fatal(err)
		}
		return putRecord(string(key), unsafeRow(nil))
	}
	c := open(t, testfiles.Tree(with(testfiles.Logs(0, `"spark.sql.shuffle.partitions":"1"`), map[string]string{
		"state/0/0/1.delta": deltaOf(put(math.Float64bits(math.Copysign(0, -1)), "zero"), put(0xFFF8000000000001, "nan"), put(math.Float64bits(1.5), "a\xffb"),
			put(math.Float64bits(2.5), "plain")),
		"state/0/0/_metadata/schema": schemaV2("d double, s string", "__dummy__ void"),
	})))
	spy := &opened{Store: c.Store()}
	c = c.With(spy)
	s, err := At(t.Context(), c, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.View("")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key    string
		want   string
		passes int
	}{
		{`{"d":0.0,"s":"zero"}`, `{"d":-0.0,"s":"zero"}`, 2},
		{`{"d":-0.0,"s":"zero"}`, `{"d":-0.0,"s":"zero"}`, 2},
		{`{"d":"NaN","s":"nan"}`, `{"d":"NaN","s":"nan"}`, 2},
		{"{\"d\":1.5,\"s\":\"a\ufffdb\"}", "{\"d\":1.5,\"s\":\"a\ufffdb\"}", 2},
		{`{"d":2.5,"s":"plain"}`, `{"d":2.5,"s":"plain"}`, 1},
		{`{"d":2.5,"s":"absent"}`, ``, 1},
		{`{"d":0.0,"s":"absent"}`, ``, 2},
	} {
		l, err := s.Find(v, test.key)
		if err != nil {
			t.Fatal(err)
		}
		spy.names = nil
		got := ""
		for r, err := range l.Rows(t.Context(), -1) {
			if err != nil {
				t.Fatal(err)
			}
			got += string(r.Key.AppendJSON(nil))
		}
		passes := len(spy.names)
		if got != test.want || passes != test.passes {
			t.Errorf("%s: %q after %d passes, want %q after %d", test.key, got, passes, test.want, test.passes)
		}
		if replaced := strings.Contains(test.key, "\ufffd"); replaced != (l.Partition < 0) {
			t.Errorf("%s: partition %d", test.key, l.Partition)
		}
	}
	if !slices.Contains(spy.names, "state/0/0/1.delta") {
		t.Errorf("opened were %q", spy.names)
	}
}
