package sst

import (
	"bytes"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// goldens are the archives of checkpoints with RocksDB state.
func goldens(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("../../testdata/golden/state-*rocks*.tar.gz")
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	var names []string
	for _, name := range all {
		if !strings.Contains(name, ".rows.") {
			names = append(names, name)
		}
	}
	return names
}

// files yields the files of an archive.
func files(t testing.TB, archive string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		t.Helper()
		for h, data := range testfiles.In(t, archive) {
			if !yield(h.Name, data) {
				return
			}
		}
	}
}

// TestGoldens reads every table that Spark wrote: all blocks match their checksums, the entries are as
// many as the properties say.
func TestGoldens(t *testing.T) {
	t.Parallel()
	tables, entries, formats := 0, 0, map[string]int{}
	for _, archive := range goldens(t) {
		for name, data := range files(t, archive) {
			if !strings.HasSuffix(name, ".sst") || strings.Contains(archive, "-damage-") {
				continue
			}
			tables++
			table, err := Open(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Error(archive, err)
				continue
			}
			for err := range table.Verify() {
				t.Error(archive, err)
			}
			for _, err := range table.Entries() {
				if err == nil {
					entries++
				}
			}
			formats[table.Properties.Compression]++
		}
	}
	t.Logf("%d tables, %d entries, %v", tables, entries, formats)
	if tables < 450 || entries < 2000 {
		t.Errorf("only %d tables with %d entries", tables, entries)
	}
}
