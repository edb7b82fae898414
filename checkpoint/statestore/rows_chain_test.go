package statestore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// In checkpoint format 2 the rows come from the files that the changelogs name, and files of attempts
// that did not count change nothing: here each changelog has a broken twin whose name sorts before it, the
// newest snapshot is gone, and the commits that recorded older ids are.
func TestRowsGoByTheLineage(t *testing.T) {
	t.Parallel()
	const name = "state-4.3-rockscl-ckptv2-window-agg"
	files := goldenFiles(t, name)
	want := rowsOf(t, open(t, storage.FromFS(files, name)), rowsRequest{Batch: 9, Partition: -1})
	retried := maps.Clone(files)
	for n := range 9 {
		delete(retried, fmt.Sprintf("commits/%d", n))
		delete(retried, fmt.Sprintf("offsets/%d", n))
	}
	lost := ""
	for file, m := range files {
		f, ok := state.ParseName(path.Base(file))
		if !ok || !strings.HasPrefix(file, "state/") {
			continue
		}
		switch f.Role {
		case state.Zip:
			if f.Version == 9 {
				delete(retried, file)
			}
		case state.Changelog:
			twin := path.Join(path.Dir(file), state.Name(f.Version, "00000000-0000-4000-8000-000000000000", state.Changelog))
			retried[twin] = &fstest.MapFile{Data: bytes.Clone(m.Data[:len(m.Data)/2])}
			if f.Version == 8 && strings.HasPrefix(file, "state/0/0/") {
				lost = file
			}
		}
	}
	if got := rowsOf(t, open(t, storage.FromFS(retried, name)), rowsRequest{Batch: 9, Partition: -1}); !slices.Equal(got, want) || len(got) < 5 {
		t.Errorf("%d rows, want %d: %q", len(got), len(want), got)
	}

	delete(retried, lost)
	for _, err := range rowsOfStore(t.Context(), open(t, storage.FromFS(retried, name)), rowsRequest{Batch: 9, Partition: 0}) {
		e, ok := errors.AsType[*MissingError](err)
		if !ok || len(e.Files) != 1 || e.Files[0] != lost {
			t.Errorf("without %s: %v", lost, err)
		}
	}
}
