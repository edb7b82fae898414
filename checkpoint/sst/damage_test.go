package sst

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tidemark/checkpoint/decode"
)

// problems are all errors of opening and verifying a table.
func problems(data []byte) (all []error) {
	table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return []error{err}
	}
	return slices.Collect(table.Verify())
}

// small are tables worth damaging everywhere: one of Spark's own, and of each form that is written
// another way.
func small(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, data := range files(t, "../../testdata/golden/state-4.3-rocks-join-v3.tar.gz") {
		if strings.HasSuffix(name, ".sst") {
			all["spark"] = data
		}
	}
	databases := made(t)
	for _, name := range []string{"index-two-levels-5", "index-first-key-6", "range-deletions-6", "packed-zstd_compression"} {
		all[name] = databases[name]["000011.sst"]
	}
	for name, data := range all {
		if found := problems(data); len(data) == 0 || len(found) > 0 {
			t.Fatalf("%s: %d bytes, %v", name, len(data), found)
		}
	}
	return all
}

// TestCut: a table that ends early never reads as a whole one.
func TestCut(t *testing.T) {
	t.Parallel()
	for name, data := range small(t) {
		for n := range data {
			found := problems(data[:n])
			if len(found) == 0 {
				t.Fatalf("%s cut at %d of %d: nothing found", name, n, len(data))
			}
			if _, ok := errors.AsType[*decode.Error](found[0]); !ok {
				t.Fatalf("%s cut at %d: %v is no *decode.Error", name, n, found[0])
			}
		}
	}
}

// TestFlipped: one wrong bit anywhere is found.
func TestFlipped(t *testing.T) {
	t.Parallel()
	for name, data := range small(t) {
		for i := range data {
			for _, bit := range []byte{0x01, 0x10, 0x80} {
				damaged := bytes.Clone(data)
				damaged[i] ^= bit
				if len(problems(damaged)) == 0 {
					t.Errorf("%s: byte %d ^ %#02x (%d from the end): nothing found", name, i, bit, len(data)-i)
				}
			}
		}
	}
}

// TestDamagedGoldens finds what was done to checkpoints that Spark wrote.
func TestDamagedGoldens(t *testing.T) {
	t.Parallel()
	const flipped = "checkpoint/state/0/0/SSTs/000019-7d88a8eb-8f85-42c9-a0d1-84d6dca5c299.sst"
	for name, data := range files(t, "../../testdata/golden/state-4.3-rocks-damage-flipped-sst.tar.gz") {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		found := problems(data)
		if name != flipped {
			if len(found) > 0 {
				t.Errorf("%s: %v", name, found)
			}
			continue
		}
		// Byte 20 is in the first data block, which begins at 0.
		e, ok := errors.AsType[*decode.Error](found[0])
		if len(found) != 1 || !ok || e.Flaw != decode.Checksum || e.File != "x.sst" || e.Offset != 0 || e.What != whatBlock {
			t.Errorf("%s: %v", name, found)
		}
	}
	// A byte more at the end: the size that the snapshot records reads, that of the file does not.
	seen := 0
	for name, data := range files(t, "../../testdata/golden/state-4.3-rocks-damage-sst-size.tar.gz") {
		if name == flipped {
			seen++
			e, ok := errors.AsType[*decode.Error](problems(data)[0])
			if !ok || e.Flaw != decode.Malformed || e.What != whatFooter {
				t.Errorf("%d bytes: %v", len(data), problems(data))
			}
			if found := problems(data[:1266]); len(found) > 0 {
				t.Errorf("the 1266 bytes of the snapshot: %v", found)
			}
		}
	}
	if seen != 1 {
		t.Errorf("%d files of another size", seen)
	}
}

// TestShorterThanListed: a file that ends before the size it is opened with says so, at its last byte.
func TestShorterThanListed(t *testing.T) {
	t.Parallel()
	data := small(t)["spark"]
	_, err := Open("x.sst", bytes.NewReader(data[:1064]), int64(len(data)))
	if e, ok := errors.AsType[*decode.Error](err); !ok || e.Flaw != decode.Cut || e.Offset != 1064 {
		t.Errorf("%v", err)
	}
}

// TestBadBlockCostsOnlyItself: with one of many blocks damaged, all other entries are read, and the
// error stands in its place.
func TestBadBlockCostsOnlyItself(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sum-kXXH3-6", "index-two-levels-5"} {
		data := bytes.Clone(made(t)[name]["000009.sst"])
		count := func() (entries, errs int, place int) {
			table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range table.Entries() {
				if err != nil {
					errs, place = errs+1, entries
				} else {
					entries++
				}
			}
			return entries, errs, place
		}
		all, errs, _ := count()
		if errs > 0 {
			t.Fatal(errs)
		}
		data[700] ^= 1
		left, errs, place := count()
		if errs != 1 || left >= all || left < all-20 || place == 0 || place == left {
			t.Errorf("%s: %d of %d entries, %d errors after %d", name, left, all, errs, place)
		}
	}
}

// TestPropertiesDamaged: entries are read without the file's own description, which is a problem.
func TestPropertiesDamaged(t *testing.T) {
	t.Parallel()
	for name, database := range made(t) {
		if strings.HasPrefix(name, "index-two-levels") || strings.HasPrefix(name, "index-first-key") || name == "filter-aligned" {
			continue // only the properties tell these forms
		}
		data := bytes.Clone(database["000011.sst"])
		whole := len(slices.Collect(entriesOf(t, data)))
		table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		data[table.named["rocksdb.properties"].offset+9] ^= 1
		if name == "sum-kNoChecksum-5" || name == "sum-kNoChecksum-6" {
			continue // nothing tells
		}
		if got := slices.Collect(entriesOf(t, data)); len(got) != whole {
			t.Errorf("%s: %d of %d entries", name, len(got), whole)
		}
		if found := problems(data); len(found) != 1 || !strings.Contains(found[0].Error(), whatProps) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// entriesOf are the keys of a table that opens and whose entries read.
func entriesOf(t testing.TB, data []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Error(err)
			return
		}
		for e, err := range table.Entries() {
			if err != nil {
				t.Error(err)
			} else if !yield(string(e.Key)) {
				return
			}
		}
	}
}

// TestDamagedLookUp: with a wrong bit anywhere, a key that is looked up is as it was, or an error stands beside
// it. A filter that is damaged must not say that a key is not there.
func TestDamagedLookUp(t *testing.T) {
	t.Parallel()
	all := small(t)
	for _, name := range []string{"whole-4", "whole-5", "parts-5", "parts-6"} {
		all[name] = filtered(t)[name]
	}
	random := rand.New(rand.NewPCG(3, 4))
	for name, data := range all {
		keys := slices.Collect(entriesOf(t, data))
		keys = append(keys, keys[0]+"?", "no such key")
		tellKey := func(data []byte, key string) (told string, err error) {
			table, err := Open("x.sst", bytes.NewReader(data), int64(len(data)))
			if err != nil {
				return "", err
			}
			for live, e := range MergeKey([]byte(key), table) {
				told += fmt.Sprintf("%x=%x ", live.Key, joined(live))
				err = cmp.Or(err, e)
			}
			return told, err
		}
		for range 1500 {
			key := keys[random.IntN(len(keys))]
			want, err := tellKey(data, key)
			if err != nil {
				t.Fatal(err)
			}
			damaged := bytes.Clone(data)
			at, bit := random.IntN(len(data)), byte(1)<<random.IntN(8)
			damaged[at] ^= bit
			if got, err := tellKey(damaged, key); err == nil && got != want {
				t.Errorf("%s: byte %d ^ %#02x: %x is %q, want %q", name, at, bit, key, got, want)
			}
		}
	}
}
