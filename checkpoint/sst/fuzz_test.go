package sst

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
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
		mayHold(content, content[:min(len(content), int(kind))])
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

// FuzzMerge makes two tables of any entries and merges them: what comes is what the rules say, for all keys, for
// those with a prefix, and for each by itself. An entry is taken from two bytes: which table, key and type, and
// a value; sequence numbers count down.
func FuzzMerge(f *testing.F) {
	f.Add([]byte{0x01, 'a', 0x82, 'b', 0x02, 'c', 0x90, 'd'})
	f.Add([]byte{0x02, 'x', 0x82, 'y', 0x00, 'z', 0x01, 'w', 0x82, 'v', 0x07, 'u'})
	f.Fuzz(func(t *testing.T, data []byte) {
		var held [2][]Entry
		kinds := []Type{Delete, Put, Merge, SingleDelete}
		for i := 0; i+1 < len(data) && i < 128; i += 2 {
			n := len(data) - i
			table := data[i] >> 7
			held[table] = append(held[table], Entry{Key: []byte{'a', 'a' + data[i]>>2&7}, Seq: uint64(n), Type: kinds[data[i]&3], Value: data[i+1 : i+2]})
		}
		var tables []*Table
		for _, entries := range held {
			if len(entries) > 0 {
				file := crafted(blockOf(entries), compressNone, pointing)
				table, err := Open("x.sst", bytes.NewReader(file), int64(len(file)))
				if err != nil {
					t.Fatal(err)
				}
				tables = append(tables, table)
			}
		}
		want := expected(slices.Concat(held[0], held[1]))
		tellAll := func(all iter.Seq2[Live, error]) (told string) {
			for live, err := range all {
				if err != nil {
					t.Fatal(err)
				}
				told += fmt.Sprintf("%s=%s\n", live.Key, joined(live))
			}
			return told
		}
		if got := tellAll(MergePrefix(nil, tables...)); got != inOrder(want) {
			t.Fatalf("got\n%swant\n%s", got, inOrder(want))
		}
		for k := range byte(8) {
			key := string([]byte{'a', 'a' + k})
			if got := tellAll(MergePrefix([]byte(key), tables...)); got != want[key] {
				t.Fatalf("of %s: got %q, want %q", key, got, want[key])
			}
			if got := tellAll(MergeKey([]byte(key), tables...)); got != want[key] {
				t.Fatalf("%s alone: got %q, want %q", key, got, want[key])
			}
		}
	})
}

// blockOf is a data block of entries, in their order.
func blockOf(entries []Entry) []byte {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(bytes.Compare(a.Key, b.Key), cmp.Compare(b.Seq, a.Seq)) })
	var b []byte
	for _, e := range entries {
		b = append(b, 0, byte(len(e.Key)+trailerKey), byte(len(e.Value)))
		b = append(b, e.Key...)
		b = binary.LittleEndian.AppendUint64(b, e.Seq<<8|uint64(e.Type))
		b = append(b, e.Value...)
	}
	return append(b, 0, 0, 0, 0, 1, 0, 0, 0)
}

// expected are the live keys of entries, each as a line.
func expected(entries []Entry) map[string]string {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(b.Seq, a.Seq) })
	lines := map[string]string{}
	for _, key := range entries {
		var parts []string
		for _, e := range entries {
			if !bytes.Equal(e.Key, key.Key) {
				continue
			}
			if e.Type == Put || e.Type == Merge {
				parts = append([]string{string(e.Value)}, parts...)
			}
			if e.Type != Merge {
				break
			}
		}
		if parts != nil {
			lines[string(key.Key)] = fmt.Sprintf("%s=%s\n", key.Key, strings.Join(parts, ","))
		}
	}
	return lines
}

func inOrder(lines map[string]string) (all string) {
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		all += lines[key]
	}
	return all
}
