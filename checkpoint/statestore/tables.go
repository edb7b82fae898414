package statestore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/sst"
	"tidemark/checkpoint/state"
	"tidemark/storage"
)

// zipInMemory is how long a RocksDB snapshot may be to be fetched in one piece. Few are longer than some
// kilobytes: SST files are not in it.
const zipInMemory = 1 << 20 // bytes

// readSnapshot reads a RocksDB snapshot, and lists the folders of the files that it names.
func readSnapshot(ctx context.Context, c *checkpoint.Checkpoint, file File, limits ReadLimits) (*Contents, error) {
	f := &Contents{File: file, Keys: -1, ids: limits.IDs}
	var found checkpoint.Listing
	tasks := []func(context.Context) error{
		func(ctx context.Context) error { return readZip(ctx, c, f, limits.File) },
		func(ctx context.Context) error {
			found = c.List(ctx, path.Join(f.Dir, "SSTs"))
			return nil
		},
	}
	for _, err := range storage.ParallelMap(ctx, len(tasks), slices.Values(tasks),
		func(ctx context.Context, task func(context.Context) error) (struct{}, error) {
			return struct{}{}, task(ctx)
		}) {
		if err != nil {
			return f, err
		}
	}
	if f.tables == nil || ctx.Err() != nil {
		return f, ctx.Err()
	}
	if err := f.look(found); err != nil || len(f.tables.Logs) == 0 {
		return f, err
	}
	return f, f.look(c.List(ctx, path.Join(f.Dir, "logs")))
}

// readZip reads the snapshot itself: each member, as a start unpacks them, and what they say of the others.
func readZip(ctx context.Context, c *checkpoint.Checkpoint, f *Contents, limit int64) error {
	if f.Size > limit {
		f.Partly = append(f.Partly, f.Path())
		return nil
	}
	r := c.Reader(ctx, f.Path())
	if f.Size <= zipInMemory {
		data, err := c.Read(ctx, f.Path(), zipInMemory)
		if err != nil {
			return f.missed(f.Path(), false, err)
		}
		f.Digest = sha256.Sum256(data)
		f.Size, r = int64(len(data)), bytes.NewReader(data)
	}
	z, err := state.OpenZip(f.Path(), r, f.Size)
	e, bad := errors.AsType[*decode.Error](err)
	if err != nil && !bad {
		return f.missed(f.Path(), false, err)
	}
	for _, p := range z.Problems {
		f.flaw(Broken, p)
	}
	switch {
	case bad && len(f.Flaws) == 0:
		f.flaw(Broken, e)
	case len(f.Flaws) == 0:
		f.tables = z
		f.manifest(z)
		return f.ending(r)
	}
	return nil
}

// directoryEnd is how many bytes the end of the directory of a zip has; the last two say how long a comment
// follows.
const directoryEnd = 22

// ending looks at the directory at the end of a snapshot, which a start does not read.
func (f *Contents) ending(r io.ReaderAt) error {
	end := make([]byte, min(f.Size, directoryEnd+1<<16))
	if _, err := r.ReadAt(end, f.Size-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return f.missed(f.Path(), false, err)
	}
	at := bytes.LastIndex(end, []byte("PK\x05\x06"))
	if at < 0 || len(end)-at < directoryEnd || at+directoryEnd+int(binary.LittleEndian.Uint16(end[at+20:])) != len(end) {
		f.Odd = append(f.Odd, &decode.Error{Where: decode.Where{File: f.Path()}, Flaw: decode.ExtraLine, What: "RocksDB snapshot",
			Err: errors.New("all members are intact, and the zip does not end in its directory")})
	}
	return nil
}

// look compares what the snapshot names with what lies in the folder of it.
func (f *Contents) look(found checkpoint.Listing) error {
	if found.Err != nil {
		return f.missed(found.Name, true, found.Err)
	}
	named, what := f.tables.SSTs, "SST file"
	if path.Base(found.Name) == "logs" {
		named, what = f.tables.Logs, "log file"
	}
	for _, n := range named {
		at := decode.Where{File: path.Join(found.Name, n.Name)}
		e := found.Find(n.Name)
		switch {
		case e == nil || e.Dir:
			f.flaw(Gone, &decode.Error{Where: at, Flaw: decode.Value, What: what, Err: fmt.Errorf("%s is missing; %s names it, with %d bytes", n.Name, f.Name(), n.Size)})
		case e.Size != n.Size:
			f.flaw(OtherSize, &decode.Error{Where: at, Flaw: decode.Value, What: what, Err: fmt.Errorf("%s has %d bytes, %s records %d", n.Name, e.Size, f.Name(), n.Size)})
		case what == "SST file":
			f.whole = append(f.whole, namedTable{SST: n, liveTable: f.describes(n)})
		}
	}
	return nil
}

// table is an SST file that is to be looked into, and what was found.
type table struct {
	of     []*Contents // the snapshots that name it
	name   string      // within the checkpoint
	size   int64
	whole  bool // it is to be read to its end, or was
	marks  bool // at least its marks are to be looked at
	flaws  []FileFlaw
	unread []checkpoint.Unread

	opened      bool           // properties were read
	properties  sst.Properties //
	first, last []byte         // user keys; nil where it was not read to its end, or has none
	is          []*liveTable   // as each of the snapshots describes it; nil where that does not
}

// tablesOf are the SST files of the snapshots that were found, each once, and only those of the right size.
func tablesOf(found []*Contents, limits ReadLimits) []*table {
	var all []*table
	known := map[string]*table{}
	left, marks := limits.Total, limits.Marks
	for _, f := range found {
		for _, n := range f.whole {
			name := path.Join(f.Dir, "SSTs", n.Name)
			if t := known[name]; t != nil {
				t.of, t.is = append(t.of, f), append(t.is, n.liveTable)
				continue
			}
			t := &table{of: []*Contents{f}, is: []*liveTable{n.liveTable}, name: name, size: n.Size}
			if t.whole = n.Size <= limits.File && n.Size <= left; t.whole {
				left -= n.Size
			} else if t.marks = marks > 0; t.marks {
				marks--
			}
			known[name] = t
			all = append(all, t)
		}
		f.whole, f.tables, f.counts = nil, nil, countsOf(f)
	}
	return all
}

// flawsOfTable is how many flaws of one SST file are kept.
const flawsOfTable = 8

// readTable looks into one SST file: its footer, index and properties, and all its blocks where it is to be
// read to its end.
func readTable(ctx context.Context, c *checkpoint.Checkpoint, t *table) (*table, error) {
	if !t.whole && !t.marks {
		return t, nil
	}
	in, err := sst.Open(t.name, c.Reader(ctx, t.name), t.size)
	switch e, bad := errors.AsType[*decode.Error](err); {
	case bad:
		t.flaws = []FileFlaw{{e, Broken}}
	case err != nil:
		return t, t.missed(err)
	case !t.whole:
		for _, e := range in.Problems {
			t.flaws = append(t.flaws, tableFlaw(e))
		}
	}
	if in != nil {
		t.opened, t.properties = len(in.Problems) == 0, in.Properties
	}
	if in == nil || !t.whole {
		return t, nil
	}
	for err := range in.VerifyWith(t.see) {
		e, bad := errors.AsType[*decode.Error](err)
		if !bad {
			return t, t.missed(err)
		}
		if t.flaws = append(t.flaws, tableFlaw(e)); len(t.flaws) == flawsOfTable {
			break
		}
	}
	return t, nil
}

// tableFlaw is a flaw of a table by when RocksDB meets it. It opens every table of a snapshot with its metaindex,
// properties and index, so that a broken one of these keeps the snapshot from loading; other blocks are read when a
// row in them is asked for.
func tableFlaw(e *decode.Error) FileFlaw {
	if sst.Opens(e) {
		return FileFlaw{e, Broken}
	}
	return FileFlaw{e, Hidden}
}

// missed notes that the file could not be had; the error that it returns ends the reading.
func (t *table) missed(err error) error {
	t.flaws, t.unread = nil, []checkpoint.Unread{{Name: t.name, Err: err}}
	if checkpoint.Stopped(err) {
		return err
	}
	return nil
}

// tell puts what was found to the snapshots that name the file.
func (t *table) tell() {
	for i, f := range t.of {
		f.Flaws = append(f.Flaws, t.flaws...)
		f.compare(t, t.is[i])
		f.Unread = append(f.Unread, t.unread...)
		if !t.whole {
			f.Partly = append(f.Partly, t.name)
		}
	}
}
