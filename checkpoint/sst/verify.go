package sst

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Verify reads every block of the file and yields what is wrong: checksums, entries that do not parse,
// keys out of order, counts. Nothing yielded means that all bytes are as RocksDB wrote them, as far as
// its checksums tell. An error that is not a *decode.Error is the last thing yielded: the rest was not
// looked at.
func (t *Table) Verify() iter.Seq[error] { return t.VerifyWith(func(*Entry) {}) }

// VerifyWith is Verify for who wants to see the entries, too: those that read.
func (t *Table) VerifyWith(see func(*Entry)) iter.Seq[error] {
	return func(yield func(error) bool) {
		goOn := func(err error) bool { return err == nil || yield(err) && !fatal(err) }
		for _, p := range t.Problems {
			if !yield(p) {
				return
			}
		}
		for e, err := range t.Entries() {
			if err == nil {
				see(&e)
			}
			if !goOn(err) {
				return
			}
		}
		if _, err := t.RangeDeletions(); !goOn(err) {
			return
		}
		r := &reader{window: window{t: t, ahead: readAhead, most: readAhead}}
		for _, name := range slices.Sorted(maps.Keys(t.named)) {
			for err := range t.verifyNamed(r, name) {
				if !goOn(err) {
					return
				}
			}
		}
	}
}

// verifyNamed reads a block that the metaindex names, if nothing else of Verify does: a filter, or the
// index of the parts of one and these.
func (t *Table) verifyNamed(r *reader, name string) iter.Seq[error] {
	return func(yield func(error) bool) {
		switch name {
		case "rocksdb.properties", "rocksdb.range_del", "rocksdb.index":
			return // read before
		}
		what := fmt.Sprintf("SST block %.60q", name)
		h := t.named[name]
		content, err := r.block(h, what)
		if err != nil {
			yield(err)
			return
		}
		if !strings.HasPrefix(name, filterParts) {
			return
		}
		parts := t.parts(content, h, what)
		for parts.next() {
			if _, err := r.block(parts.last, what); err != nil && !yield(err) {
				return
			}
		}
		if parts.err != nil {
			yield(parts.err)
		}
	}
}
