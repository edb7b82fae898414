package sst

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// made are the databases of testdata/tables.tar.gz, which testdata/Tables.java made with RocksDB itself:
// folder → file → bytes.
func made(t testing.TB) map[string]map[string][]byte {
	t.Helper()
	all := map[string]map[string][]byte{}
	for name, data := range files(t, "testdata/tables.tar.gz") {
		dir, file := path.Base(path.Dir(name)), path.Base(name)
		if ext := path.Ext(file); ext != ".sst" && ext != ".txt" {
			continue // a folder
		}
		if all[dir] == nil {
			all[dir] = map[string][]byte{}
		}
		all[dir][file] = data
	}
	if len(all) < 30 {
		t.Fatalf("%d databases", len(all))
	}
	return all
}

// opened are the tables of one database, by name.
func opened(t testing.TB, database map[string][]byte) (tables []*Table) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(database)) {
		if data := database[name]; path.Ext(name) == ".sst" {
			table, err := Open(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
		}
	}
	if len(tables) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	return tables
}

// joined is a live value as StringAppendOperator with a comma gives it.
func joined(live Live) []byte {
	parts := live.Operands
	if live.Value != nil {
		parts = append([][]byte{live.Value}, parts...)
	}
	return bytes.Join(parts, []byte(","))
}

// TestForms reads forms of tables that Spark does not write by default: format versions, checksums,
// codecs, indexes, range deletions. What is alive is what RocksDB's own iterator gave.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, database := range made(t) {
		t.Run(name, func(t *testing.T) {
			tables := opened(t, database)
			for _, table := range tables {
				for err := range table.Verify() {
					t.Error(err)
				}
			}
			var got strings.Builder
			for live, err := range MergePrefix(nil, tables...) {
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "%x\t%x\n", live.Key, joined(live))
			}
			if want := string(database["live.txt"]); got.String() != want {
				t.Errorf("got %d bytes, want %d:\n%s", got.Len(), len(want), firstDifference(got.String(), want))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got %.200q, want %.200q", i+1, g[i], w[i])
		}
	}
	return "one is the beginning of the other"
}

// TestMergeKey gives of every key what a merge of all gives, and nothing of keys that are not there.
func TestMergeKey(t *testing.T) {
	t.Parallel()
	for name, database := range made(t) {
		tables := opened(t, database)
		want := map[string]string{}
		for live, err := range MergePrefix(nil, tables...) {
			if err != nil {
				t.Fatal(err)
			}
			want[string(live.Key)] = string(joined(live))
		}
		keys := map[string]bool{"": true} // of all entries, the deleted too
		for _, table := range tables {
			for e, err := range table.Entries() {
				if err != nil {
					t.Fatal(err)
				}
				keys[string(e.Key)] = true
			}
		}
		for _, key := range slices.Collect(maps.Keys(keys)) {
			keys[key+"\x00"] = true
			keys[key[:max(0, len(key)-1)]] = true
		}
		for key := range keys {
			got := map[string]string{}
			for live, err := range MergeKey([]byte(key), tables...) {
				if err != nil {
					t.Fatal(err)
				}
				got[string(live.Key)] = string(joined(live))
			}
			value, alive := want[key]
			if alive && (len(got) != 1 || got[key] != value) || !alive && len(got) > 0 {
				t.Errorf("%s: %q: got %q, want %q", name, key, got, value)
			}
		}
	}
}

// TestMergePrefix gives of a merge the keys with the prefix.
func TestMergePrefix(t *testing.T) {
	t.Parallel()
	for name, database := range made(t) {
		tables := opened(t, database)
		for _, prefix := range []string{"", "a/", "b/", "m/", "n/", "a/key-0001", "n/z", "z"} {
			var got strings.Builder
			for live, err := range MergePrefix([]byte(prefix), tables...) {
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "%x\t%x\n", live.Key, joined(live))
			}
			var want strings.Builder
			for line := range strings.Lines(string(database["live.txt"])) {
				if strings.HasPrefix(line, hex.EncodeToString([]byte(prefix))) {
					want.WriteString(line)
				}
			}
			if got.String() != want.String() {
				t.Errorf("%s, prefix %q: %s", name, prefix, firstDifference(got.String(), want.String()))
			}
		}
	}
}

// TestRangeDeletions are the three ranges that were deleted, cut by RocksDB where they overlap.
func TestRangeDeletions(t *testing.T) {
	t.Parallel()
	const want = `"a/key-00020" to "a/key-00026" below 217
"a/key-00026" to "a/key-00030" below 218
"a/key-00030" to "a/key-00060" below 218
"m/" to "m/list\x00" below 220
`
	for _, name := range []string{"range-deletions-5", "range-deletions-6"} {
		tables := opened(t, made(t)[name])
		if r, err := tables[0].RangeDeletions(); r != nil || err != nil {
			t.Errorf("%s: %v, %v in a table without", name, r, err)
		}
		deletions, err := tables[1].RangeDeletions()
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, d := range deletions {
			fmt.Fprintf(&got, "%q to %q below %d\n", d.Begin, d.End, d.Seq)
		}
		if got.String() != want || tables[1].Properties.RangeDeletions != 4 {
			t.Errorf("%s: %s, properties say %d", name, got.String(), tables[1].Properties.RangeDeletions)
		}
	}
}
