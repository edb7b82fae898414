package statestore

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/sst"
	"tidemark/checkpoint/state"
)

// An SST file can be whole and still not be the one that a snapshot was made with: two attempts at one version give
// their files the same numbers, and often the same sizes. The MANIFEST in the snapshot tells which one is meant, by an
// id that RocksDB makes of what the file says of itself, and by its first and its last key.

// namedTable is an SST file that a snapshot names.
type namedTable struct {
	state.SST
	*liveTable
}

// liveTable is a table as the MANIFEST of a snapshot describes it.
type liveTable struct {
	number            uint64
	id                [2]uint64 // zeros where none is recorded
	smallest, largest []byte    // user keys; nil where they are long
}

const longKey = 256 // bytes of a key of a MANIFEST that are kept to be compared

// manifest reads the MANIFEST of a snapshot and compares it with what the metadata name.
func (f *Contents) manifest(z *state.ZipFile) {
	if f.Keys = z.NumKeys; f.Keys >= 0 && z.NumInternalKeys >= 0 {
		f.Keys += z.NumInternalKeys
	} else {
		f.Keys = -1
	}
	f.Tables = make([]int64, len(z.SSTs))
	for i, n := range z.SSTs {
		f.Tables[i] = n.Size
	}
	if z.Manifest == nil {
		return
	}
	m, err := sst.ParseManifest(f.Path()+"!"+z.ManifestName, z.Manifest)
	z.Manifest = nil
	if err != nil {
		// Of what is not known here nothing follows. A record that is not what its checksum says stops RocksDB.
		if e, ok := errors.AsType[*decode.Error](err); ok && e.Flaw == decode.Checksum {
			f.flaw(Broken, e)
		}
		return
	}
	bad := func(what, format string, args ...any) {
		f.flaw(Broken, &decode.Error{Where: decode.Where{File: m.File}, Flaw: decode.Value, What: what, Err: fmt.Errorf(format, args...)})
	}
	f.live = map[string]*liveTable{}
	named := map[uint64]bool{}
	for _, n := range z.SSTs {
		number, ok := localNumber(n.Local)
		live := m.Live[number]
		if named[number] = true; !ok || live == nil {
			continue // RocksDB removes what its MANIFEST does not name
		}
		if live.Size != n.Size {
			bad(ManifestSize, "it records %s with %d bytes, the metadata records %d", n.Local, live.Size, n.Size)
		}
		r := &liveTable{number: number, id: live.ID}
		if len(live.Smallest) <= longKey && len(live.Largest) <= longKey {
			r.smallest, r.largest = live.Smallest, live.Largest
		}
		f.live[n.Local] = r
	}
	for number := range m.Live {
		if !named[number] {
			bad(ManifestNames, "it names %06d.sst, and the metadata does not", number)
			break
		}
	}
}

// What errors call a snapshot whose parts do not fit one another: RocksDB 8.3 and 9.8 do not open it.
const (
	ManifestNames = "tables of a MANIFEST" // it names one that the metadata do not, and that is not fetched therefore
	ManifestSize  = "size in a MANIFEST"   // it says another size of one than the metadata
)

const (
	tableWhat = "RocksDB table"
	keysWhat  = "number of keys of a RocksDB snapshot"
)

// localNumber is the number in the name of a table within its database: "000015.sst".
func localNumber(name string) (uint64, bool) {
	stem, ok := strings.CutSuffix(path.Base(name), ".sst")
	n, err := strconv.ParseUint(stem, 10, 64)
	return n, ok && err == nil
}

func (f *Contents) describes(n state.SST) *liveTable { return f.live[n.Local] }

// see notes the keys that a table begins and ends with.
func (t *table) see(e *sst.Entry) {
	if t.first == nil {
		t.first = bytes.Clone(e.Key[:min(len(e.Key), longKey+1)])
	}
	t.last = append(t.last[:0], e.Key[:min(len(e.Key), longKey+1)]...)
}

// compare holds a table against what the MANIFEST of a snapshot says of it.
func (f *Contents) compare(t *table, is *liveTable) {
	if f.counts != nil {
		f.counts.add(t)
	}
	if is == nil || !t.opened || len(t.flaws)+len(t.unread) > 0 {
		return
	}
	another := func(kind FlawKind, format string, args ...any) {
		f.flaw(kind, &decode.Error{Where: decode.Where{File: t.name}, Flaw: decode.Value, What: tableWhat,
			Err: fmt.Errorf(format, args...)})
	}
	p := &t.properties
	id, known := p.UniqueID()
	switch {
	case is.id != [2]uint64{} && known:
		if id == is.id {
			f.Agreed++
			return
		}
		kind := Unlike
		if f.ids {
			kind = Another
		}
		another(kind, "%s was made with another file: its MANIFEST records ID %016x-%016x for table %d, and the file has %016x-%016x (written as number %d by session %.24q)",
			f.Name(), is.id[0], is.id[1], is.number, id[0], id[1], p.Number, p.Session)
	// ranges widen what the MANIFEST says
	case p.RangeDeletions > 0 || t.first == nil || is.smallest == nil || max(len(t.first), len(t.last)) > longKey:
	case !bytes.Equal(t.first, is.smallest) || !bytes.Equal(t.last, is.largest):
		another(Unlike, "%s was made with another file: its MANIFEST records other first and last keys for table %d", f.Name(), is.number)
	default:
		f.Agreed++
	}
}

// tableCounts is what the properties of all tables of a snapshot say together.
type tableCounts struct {
	left             int   // tables that were not looked into
	entries, largest int64 // of all, of the one with most
	ranges           bool  // one of them deletes ranges of keys
	plain            bool  // none of them deletes or merges: every entry is a key, and the key is live
}

func countsOf(f *Contents) *tableCounts {
	if f.Keys < 0 || f.tables == nil {
		return nil
	}
	return &tableCounts{left: len(f.tables.SSTs), plain: true}
}

func (c *tableCounts) add(t *table) {
	p := &t.properties
	if !t.opened || len(t.flaws) > 0 || p.Entries < 0 || p.Deletions < 0 || p.MergeOperands < 0 || p.RangeDeletions < 0 {
		return
	}
	c.left--
	c.entries += p.Entries
	c.largest = max(c.largest, p.Entries)
	c.ranges = c.ranges || p.RangeDeletions > 0
	c.plain = c.plain && p.Deletions+p.MergeOperands+p.RangeDeletions == 0
}

// counted compares how many keys Spark noted with how many the tables can hold.
func (f *Contents) counted() {
	c := f.counts
	f.counts, f.live = nil, nil
	if c == nil || c.left > 0 || c.ranges {
		f.Keys = -1 // it is not known how Spark counts the keys of a range that it deletes
	}
	if f.Keys < 0 || len(f.Flaws)+len(f.Unread) > 0 {
		return
	}
	text := ""
	switch {
	case f.Keys > c.entries:
		text = fmt.Sprintf("the metadata counts %d keys, and its tables have %d entries", f.Keys, c.entries)
	case c.plain && f.Keys < c.largest:
		text = fmt.Sprintf("the metadata counts %d keys, and one of its tables has %d", f.Keys, c.largest)
	default:
		return
	}
	f.flaw(Miscounted, &decode.Error{Where: decode.Where{File: f.Path()}, Flaw: decode.Value, What: keysWhat, Err: errors.New(text)})
}
