package sst

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"tidemark/checkpoint/state"
)

// snapshot is one RocksDB snapshot of a golden checkpoint with its tables.
type snapshot struct {
	name   string
	zip    *state.ZipFile
	tables []*Table
}

// snapshots opens all snapshots of an archive whose tables are all there.
func snapshots(t testing.TB, archive string) (all []snapshot) {
	t.Helper()
	content := map[string][]byte{}
	for name, data := range files(t, archive) {
		content[name] = data
	}
	for name, data := range content {
		if !strings.HasSuffix(name, ".zip") {
			continue
		}
		z, err := state.OpenZip(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		s := snapshot{name: name, zip: z}
		for _, f := range z.SSTs {
			file := path.Join(path.Dir(name), "SSTs", f.Name)
			b, ok := content[file]
			if !ok || int64(len(b)) != f.Size {
				t.Errorf("%s: %s: %s has %d bytes, the snapshot says %d", archive, name, file, len(b), f.Size)
				continue
			}
			table, err := Open(file, bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Fatal(err)
			}
			s.tables = append(s.tables, table)
		}
		all = append(all, s)
	}
	return all
}

// TestMergeCounts: what is alive in every snapshot that Spark wrote is as much as Spark counted.
func TestMergeCounts(t *testing.T) {
	read, keys, operands := 0, int64(0), 0
	for _, archive := range goldens(t) {
		if strings.Contains(archive, "-damage-") {
			continue
		}
		for _, s := range snapshots(t, archive) {
			n, last := int64(0), []byte(nil)
			for live, err := range MergePrefix(nil, s.tables...) {
				if err != nil {
					t.Errorf("%s %s: %v", archive, s.name, err)
					continue
				}
				if n > 0 && bytes.Compare(last, live.Key) >= 0 {
					t.Errorf("%s %s: %x comes after %x", archive, s.name, live.Key, last)
				}
				n, last = n+1, append(last[:0], live.Key...)
				operands += len(live.Operands)
			}
			if want := s.zip.NumKeys + s.zip.NumInternalKeys; n != want {
				t.Errorf("%s %s: %d live keys, Spark counted %d and %d", archive, s.name, n, s.zip.NumKeys, s.zip.NumInternalKeys)
			}
			read, keys = read+1, keys+n
		}
	}
	t.Logf("%d snapshots, %d keys, %d operands", read, keys, operands)
	if read < 500 || keys < 1000 {
		t.Errorf("only %d snapshots with %d keys", read, keys)
	}
}
