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
				t.Errorf("%s: %s: %s has %d bytes, the snapshot records %d", archive, name, file, len(b), f.Size)
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
	t.Parallel()
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

// TestMergeOfOneTwice: a table that stands in a snapshot twice is told once, and gives its keys once.
func TestMergeOfOneTwice(t *testing.T) {
	t.Parallel()
	tables := three(t, 500)
	keys, errs := 0, 0
	for _, err := range MergePrefix(nil, tables[0], tables[0]) {
		if err != nil {
			errs++
		} else {
			keys++
		}
	}
	if keys != 500 || errs != 1 {
		t.Errorf("%d keys, %d errors", keys, errs)
	}
}

// TestMergeOfDamaged tells of the damaged block once, and gives all else. Spark's own reader gave 5 of
// the 12 rows of this state without a word.
func TestMergeOfDamaged(t *testing.T) {
	t.Parallel()
	damaged := 0
	for _, s := range snapshots(t, "../../testdata/golden/state-4.3-rocks-damage-flipped-sst.tar.gz") {
		keys, errs := int64(0), 0
		for _, err := range MergePrefix(nil, s.tables...) {
			if err == nil {
				keys++
				continue
			}
			errs++
			if !strings.Contains(err.Error(), "SSTs/000019-7d88a8eb-8f85-42c9-a0d1-84d6dca5c299.sst: SST block: the checksum of the ") {
				t.Errorf("%s: %v", s.name, err)
			}
		}
		if errs > 1 || errs == 0 && keys != s.zip.NumKeys || errs == 1 && keys == 0 {
			t.Errorf("%s: %d keys of %d, %d errors", s.name, keys, s.zip.NumKeys, errs)
		}
		damaged += errs
	}
	if damaged == 0 {
		t.Error("no snapshot has the damaged table")
	}
}
