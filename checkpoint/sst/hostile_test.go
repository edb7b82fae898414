package sst

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tidemark/checkpoint/decode"
)

// crafted is a table whose one data block and whose index are what a test wants, with checksums that fit: kind
// is how the data block says that it is compressed.
func crafted(data []byte, kind byte, index func(data handle) []byte) []byte {
	return craftedWith([]byte{0, 0, 0, 0}, data, kind, index)
}

// craftedWith has this metaindex, too.
func craftedWith(metaindex, data []byte, kind byte, index func(data handle) []byte) []byte {
	var file bytes.Buffer
	block := func(content []byte, kind byte) handle {
		h := handle{int64(file.Len()), int64(len(content))}
		file.Write(content)
		file.WriteByte(kind)
		file.Write(le32(sum(checksumXXH3, content, kind)))
		return h
	}
	top := block(index(block(data, kind)), compressNone)
	meta := block(metaindex, compressNone)
	footer := []byte{checksumXXH3}
	for _, v := range []int64{meta.offset, meta.size, top.offset, top.size} {
		footer = append(footer, uvarint(uint64(v))...)
	}
	footer = append(append(footer, make([]byte, 41-len(footer))...), 5, 0, 0, 0, 0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88)
	file.Write(footer)
	return file.Bytes()
}

// pointing is an index with one entry, whose handle is this.
func pointing(h handle) []byte {
	b := append([]byte{0, 1, 'z'}, append(uvarint(uint64(h.offset)), uvarint(uint64(h.size))...)...)
	return append(b, 0, 0, 0, 0, 1, 0, 0, 0)
}

// TestHostileLengths reads tables that claim more than they hold: each ends in an error, and takes little
// memory.
func TestHostileLengths(t *testing.T) {
	varint := func(v uint64) string { return string(binary.AppendUvarint(nil, v)) }
	restart := "\x00\x00\x00\x00\x01\x00\x00\x00"
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	bomb := string(w.EncodeAll(make([]byte, 256<<20), nil))
	own := func(h handle) []byte { return pointing(h) }
	at := func(h handle) func(handle) []byte { return func(handle) []byte { return pointing(h) } }
	for _, c := range []struct {
		story string
		data  string
		kind  byte
		index func(handle) []byte
	}{
		{"a handle of four exabytes", "x", 0, at(handle{0, 1 << 62})},
		{"a handle at the end of all numbers", "x", 0, at(handle{math.MaxInt64, math.MaxInt64})},
		{"a handle behind the file", "x", 0, at(handle{1 << 40, 1 << 40})},
		{"a key of two gigabytes", "\x00" + varint(1<<31) + "\x00k" + restart, 0, own},
		{"a value of four exabytes", "\x00\x09" + varint(1<<62) + "k" + restart, 0, own},
		{"a shared key of two gigabytes", varint(1<<31) + "\x09\x00k" + restart, 0, own},
		{"two billion restarts", "\x00\x00\x00\xff\xff\xff\x7f", 0, own},
		{"a hash index of 64 KiB", "\xff\xff\x01\x00\x00\x80", 0, own},
		{"LZ4 of two gigabytes", varint(1<<31) + "abc", compressLZ4, own},
		{"LZ4 of 64 MiB", varint(64<<20) + "abc", compressLZ4, own},
		{"Snappy of four gigabytes", "\xff\xff\xff\xff\x0fabc", compressSnappy, own},
		{"Snappy of 64 MiB", varint(64<<20) + "abc", compressSnappy, own},
		{"zstd of an exabyte", varint(1<<60) + bomb[:10], compressZSTD, own},
		{"zstd of 256 MiB that says 10", varint(10) + bomb, compressZSTD, own},
		{"zstd with a window of two gigabytes", varint(10) + "\x28\xb5\x2f\xfd\x00\xa8" + strings.Repeat("\x00", 100), compressZSTD, own},
		{"zlib without end", varint(1<<40) + "abc", compressZlib, own},
		{"bzip2 of 64 MiB", varint(64<<20) + "BZh9", compressBzip2, own},
	} {
		file := crafted([]byte(c.data), c.kind, c.index)
		var found []error
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found = append(found, problems(file)...)
		table, err := Open("x.sst", bytes.NewReader(file), int64(len(file)))
		if err == nil {
			for _, err := range MergePrefix(nil, table) {
				if err != nil {
					found = append(found, err)
				}
			}
		}
		runtime.ReadMemStats(&after)
		real := 0
		for _, err := range found {
			if e, ok := errors.AsType[*decode.Error](err); ok && !strings.Contains(e.Error(), "rocksdb.properties") {
				real++
			}
		}
		if real == 0 {
			t.Errorf("%s: %v", c.story, found)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
			t.Errorf("%s: %.1f MB allocated for a file of %d bytes: %v", c.story, float64(taken)/1e6, len(file), found)
		}
	}
	// What is crafted reads where nothing is wrong.
	good := crafted([]byte("\x00\x09\x01k\x01\x01\x00\x00\x00\x00\x00\x00v"+restart), 0, own)
	if table, err := Open("x.sst", bytes.NewReader(good), int64(len(good))); err != nil {
		t.Error(err)
	} else {
		for live, err := range MergePrefix(nil, table) {
			if err != nil || string(live.Key) != "k" || string(live.Value) != "v" {
				t.Errorf("%+v, %v", live, err)
			}
		}
	}
	footer := bytes.Clone(good)
	copy(footer[len(footer)-footerSize+1:], binary.AppendUvarint(binary.AppendUvarint(nil, 1<<62), 1<<62))
	if _, err := Open("x.sst", bytes.NewReader(footer), int64(len(footer))); err == nil {
		t.Error("a metaindex of four exabytes")
	}
}

// TestHostileNames: ten thousand names share a megabyte in the file. None of them is kept.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("n", 1<<20)
	names := append(append([]byte{0}, uvarint(uint64(len(long)))...), 2)
	names = append(append(names, long...), 0, 1)
	for i := range metaMax {
		names = append(append(names, uvarint(uint64(len(long)))...), 2, 2, byte(i), byte(i>>8), 0, 1)
	}
	file := craftedWith(append(names, 0, 0, 0, 0, 1, 0, 0, 0), []byte("x"), compressNone, pointing)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Open("x.sst", bytes.NewReader(file), int64(len(file)))
	runtime.ReadMemStats(&after)
	if e, ok := errors.AsType[*decode.Error](err); !ok || !strings.Contains(e.Error(), "more than 1024 bytes") {
		t.Errorf("%v", err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("%d bytes allocated for a file of %d", taken, len(file))
	}
}

// TestHostileRanges: range deletions that share a megabyte are told, and not kept.
func TestHostileRanges(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("k", 1<<20) + "\x0f\x01\x00\x00\x00\x00\x00\x00"
	ranges := append(append([]byte{0}, uvarint(uint64(len(key)))...), 1)
	ranges = append(append(ranges, key...), 'z')
	for range 1000 {
		ranges = append(append(ranges, uvarint(uint64(len(key)))...), 0, 1, 'z')
	}
	ranges = append(ranges, 0, 0, 0, 0, 1, 0, 0, 0)
	meta := append([]byte{0, 17}, append(uvarint(uint64(len(uvarint(0))+len(uvarint(uint64(len(ranges)))))), "rocksdb.range_del"...)...)
	meta = append(append(append(meta, uvarint(0)...), uvarint(uint64(len(ranges)))...), 0, 0, 0, 0, 1, 0, 0, 0)
	file := craftedWith(meta, ranges, compressNone, pointing)
	table, err := Open("x.sst", bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := table.RangeDeletions()
	if e, ok := errors.AsType[*decode.Error](err); !ok || e.Flaw != decode.TooLarge || len(all) == 0 || len(all) > rangeBytes>>20 {
		t.Errorf("%d, %v", len(all), err)
	}
}
