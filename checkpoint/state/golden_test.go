package state

import (
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// golden is where the checkpoints lie that Spark wrote.
const golden = "../../testdata/golden"

// archives are the names of the golden checkpoints, without ending.
func archives(t testing.TB) []string {
	t.Helper()
	found, err := filepath.Glob(golden + "/*.tar.gz")
	if err != nil || len(found) < 100 {
		t.Fatalf("%d archives in %s: %v", len(found), golden, err)
	}
	var names []string
	for _, name := range found {
		if name = strings.TrimSuffix(filepath.Base(name), ".tar.gz"); !strings.HasSuffix(name, ".rows") {
			names = append(names, name)
		}
	}
	return names
}

// stateFile is a delta, snapshot or changelog of a golden checkpoint.
type stateFile struct {
	name string // within the checkpoint: "state/0/0/7.delta"
	File
	data []byte
}

// stateFiles yields the state files of one golden checkpoint, zips aside.
func stateFiles(t testing.TB, archive string) iter.Seq[stateFile] {
	t.Helper()
	return func(yield func(stateFile) bool) {
		for head, data := range testfiles.In(t, filepath.Join(golden, archive+".tar.gz")) {
			name := filepath.ToSlash(filepath.Clean(head.Name))
			at := strings.Index(name, "state/")
			file, ok := ParseName(name[strings.LastIndex(name, "/")+1:])
			if at < 0 || !ok || file.Role == Zip {
				continue
			}
			if !yield(stateFile{name[at:], file, data}) {
				return
			}
		}
	}
}
