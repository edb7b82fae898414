package state

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"tidemark/checkpoint/decode"
)

// FuzzChanges reads any bytes as a file of each kind.
func FuzzChanges(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.data, byte(s.Role))
	}
	f.Fuzz(func(t *testing.T, data []byte, role byte) {
		fuzzed(t, data, Name(7, "", []Role{Delta, Snapshot, Changelog}[role%3]))
	})
}

// FuzzRecords reads any bytes as what is inside such a file: no checksum stands in the way there.
func FuzzRecords(f *testing.F) {
	for _, s := range samples(f) {
		if inner, _, err := Inflate(s.name, bytes.NewReader(s.data)); err == nil {
			plain, _ := io.ReadAll(inner)
			f.Add(plain, byte(s.Role))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, role byte) {
		fuzzed(t, lz4Stream(t, data), Name(7, "", []Role{Delta, Snapshot, Changelog}[role%3]))
	})
}

// fuzzed reads a file to its end: places never run back, keys and values stand within the file, and
// errors are of the kind that says what the bytes are.
func fuzzed(t *testing.T, data []byte, name string) {
	t.Helper()
	last := int64(-1)
	for ch, err := range read(name, bytes.NewReader(data)) {
		if err != nil {
			e, ok := errors.AsType[*decode.Error](err)
			if !ok || e.Flaw == "" || e.Offset < 0 || e.File == "" {
				t.Fatalf("%v", err)
			}
			continue
		}
		if ch.At <= last {
			t.Fatalf("a change at %d after one at %d", ch.At, last)
		}
		last = ch.At
		for _, form := range []RowSums{HDFSRowSums, RocksDBRowSums} {
			trimmed, problem := form.Trim(name, ch)
			if len(trimmed.Key) > len(ch.Key) || len(trimmed.Value) > len(ch.Value) {
				t.Fatalf("%d became longer: %v", form, problem)
			}
		}
	}
}
