package statestore

import (
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"iter"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// Contents is what the bytes of one state file are; of a snapshot of RocksDB, those of the SST files
// that it names too.
type Contents struct {
	File
	Flaws   []FileFlaw          // what is wrong, in the order in which a start meets it
	Odd     []*decode.Error     // what Spark passes over: bytes after the end mark, a lost directory of a zip
	Partly  []string            // of the file and those that it names, the ones that were not read to their end for their length
	Changes int64               // of a delta, a changelog or an HDFS snapshot: how many records it has
	Lineage []state.Link        // of a changelog of checkpoint format 2: what it builds on, as its head says
	Digest  [32]byte            // SHA-256 of a file that was read to its end; zero for others
	Unread  []checkpoint.Unread // what could not be had; also a file that has gone since it was listed

	tables *state.ZipFile        // of a RocksDB snapshot: what it names
	live   map[string]*liveTable // the tables that its MANIFEST describes, by their names within the database; nil where that is not known
	whole  []namedTable          // those that are there, with the size that it says
	ids    bool                  // see ReadLimits.IDs
	counts *tableCounts          // what the tables say of how many keys there are
	Agreed int                   // of a RocksDB snapshot: tables that were held against its MANIFEST and are those that it describes
	Tables []int64               // of a RocksDB snapshot: bytes of each SST file that it names
	// of a RocksDB snapshot: live keys, as Spark counted them, internal ones too; -1 where it did not count, or where that
	// cannot be compared
	Keys int64
}

// FileFlaw is one thing that is wrong with a state file or with a file that it names: its Where tells
// which of them.
type FileFlaw struct {
	*decode.Error
	Kind FlawKind
}

// FlawKind says how a start meets a flaw.
type FlawKind string

// The kinds of flaws.
const (
	Broken    FlawKind = "broken"     // the file does not load
	Gone      FlawKind = "gone"       // a file that it names is not there
	OtherSize FlawKind = "other size" // a file that it names is longer or shorter than it says
	// Hidden is a broken block of an SST file: met when a row in it is asked for, which may be never.
	Hidden FlawKind = "hidden"
	// Another is an SST file that is whole and not the one that the snapshot was made with: by its own properties another
	// database or another session wrote it, or the snapshot's MANIFEST describes another. RocksDB does not open it.
	Another FlawKind = "another"
	// Unlike is the same where RocksDB does not compare them: it loads, and the rows are others.
	Unlike FlawKind = "unlike"
	// Miscounted is a snapshot that has another number of keys than it says: nothing compares them.
	Miscounted FlawKind = "miscounted"
)

// met are the kinds that keep a file from loading.
var met = []FlawKind{Broken, Gone, OtherSize, Another}

// Loads reports whether a start can load the file, as far as it was read. One with hidden flaws loads.
func (f *Contents) Loads() bool {
	return !slices.ContainsFunc(f.Flaws, func(f FileFlaw) bool { return slices.Contains(met, f.Kind) })
}

// ReadLimits bound what is read of state.
type ReadLimits struct {
	File  int64 // bytes up to which a file is read to its end; a longer one is known by its marks
	Total int64 // bytes of SST files that are read to their end; those after that are known by their marks
	Marks int   // SST files whose marks are looked at; those after that are known by their size
	// IDs says that the release that starts compares the ids of SST files with those in the MANIFEST: Spark 3.4 and
	// later do (RocksDB from 7.7 on; 3.2 and 3.3 have 6.20).
	IDs bool
}

// tablesAhead is how many SST files are looked into at once: each may ask for memory for a large block.
const tablesAhead = 16

// headOfState is how many bytes are read of a delta or changelog that is too long to be read to its end.
const headOfState = 256 << 10

// ReadContents reads state files, several at once: deltas, changelogs and HDFS snapshots to their end mark; of
// RocksDB snapshots each member, and each SST file that they name. What is found comes back in the
// order of files. Its error means that nothing more will be read; what was found before comes with it.
func ReadContents(ctx context.Context, c *checkpoint.Checkpoint, files iter.Seq[File], limits ReadLimits) ([]*Contents, error) {
	var found []*Contents
	for f, err := range storage.ParallelMap(ctx, checkpoint.ReadsAhead, files, func(ctx context.Context, f File) (*Contents, error) {
		if f.Role == state.Zip {
			return readSnapshot(ctx, c, f, limits)
		}
		return readChanges(ctx, c, f, limits.File)
	}) {
		if f != nil {
			found = append(found, f)
		}
		if err != nil {
			return found, err
		}
	}
	for t, err := range storage.ParallelMap(ctx, tablesAhead, slices.Values(tablesOf(found, limits)),
		func(ctx context.Context, t *table) (*table, error) { return readTable(ctx, c, t) }) {
		if t != nil {
			t.tell()
		}
		if err != nil {
			return found, err
		}
	}
	for _, f := range found {
		f.counted()
	}
	return found, ctx.Err()
}

func (f *Contents) flaw(kind FlawKind, e *decode.Error) {
	f.Flaws = append(f.Flaws, FileFlaw{e, kind})
}

// missed notes what could not be had; the error that it returns ends the reading.
func (f *Contents) missed(name string, list bool, err error) error {
	f.Unread = append(f.Unread, checkpoint.Unread{Name: name, List: list, Err: err})
	if checkpoint.Stopped(err) {
		return err
	}
	return nil
}

// readChanges reads a delta, a changelog or an HDFS snapshot.
func readChanges(ctx context.Context, c *checkpoint.Checkpoint, file File, limit int64) (*Contents, error) {
	f := &Contents{File: file}
	length := int64(-1)
	if file.Size > limit {
		length, f.Partly = headOfState, []string{file.Path()}
	}
	r, err := c.Store().Open(ctx, file.Path(), 0, length)
	if err != nil {
		return f, f.missed(file.Path(), false, err)
	}
	src := &fileBytes{r: r, hash: sha256.New(), left: length}
	f.follow(src)
	if err := r.Close(); src.err == nil {
		src.err = err
	}
	if src.err != nil {
		f.Flaws, f.Odd, f.Changes, f.Lineage = nil, nil, 0, nil // of the reading, not of the file
		return f, f.missed(file.Path(), false, src.err)
	}
	if length < 0 {
		src.hash.Sum(f.Digest[:0])
	}
	return f, nil
}

// follow goes through the records up to the end mark, and then to the end of the file.
func (f *Contents) follow(src *fileBytes) {
	in, codec, err := state.Inflate(f.Path(), src)
	if err == nil {
		name := codec.In(f.Path())
		records := state.Skim(name, in)
		if f.Role == state.Changelog {
			log, err := state.OpenChangelog(name, in)
			if err != nil {
				f.judge(err)
			}
			if log == nil {
				return
			}
			f.Lineage = log.Lineage
			records = log.Skim()
		}
		for _, err := range records {
			if err == nil {
				f.Changes++
			} else {
				f.judge(err)
			}
		}
	} else {
		f.judge(err)
	}
	if src.cut && len(f.Flaws) > 0 && f.Flaws[len(f.Flaws)-1].Flaw == decode.Cut {
		f.Flaws = f.Flaws[:len(f.Flaws)-1] // it was asked for no more than its head
	}
	_, _ = io.Copy(io.Discard, src) // src keeps its error
}

// flawsOfFile is how many flaws of one file are kept: the first is what a start meets.
const flawsOfFile = 8

// judge sorts an error of reading the records.
func (f *Contents) judge(err error) {
	loose, isLoose := errors.AsType[*state.Loose](err)
	e, bad := errors.AsType[*decode.Error](err)
	switch {
	case isLoose:
		f.Odd = append(f.Odd, loose.Problem)
	case bad && e.Flaw == decode.TooLarge:
		f.Partly = append(f.Partly, f.Path())
	case bad && len(f.Flaws) < flawsOfFile:
		f.flaw(Broken, e)
	}
}

// fileBytes are the bytes of a state file as they come. They keep the error of reaching them apart from
// what a decoder makes of it.
type fileBytes struct {
	r    io.Reader
	hash hash.Hash
	left int64 // bytes that were asked for; -1 for all
	cut  bool  // all that were asked for have come
	err  error
}

func (s *fileBytes) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.hash.Write(p[:n])
	if s.left >= 0 {
		s.left -= int64(n)
		s.cut = s.left <= 0
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}
