package sst

import (
	"bytes"
	"errors"
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
