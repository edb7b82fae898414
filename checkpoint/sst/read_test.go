package sst

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// counting counts the reads of a file.
type counting struct {
	data  []byte
	reads int
	bytes int
	fail  int // the read that fails, from 1; 0 for none
}

var errLine = errors.New("the line went dead")

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.reads++
	if c.reads == c.fail {
		return 0, errLine
	}
	n, err := bytes.NewReader(c.data).ReadAt(p, off)
	c.bytes += n
	return n, err
}

// build writes a table of format 5 with n keys, uncompressed, as RocksDB lays one out: key 0, step,
// 2·step… It is for size: what the format is, the tables of RocksDB and Spark say.
func build(n, step int) []byte {
	var file, index bytes.Buffer
	block := func(content []byte) handle {
		h := handle{int64(file.Len()), int64(len(content))}
		file.Write(content)
		file.WriteByte(0)
		file.Write(le32(sum(checksumXXH3, content, 0)))
		return h
	}
	entry := func(b *bytes.Buffer, key string, value []byte) {
		b.Write([]byte{0, byte(len(key))})
		b.Write(uvarint(uint64(len(value))))
		b.WriteString(key)
		b.Write(value)
	}
	var data bytes.Buffer
	var restarts []byte
	finish := func(b *bytes.Buffer) []byte {
		b.Write(restarts)
		b.Write(le32(uint32(len(restarts) / 4)))
		restarts = nil
		return b.Bytes()
	}
	var indexed []byte
	for i := range n {
		restarts = append(restarts, le32(uint32(data.Len()))...)
		key := fmt.Sprintf("key-%010d", i*step)
		entry(&data, key+"\x01"+string([]byte{byte(step)})+"\x00\x00\x00\x00\x00\x00", bytes.Repeat([]byte{byte(i)}, 80))
		if data.Len() > 4096 || i == n-1 {
			h := block(finish(&data))
			data.Reset()
			indexed = append(indexed, le32(uint32(index.Len()))...)
			index.Write([]byte{0, byte(len(key))})
			index.WriteString(key)
			index.Write(uvarint(uint64(h.offset)))
			index.Write(uvarint(uint64(h.size)))
		}
	}
	restarts = indexed
	top := block(finish(&index))
	var props bytes.Buffer
	entry(&props, "rocksdb.index.key.is.user.key", []byte{1})
	entry(&props, "rocksdb.index.value.is.delta.encoded", []byte{1})
	entry(&props, "rocksdb.num.entries", uvarint(uint64(n)))
	described := block(finish(&props))
	var meta bytes.Buffer
	entry(&meta, "rocksdb.properties", append(uvarint(uint64(described.offset)), uvarint(uint64(described.size))...))
	named := block(finish(&meta))
	footer := make([]byte, 0, footerSize)
	footer = append(footer, checksumXXH3)
	for _, v := range []int64{named.offset, named.size, top.offset, top.size} {
		footer = append(footer, uvarint(uint64(v))...)
	}
	footer = append(append(footer, make([]byte, 41-len(footer))...), 5, 0, 0, 0, 0xf7, 0xcf, 0xf4, 0x85, 0xb7, 0x41, 0xe2, 0x88)
	file.Write(footer)
	return file.Bytes()
}

func le32(v uint32) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)} }

func uvarint(v uint64) (b []byte) {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// TestFewReads: a file is read in large pieces, and a key costs few of them.
func TestFewReads(t *testing.T) {
	t.Parallel()
	c := &counting{data: build(100_000, 1)}
	size := int64(len(c.data))
	table, err := Open("big.sst", c, size)
	if err != nil {
		t.Fatal(err)
	}
	if c.reads > 2 || int64(c.bytes) > size/20 {
		t.Errorf("opening read %d bytes in %d reads, of %d", c.bytes, c.reads, size)
	}
	before := *c
	n := 0
	for live, err := range MergeKey([]byte("key-0000054321"), table) {
		if err != nil || string(live.Value[:1]) != string([]byte{54321 & 0xff}) {
			t.Fatal(live, err)
		}
		n++
	}
	if reads, bytes := c.reads-before.reads, c.bytes-before.bytes; n != 1 || reads != 1 || bytes > 5000 {
		t.Errorf("finding %d keys took %d reads of %d bytes", n, reads, bytes)
	}
	before = *c
	n = 0
	for _, err := range MergePrefix([]byte("key-0000054321"), table) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if reads, bytes := c.reads-before.reads, c.bytes-before.bytes; n != 1 || reads > 2 || bytes > 20_000 {
		t.Errorf("merging %d keys took %d reads of %d bytes", n, reads, bytes)
	}
	before = *c
	n = 0
	for _, err := range table.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if reads := c.reads - before.reads; n != 100_000 || int64(reads) > size/readAhead+2 {
		t.Errorf("%d entries took %d reads", n, reads)
	}
	// A small file is one read in all.
	small := &counting{data: build(100, 1)}
	table, err = Open("small.sst", small, int64(len(small.data)))
	if err != nil {
		t.Fatal(err)
	}
	for err := range table.Verify() {
		t.Error(err)
	}
	if small.reads != 1 {
		t.Errorf("a file of %d bytes took %d reads", len(small.data), small.reads)
	}
}

// TestReadErrors: an error of reaching the bytes comes through as it is, and ends what it happened in.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	data := build(20_000, 1)
	for fail := 1; ; fail++ {
		c := &counting{data: data, fail: fail}
		var got []error
		table, err := Open("x.sst", c, int64(len(data)))
		if err != nil {
			got = append(got, err)
		} else {
			for err := range table.Verify() {
				got = append(got, err)
			}
			for _, err := range MergePrefix(nil, table) {
				if err != nil {
					got = append(got, err)
				}
			}
		}
		if c.reads < fail {
			if fail < 10 {
				t.Errorf("only %d reads", fail)
			}
			return
		}
		if len(got) != 1 || !errors.Is(got[0], errLine) {
			t.Fatalf("read %d fails: %v", fail, got)
		}
	}
}

func BenchmarkEntries(b *testing.B) {
	data := build(100_000, 1)
	table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, err := range table.Entries() {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mentries/s")
}

func BenchmarkMerge(b *testing.B) {
	tables := three(b, 50_000)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, err := range MergePrefix(nil, tables...) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mkeys/s")
}

// three are tables of n keys each, which share some of them.
func three(t testing.TB, n int) (tables []*Table) {
	t.Helper()
	for step := range 3 {
		data := build(n, step+1)
		table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	return tables
}

// TestMemoryStays: ten times the keys take no more memory, but for what an index needs.
func TestMemoryStays(t *testing.T) {
	for _, n := range []int{3_000, 30_000} {
		tables := three(t, n)
		allocs := testing.AllocsPerRun(1, func() {
			keys := 0
			for _, err := range MergePrefix(nil, tables...) {
				if err != nil {
					t.Fatal(err)
				}
				keys++
			}
			// Multiples of 1, 2 and 3 below n, and those of 2 and 3 up to twice and three times as far.
			if keys < n*5/3 || keys > n*3 {
				t.Fatalf("%d keys of three times %d", keys, n)
			}
		})
		if allocs > 60 {
			t.Errorf("%d keys a table: %.0f allocations", n, allocs)
		}
	}
}
