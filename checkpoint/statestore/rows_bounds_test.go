package statestore

import (
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
)

// bytesOf are the files of a golden.
func bytesOf(t testing.TB, name string) map[string][]byte {
	files := map[string][]byte{}
	for file, m := range goldenFiles(t, name) {
		files[file] = m.Data
	}
	return files
}

// TestSettingsOfADamagedPlan: what a plan does not tell another one tells, for settings are pinned for good.
// Where none tells nothing is read: it would be guessed how rows are encoded.
func TestSettingsOfADamagedPlan(t *testing.T) {
	t.Parallel()
	files := bytesOf(t, "state-4.3-hdfs-row-checksum")
	at := reading{operator: 0, partition: -1, batch: 1}
	want, errs := rowsAt(t.Context(), inMemory(files), at)
	if len(errs) > 0 || len(want) == 0 {
		t.Fatal(len(want), errs)
	}
	cut := maps.Clone(files)
	cut["offsets/1"] = cut["offsets/1"][:400]
	if rows, errs := rowsAt(t.Context(), inMemory(cut), at); strings.Join(rows, "\n") != strings.Join(want, "\n") || len(errs) > 0 {
		t.Errorf("with another plan: %d rows, want %d, %v", len(rows), len(want), errs)
	}
	for name := range files {
		if strings.HasPrefix(name, "offsets/") {
			cut[name] = cut["offsets/1"]
		}
	}
	rows, errs := rowsAt(t.Context(), inMemory(cut), at)
	if e, ok := errors.AsType[*decode.Error](errors.Join(errs...)); len(rows) > 0 || !ok || e.File != "offsets/1" {
		t.Errorf("without any plan: %d rows, %v", len(rows), errs)
	}
}

// TestViewsBesideABrokenSchema: with one side of a join unknown, the other is not taken for the only one, and
// who asks for the lost one is told what became of it.
func TestViewsBesideABrokenSchema(t *testing.T) {
	t.Parallel()
	const schema = "state/0/0/left-keyToNumValues/_metadata/schema"
	files := bytesOf(t, "state-4.3-hdfs-join-inner")
	files[schema] = files[schema][:50]
	c, err := checkpoint.Open(t.Context(), inMemory(files))
	if err != nil {
		t.Fatal(err)
	}
	s, err := At(t.Context(), c, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "left"} {
		v, err := s.View(name)
		if e, ok := errors.AsType[*decode.Error](err); !ok || e.File != schema || !strings.Contains(err.Error(), "right") {
			t.Errorf("%q is %+v, %v", name, v, err)
		}
	}
	if v, err := s.View("right"); err != nil || v.Name != "right" {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestASnapshotThatNothingStandsInFor: where a broken snapshot cannot be done without, the error is about it.
func TestASnapshotThatNothingStandsInFor(t *testing.T) {
	t.Parallel()
	files := bytesOf(t, "state-4.3-rockscl-tws-ttl")
	for name, data := range files {
		if strings.HasSuffix(name, ".zip") {
			files[name] = data[:len(data)/2]
		}
	}
	_, errs := rowsAt(t.Context(), inMemory(files), reading{operator: 0, partition: 0, batch: 3})
	for _, err := range errs {
		if e, ok := errors.AsType[*decode.Error](err); !ok || !strings.HasSuffix(e.File, ".zip") {
			t.Errorf("%v", err)
		}
	}
	if len(errs) == 0 {
		t.Error("no error")
	}
}

// TestAPartitionOfAnyNumber: a folder is named with the largest number there is. It is gone to, and memory for
// all below it is not asked for.
func TestAPartitionOfAnyNumber(t *testing.T) {
	files := bytesOf(t, "state-4.3-hdfs-dedup")
	const far = "state/0/2147483647/"
	for name, data := range maps.Clone(files) {
		if strings.HasPrefix(name, "state/0/0/") {
			files[far+strings.TrimPrefix(name, "state/0/0/")] = data
		}
	}
	c, err := checkpoint.Open(t.Context(), inMemory(files))
	if err != nil {
		t.Fatal(err)
	}
	at, err := At(t.Context(), c, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	before := allocated()
	ids, err := at.wanted(-1)
	if err != nil || len(ids) != mostPartitions+1 || ids[len(ids)-1] != 2147483647 {
		t.Errorf("%d partitions, %v", len(ids), err)
	}
	if grown := allocated() - before; grown > 64<<20 {
		t.Errorf("%d MB were allocated", grown>>20)
	}
	rows := 0
	for _, err := range at.Rows(t.Context(), &at.Views[0], 2147483647) {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	if rows == 0 {
		t.Error("no rows of the last")
	}
}

// allocated is how many bytes were allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
