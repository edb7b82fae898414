package statestore

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// A query that is restarted with row checksums turned on or off leaves files of both kinds in one chain,
// and each is read by what is in it. The files are Spark's own; every second one is written anew with
// checksums, or without those that it has.
func TestRowSumsOfMixedChains(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"state-4.3-hdfs-row-checksum", "state-4.3-hdfs-window-agg", "state-4.3-rockscl-window-agg", "state-4.3-rockscl-dedup"} {
		files := goldenFiles(t, name)
		want := rowsOf(t, open(t, storage.FromFS(files, name)), rowsRequest{Batch: -1, Partition: -1})
		if len(want) < 3 {
			t.Fatalf("%s: %q", name, want)
		}
		for _, odd := range []int64{0, 1} {
			mixed, changed := fstest.MapFS{}, 0
			for file, m := range files {
				if f, ok := state.ParseName(path.Base(file)); ok && strings.HasPrefix(file, "state/") && f.Role != state.Zip && f.Version%2 == odd {
					m = &fstest.MapFile{Data: []byte(turned(t, file, f.Role, m.Data))}
					changed++
				}
				mixed[file] = m
			}
			for _, setting := range []string{"true", "false"} {
				for file, m := range mixed {
					if strings.HasPrefix(file, "offsets/") {
						other := map[string]string{"true": "false", "false": "true"}[setting]
						data := bytes.Replace(m.Data, []byte(`rowChecksum.enabled":"`+other), []byte(`rowChecksum.enabled":"`+setting), 1)
						mixed[file] = &fstest.MapFile{Data: data}
					}
				}
				c := open(t, storage.FromFS(mixed, name))
				if s, err := At(t.Context(), c, 0, -1); err != nil || s.Conf[confRowChecksum] != setting {
					t.Fatalf("%s: the setting is %q, want %s (%v)", name, s.Conf[confRowChecksum], setting, err)
				}
				if got := rowsOf(t, c, rowsRequest{Batch: -1, Partition: -1}); !slices.Equal(got, want) || changed < 4 {
					t.Errorf("%s, %d files turned, setting %s: %d rows, want %d: %.300q", name, changed, setting, len(got), len(want), got)
				}
			}
		}
	}
}

// turned is a delta, snapshot or changelog without column families whose rows have checksums where they
// had none, and none where they had some.
func turned(t *testing.T, file string, role state.Role, data []byte) string {
	t.Helper()
	inflated, codec, err := state.Inflate(file, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	form := state.RowSumsOf(role)
	sum := func(key, value []byte) []byte {
		return binary.LittleEndian.AppendUint32(nil, crc32.Checksum(slices.Concat(key, value), crc32.MakeTable(crc32.Castagnoli)))
	}
	var records []string
	for ch, err := range state.Changes(codec.In(file), inflated) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case form.Fits(ch):
			ch, _ = form.Trim(file, ch)
		case ch.Op == state.Delete:
			ch.Key = append(sum(nil, ch.Key), ch.Key...)
		case role.RocksDB():
			ch.Value = slices.Concat(sum(ch.Key, ch.Value), binary.LittleEndian.AppendUint32(nil, uint32(len(ch.Value))), ch.Value)
		default:
			ch.Value = append(sum(ch.Key, ch.Value), ch.Value...)
		}
		if ch.Op == state.Delete {
			records = append(records, deleteRecord(string(ch.Key)))
		} else {
			records = append(records, putRecord(string(ch.Key), string(ch.Value)))
		}
	}
	return deltaOf(records...)
}
