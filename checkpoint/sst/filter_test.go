package sst

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
)

// filtered are the tables of testdata/filters.tar.gz, which testdata/Filters.java made with RocksDB itself:
// name → bytes.
func filtered(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, data := range files(t, "testdata/filters.tar.gz") {
		if strings.HasSuffix(name, ".sst") {
			all[strings.TrimSuffix(path.Base(name), ".sst")] = data
		}
	}
	if len(all) < 15 {
		t.Fatalf("%d tables", len(all))
	}
	return all
}

// lacking asks the filter of a table for every key that it has, which it must not lack, and gives how many
// there are.
func lacking(t *testing.T, name string, table *Table) (keys int) {
	t.Helper()
	for e, err := range table.Entries() {
		if err != nil {
			t.Fatal(name, err)
		}
		lacks, err := table.lacks(e.Key)
		if err != nil {
			t.Fatal(name, err)
		}
		if lacks {
			t.Errorf("%s: the filter lacks the key %x of %d bytes, which is there", name, e.Key, len(e.Key))
		}
		keys++
	}
	return keys
}

// leftOpen is how many of n random keys of low to high bytes the filter leaves open.
func leftOpen(t *testing.T, table *Table, r *rand.ChaCha8, n, low, high int) (open int) {
	t.Helper()
	key := make([]byte, high)
	for range n {
		k := key[:low+int(r.Uint64()%uint64(high-low+1))]
		r.Read(k)
		lacks, err := table.lacks(k)
		if err != nil {
			t.Fatal(err)
		}
		if !lacks {
			open++
		}
	}
	return open
}

// TestFilters: no filter lacks a key that is in its table, and of others it lacks nearly all, for keys of
// every length that its hash tells apart. A filter that is of no use says nothing.
func TestFilters(t *testing.T) {
	t.Parallel()
	lengths := [][2]int{{2, 3}, {4, 8}, {9, 16}, {17, 128}, {129, 240}, {241, 300}, {1000, 2200}}
	for name, data := range filtered(t) {
		table, err := Open(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for err := range table.Verify() {
			t.Error(err)
		}
		if n := lacking(t, name, table); n < 900 {
			t.Errorf("%s: only %d keys", name, n)
		}
		n, least, most := 2000, 0, 50 // 2.5 in 100, with 10 bits a key
		switch {
		case strings.HasPrefix(name, "whole-"):
			n, most = 10_000, 250
		case strings.HasPrefix(name, "silent-"):
			least, most = n, n
		case name == "bits-3":
			most = 600
		case name == "bits-20":
			most = 6
		}
		r := rand.NewChaCha8([32]byte{1})
		for _, l := range lengths {
			if open := leftOpen(t, table, r, n, l[0], l[1]); open < least || open > most {
				t.Errorf("%s: of %d keys of %d to %d bytes that are not there %d are left open", name, n, l[0], l[1], open)
			}
		}
	}
}

// TestFiltersOfSpark: the filter of a table that Spark wrote lacks none of its keys, and most others.
func TestFiltersOfSpark(t *testing.T) {
	t.Parallel()
	filters, keys, open := 0, 0, 0
	r := rand.NewChaCha8([32]byte{1})
	for _, archive := range goldens(t) {
		if strings.Contains(archive, "-damage-") {
			continue
		}
		for name, data := range files(t, archive) {
			if !strings.HasSuffix(name, ".sst") {
				continue
			}
			table, err := Open(name, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			keys += lacking(t, archive+" "+name, table)
			if _, ok := table.named[filterWhole+filterNames[0]]; !ok {
				continue // Spark 3.3 writes another kind
			}
			if filters++; filters%10 == 0 {
				open += leftOpen(t, table, r, 1000, 20, 100)
			}
		}
	}
	if filters < 430 || keys < 2000 || open > filters/10*20 {
		t.Errorf("%d filters with %d keys; they leave %d in %d keys open that are not there", filters, keys, open, filters/10*1000)
	}
}

// TestFilterSavesBlocks: of the tables whose filter lacks a key nothing is read, and of the one that has
// it one block.
func TestFilterSavesBlocks(t *testing.T) {
	t.Parallel()
	all := filtered(t)
	var files []*counting
	var tables []*Table
	for i := range 4 {
		c := &counting{data: all[fmt.Sprintf("large-%d", i)]}
		table, err := Open("large.sst", c, int64(len(c.data)))
		if err != nil {
			t.Fatal(err)
		}
		files, tables = append(files, c), append(tables, table)
	}
	find := func(key string) (keys, reads, size int) {
		for _, c := range files {
			c.reads, c.bytes = 0, 0
		}
		for _, err := range MergeKey([]byte(key), tables...) {
			if err != nil {
				t.Fatal(err)
			}
			keys++
		}
		for _, c := range files {
			reads, size = reads+c.reads, size+c.bytes
		}
		return keys, reads, size
	}
	for _, filters := range []bool{true, false} {
		for _, table := range tables {
			table.wholeKeys = filters
		}
		found, lost := 0, 0
		for n := range 100 {
			keys, reads, size := find(fmt.Sprintf("key-%06d", n*79))
			if keys != 1 || size > reads*5000 {
				t.Fatalf("%d keys of one took %d reads of %d bytes", keys, reads, size)
			}
			found += reads
			keys, reads, _ = find(fmt.Sprintf("key-%06d-", n*79))
			if keys != 0 {
				t.Fatalf("%d keys of none", keys)
			}
			lost += reads
		}
		// One of 100 filters leaves a key open that is not there.
		switch {
		case filters && (found < 95 || found > 110 || lost > 15): // some blocks were read with the end of the file
			t.Errorf("100 keys that are there took %d reads, 100 that are not %d", found, lost)
		case !filters && (found < 370 || lost < 370):
			t.Errorf("without filters 100 keys that are there took %d reads, 100 that are not %d: this test proves nothing", found, lost)
		}
	}
}

// TestFilterTooLarge: a filter that is larger than the block it could save is not read.
func TestFilterTooLarge(t *testing.T) {
	t.Parallel()
	data := filtered(t)["large-0"]
	c := &counting{data: data}
	table, err := Open("large.sst", c, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	h := table.named[filterWhole+filterNames[0]]
	table.tail = window{t: table}
	c.reads = 0
	table.Properties.DataSize = h.size * table.Properties.DataBlocks
	if lacks, err := table.lacks([]byte("absent")); !lacks || err != nil || c.reads != 1 {
		t.Errorf("a filter as large as a block: %v, %v, %d reads", lacks, err, c.reads)
	}
	table.Properties.DataSize -= table.Properties.DataBlocks
	h.size = table.blockSize() + 1
	table.named[filterWhole+filterNames[0]] = h
	if lacks, err := table.lacks([]byte("absent")); lacks || err != nil || c.reads != 1 {
		t.Errorf("a larger filter: %v, %v, %d reads", lacks, err, c.reads)
	}
}

// TestFilterDamaged: a filter with a changed bit is not believed, whichever bit it is, and its keys are
// found.
func TestFilterDamaged(t *testing.T) {
	t.Parallel()
	all := filtered(t)
	for _, name := range []string{"whole-5", "whole-4", "parts-5", "parts-4"} {
		data := bytes.Clone(all[name])
		table, err := Open(name, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for live, err := range MergePrefix(nil, table) {
			if err != nil {
				t.Fatal(err)
			}
			want[string(live.Key)] = true
		}
		for metaName, h := range table.named {
			if strings.Contains(metaName, "filter.") {
				clear(data[h.offset : h.offset+h.size-filterEnd])
			}
		}
		if table, err = Open(name, bytes.NewReader(data), int64(len(data))); err != nil {
			t.Fatal(err)
		}
		told := 0
		for range table.Verify() {
			told++
		}
		if told != 1 {
			t.Errorf("%s: %d things are told of the filter", name, told)
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			found := false
			for live, err := range MergeKey([]byte(key), table) {
				if err != nil {
					t.Fatal(err)
				}
				found = string(live.Key) == key
			}
			if !found {
				t.Fatalf("%s: the key %x is not found", name, key)
			}
		}
	}
}

// TestFilterOfOtherKinds: what is not known here leaves every key open.
func TestFilterOfOtherKinds(t *testing.T) {
	t.Parallel()
	zeros := make([]byte, 64)
	key := []byte("key")
	if mayHold(append(zeros[:64:64], 0xff, 0, 6, 0, 0), key) || mayHold(append(zeros[:64:64], 6, 1, 0, 0, 0), key) {
		t.Fatal("no bit is set, and the key may be there")
	}
	for _, end := range []string{
		"\xfe\x00\x06\x00\x00", // a ribbon filter
		"\xff\x01\x06\x00\x00", // another layout
		"\xff\x00\x26\x00\x00", // larger lines
		"\xff\x00\x00\x00\x00", // no bits a key
		"\xff\x00\x1f\x00\x00", // reserved
		"\xff\x00\x06\x01\x00", // a seed
		"\x00\x01\x00\x00\x00", // no bits a key
		"\x80\x01\x00\x00\x00", // reserved
		"\x06\x00\x00\x00\x00", // no lines
		"\x06\x03\x00\x00\x00", // lines of no whole number of bytes
		"\x06\xff\xff\xff\xff", // more lines than bytes
	} {
		if !mayHold(append(zeros[:64:64], end...), key) {
			t.Errorf("%x: the key is said to lack", end)
		}
	}
	if !mayHold(append(zeros[:48:48], "\x06\x01\x00\x00\x00"...), key) || !mayHold(append(zeros[:32:32], "\xff\x00\x06\x00\x00"...), key) {
		t.Error("lines of an odd size are read")
	}
	for n := range filterEnd + 1 {
		if !mayHold(zeros[:n], key) {
			t.Errorf("%d bytes: the key is said to lack", n)
		}
	}
}
