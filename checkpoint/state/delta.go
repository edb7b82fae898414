package state

import (
	"io"
	"iter"
	"strings"

	"tidemark/checkpoint/decode"
)

// Op is what a record does to the store.
type Op byte

// The operations. Only changelogs with column families (versions 2 and 4) merge or delete ranges.
const (
	Put         Op = iota // the key has this value now
	Delete                // the key is gone
	Merge                 // the value is appended to the list of the key
	DeleteRange           // all keys from Key on, up to but not including Value, are gone (4.2 on)
)

// Change is one record of a delta, a snapshot or a changelog.
type Change struct {
	Op    Op
	Key   []byte // as stored: see RowSums for deletes in a store with row checksums
	Value []byte // of a DeleteRange the end key; nil of a Delete
	At    int64  // where the record begins, in bytes of the inflated stream
}

// Loose is bytes at the end of a file that are not as Spark writes them, in a place that Spark does not
// look at: it stops at the end mark of the records. All changes of the file have been read; something
// touched the file all the same. Restarts of Spark 3.5 and 4.3 went well on such LZ4 files; of the other
// codecs it follows from how far their streams read. A checksum file beside it is another matter.
type Loose struct{ Problem *decode.Error }

func (l *Loose) Error() string { return l.Problem.Error() }

// Unwrap is the problem, so that who does not ask for a *Loose first still sees that the bytes are not
// what the format says.
func (l *Loose) Unwrap() error { return l.Problem }

// recordLimit is how long a key or a value may be to be kept in memory. A longer one is passed over.
const recordLimit = 64 << 20

// Changes reads an inflated delta or snapshot of the HDFS-backed provider, numbers big-endian:
//
//	put     key length int32 | key | value length int32 | value
//	remove  key length int32 | key | -1
//	end     -1
//
// so a file of one row ("key0", 8 bytes as value) is
//
//	00000018 0000000000000000 0400000010000000 6b65793000000000  00000008 …  ffffffff
//
// Keys and values are UnsafeRows. A snapshot has no removals. Later records win.
//
// file is the name of what was inflated (Codec.In); whether it is a snapshot is told by its ending. Key
// and Value are valid until the next change.
//
// An error that costs one record stands in its place, beside what could be read of it, and the range
// goes on; all others end it. A stream that ends before its end mark is a Cut. An error of r, such as a
// block that does not inflate, comes as it is. The last error may be a *Loose.
//
// Written by HDFSBackedStateStoreProvider (writeUpdateToDeltaFile, finalizeDeltaFile,
// writeSnapshotFile).
func Changes(file string, r io.Reader) iter.Seq2[Change, error] { return changes(file, r, recordLimit) }

// Skim is Changes for who asks only whether a file is whole: a long key or value is read past, and nil.
func Skim(file string, r io.Reader) iter.Seq2[Change, error] { return changes(file, r, skimmed) }

// skimmed is how many bytes of a key or a value Skim keeps.
const skimmed = 64 << 10

func changes(file string, r io.Reader, keep int32) iter.Seq2[Change, error] {
	outer, _, _ := strings.Cut(file, "!")
	what := deltaRecord
	if strings.HasSuffix(outer, "."+Snapshot.String()) {
		what = snapshotRecord
	}
	return func(yield func(Change, error) bool) {
		records := newRecords(file, what, r)
		records.keep = keep
		records.each(records.untyped, yield)
	}
}

// What is being decoded, in the words of errors.
const (
	deltaRecord     = "delta record"
	snapshotRecord  = "snapshot record"
	changelogRecord = "changelog record"
)
