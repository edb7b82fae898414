package statestore

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// TestRecordedKeepsItsPlaceWhereOneCannotBeRead: a snapshot that cannot be read says why, and the others come.
func TestRecordedKeepsItsPlaceWhereOneCannotBeRead(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"state/0/0/1.zip": {Data: []byte("no zip")}, "state/0/0/3.zip": {Data: make([]byte, 100)}}
	c := open(t, storage.FromFS(fsys, "x"))
	var files []File
	for v := range int64(3) {
		files = append(files, File{"state/0/0", state.File{Version: v + 1, Role: state.Zip}})
	}
	var got []Recorded
	for r, err := range ReadRecorded(t.Context(), c, slices.Values(files), 50) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Keys != -1 || r.Version != int64(len(got)+1) {
			t.Errorf("%+v", r)
		}
		got = append(got, r)
	}
	if len(got) != 3 {
		t.Fatalf("%d of 3", len(got))
	}
	if _, bad := errors.AsType[*decode.Error](got[0].Err); !bad {
		t.Errorf("not a zip: %v", got[0].Err)
	}
	if !errors.Is(got[1].Err, fs.ErrNotExist) {
		t.Errorf("not there: %v", got[1].Err)
	}
	if _, large := errors.AsType[*storage.TooLargeError](got[2].Err); !large {
		t.Errorf("too large: %v", got[2].Err)
	}
}
