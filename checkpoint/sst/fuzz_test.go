package sst

import (
	"bytes"
	"errors"
	"testing"

	"tidemark/checkpoint/decode"
)

// must is a test that an error is one of decoding, in this file and within it.
func must(t *testing.T, err error, size int) {
	t.Helper()
	if err == nil {
		return
	}
	if e, ok := errors.AsType[*decode.Error](err); !ok || e.File != "x.sst" || e.Offset < 0 || e.Offset > int64(size) || e.Flaw == "" {
		t.Fatalf("%#v: %v", err, err)
	}
}

// FuzzTable reads whatever is called a table in every way there is.
func FuzzTable(f *testing.F) {
	for _, data := range small(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			must(t, err, len(data))
			return
		}
		// A handle may stand many times in an index, so that a small file has many entries.
		n := 0
		for e, err := range table.Entries() {
			must(t, err, len(data))
			if n++; n > 10_000 {
				break
			}
			if err == nil && n < 10 {
				for _, err := range MergeKey(e.Key, table) {
					must(t, err, len(data))
				}
			}
		}
		for _, err := range MergePrefix(nil, table) {
			must(t, err, len(data))
			if n++; n > 20_000 {
				break
			}
		}
		for err := range table.Verify() {
			must(t, err, len(data))
			if n++; n > 30_000 {
				break
			}
		}
	})
}

// FuzzInside goes behind the checksums: what is in a block, packed or not, as entries and as an index.
func FuzzInside(f *testing.F) {
	f.Add([]byte("\x00000000000000000000"), byte(5), byte(0x7f)) // announces that it inflates to nothing
	for _, data := range small(f) {
		table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(table.top, byte(0), byte(5))
		f.Add(data[:min(len(data), 500)], byte(4), byte(5))
		f.Add(data[:min(len(data), 500)], byte(7), byte(1))
	}
	f.Fuzz(func(t *testing.T, content []byte, kind, format byte) {
		table := &Table{File: "x.sst", Size: 1 << 40, Format: int(format%formatLast) + 1}
		var inf inflater
		if kind != compressNone {
			inflated, flaw, err := inf.inflate(nil, kind, content, table.Format)
			if err != nil {
				if flaw == "" {
					t.Fatal(err)
				}
				return
			}
			content = inflated
		}
		it := table.entriesOf(content, 0, whatEntry)
		for n := 0; it.next(); n++ {
			if n > len(content) {
				t.Fatal("more entries than bytes")
			}
		}
		must(t, it.err, 0)
		mayHold(content, []byte("key"))
		for _, form := range []indexForm{{}, {delta: true}, {userKey: true, kind: indexFirstKey}, {delta: true, kind: indexFirstKey}} {
			var h handleIter
			h.start(table, content, 0, form)
			for n := 0; h.next(); n++ {
				if h.userKey(); n > len(content) {
					t.Fatal("more handles than bytes")
				}
			}
			must(t, h.err, 0)
		}
	})
}
