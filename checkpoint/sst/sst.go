package sst

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tidemark/checkpoint/decode"
)

// Type is what an entry does with its key.
type Type byte

// The types of entries; RocksDB's ValueType. Others exist and Spark never causes them.
const (
	Delete       Type = 0
	Put          Type = 1
	Merge        Type = 2 // Value is one more operand of the merge operator
	SingleDelete Type = 7
	RangeDelete  Type = 15 // only in the block of range deletions: see RangeDeletions
)

// Entry is one change of one key. Key and Value are valid until the next entry is asked for.
type Entry struct {
	Key   []byte // user key, without the 8 bytes of sequence number and type
	Seq   uint64 // the higher wins; counts all changes of the database, 0 once compaction forgot it
	Type  Type
	Value []byte
	At    int64 // offset in the file of the block it stands in
}

// Table is one opened file. It keeps the index and the end of the file in memory, unless it rests, and no
// entries. A Table is not changed by reading and may be read from several places at once.
type Table struct {
	File       string
	Size       int64 // bytes
	Format     int   // format version, 1 to 6
	Properties Properties
	Problems   []*decode.Error // what of the file's own description does not decode; entries may still be read

	r         io.ReaderAt
	tail      window // the last bytes, read once by Open
	checksum  byte
	context   uint32            // base context of format 6; 0 for none
	meta      handle            // of the metaindex
	index     handle            // of the index
	named     map[string]handle // the metaindex
	indexing  indexForm
	wholeKeys bool   // its filter, where it has one, knows whole keys
	top       []byte // content of the index block, inflated; nil where it is read again when it is needed
	rest      *rest  // nil where it does not rest
}

const (
	footerSize = 53
	magic      = 0x88e241b785f4cff7
	oldMagic   = 0xdb4775248b80fb57 // of format version 0
	formatLast = 6

	tailSize = 32 << 10 // bytes at the end that Open reads at once; a small file is whole in them
	metaMax  = 10_000   // entries of a metaindex or of properties
	nameMax  = 1 << 10  // bytes of a name in a metaindex
)

// What errors call the parts of a file.
const (
	whatFooter = "SST footer"
	whatBlock  = "SST block"
	whatIndex  = "SST index"
	whatMeta   = "SST metaindex"
	whatProps  = "SST properties"
	whatEntry  = "SST entry"
	whatRange  = "SST range deletions"
	whatFile   = "SST file"
)

// Opens reports whether e is a broken block among those that RocksDB reads as it opens a table: the metaindex, the
// properties and the index.
func Opens(e *decode.Error) bool {
	return e.Flaw == decode.Checksum && (e.What == whatMeta || e.What == whatProps || e.What == whatIndex)
}

// Open reads the footer, metaindex, properties and index of a table of size bytes: one read for most
// files. file is what errors call it. An error that is not a *decode.Error is r's own.
func Open(file string, r io.ReaderAt, size int64) (*Table, error) {
	t := &Table{File: file, Size: size, r: r}
	if size == 0 {
		return nil, t.fail(decode.Empty, 0, whatFooter, errors.New("the file is empty"))
	}
	if size < footerSize {
		return nil, t.fail(decode.Cut, size, whatFooter, fmt.Errorf("%d bytes are too few for a footer of %d", size, footerSize))
	}
	t.tail = window{t: t}
	from := max(0, size-tailSize)
	if _, err := t.tail.at(from, size-from, whatFooter); err != nil {
		return nil, err
	}
	footer, err := t.tail.at(size-footerSize, footerSize, whatFooter)
	if err != nil {
		return nil, err
	}
	if err := t.readFooter(footer); err != nil {
		return nil, err
	}
	if err := t.readMeta(); err != nil {
		return nil, err
	}
	if err := t.readProperties(); err != nil {
		return nil, err
	}
	t.top, err = t.once(t.index, whatIndex)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// Memory is how many bytes an open table keeps: its index, and the end of the file. One that rests keeps
// neither.
func (t *Table) Memory() int { return len(t.top) + cap(t.tail.buf) }

// readFooter takes the last 53 bytes apart.
func (t *Table) readFooter(b []byte) error {
	at := t.Size - footerSize
	bad := func(flaw decode.Flaw, n int64, format string, args ...any) error {
		return t.fail(flaw, at+n, whatFooter, fmt.Errorf(format, args...))
	}
	switch m := binary.LittleEndian.Uint64(b[45:]); m {
	case magic:
	case oldMagic:
		return bad(decode.VersionUnknown, 45, "the magic number is that of format version 0, which tidemark does not read (it reads 1 to %d)", formatLast)
	default:
		return bad(decode.Malformed, 45, "the file ends in %x, not in the magic number of a RocksDB table", b[45:])
	}
	version := binary.LittleEndian.Uint32(b[41:])
	if version < 1 || version > formatLast {
		return bad(decode.VersionUnknown, 41, "unknown format version %d (known: 1 to %d)", version, formatLast)
	}
	t.Format = int(version)
	if t.checksum = b[0]; t.checksum > checksumLast {
		return bad(decode.VersionUnknown, 0, "unknown checksum type %d (known: 0 to %d)", t.checksum, checksumLast)
	}
	if t.Format >= 6 {
		return t.readFooter6(b, bad)
	}
	c := cursor{data: b[1:41]}
	t.meta, t.index = c.handle(), c.handle()
	if c.short {
		return bad(decode.Malformed, 1, "no two handles in %x", b[1:41])
	}
	for i, pad := range c.data {
		if pad != 0 {
			return bad(decode.Value, int64(41-len(c.data)+i), "%#02x in place of a zero", pad)
		}
	}
	if !t.holds(t.meta) || !t.holds(t.index) {
		return bad(decode.Value, 1, "metaindex %s and index %s are not before the footer", t.meta, t.index)
	}
	return nil
}

// readFooter6 reads what a footer of format 6 has in place of two handles.
func (t *Table) readFooter6(b []byte, bad func(decode.Flaw, int64, string, ...any) error) error {
	if binary.LittleEndian.Uint32(b[1:]) != 0x007a003e {
		return bad(decode.Malformed, 1, "%x follows the checksum type of format 6, not 3e007a00", b[1:5])
	}
	le := binary.LittleEndian
	t.context = le.Uint32(b[9:])
	var whole [footerSize]byte
	copy(whole[:], b)
	clear(whole[5:9])
	got := sum(t.checksum, whole[:footerSize-1], whole[footerSize-1]) + t.modifier(t.Size-footerSize)
	if want := le.Uint32(b[5:]); got != want {
		return bad(decode.Checksum, 5, "the checksum is %08x, the footer has %08x", got, want)
	}
	size := int64(le.Uint32(b[13:]))
	t.meta = handle{t.Size - footerSize - trailer - size, size}
	if !t.holds(t.meta) {
		return bad(decode.Value, 13, "a metaindex of %d bytes does not fit before the footer", size)
	}
	for i, pad := range b[17:41] {
		if pad != 0 {
			return bad(decode.Value, int64(17+i), "%#02x in place of a zero", pad)
		}
	}
	return nil
}

// readMeta reads the metaindex: an ordinary block, name → handle.
func (t *Table) readMeta() error {
	content, err := t.once(t.meta, whatMeta)
	if err != nil {
		return err
	}
	t.named = map[string]handle{}
	it := t.entriesOf(content, t.meta.offset, whatMeta)
	for it.next() {
		c := cursor{data: it.value}
		h := c.handle()
		if c.short || !t.holds(h) {
			// Values of other kinds do not occur in files of format 1 to 6.
			return t.fail(decode.Value, t.meta.offset, whatMeta, fmt.Errorf("%q: %x is not a block handle of this file", it.key, it.value))
		}
		if len(t.named) >= metaMax || len(it.key) > nameMax { // names share what they begin with, in the file
			return t.fail(decode.Value, t.meta.offset, whatMeta, fmt.Errorf("more than %d names, or one of more than %d bytes", metaMax, nameMax))
		}
		t.named[string(it.key)] = h
	}
	if it.err != nil {
		return it.err
	}
	if t.Format < 6 {
		return nil
	}
	var ok bool
	if t.index, ok = t.named["rocksdb.index"]; !ok {
		return t.fail(decode.Value, t.meta.offset, whatMeta, errors.New("it does not name rocksdb.index, which format 6 requires"))
	}
	return nil
}

func (t *Table) fail(flaw decode.Flaw, at int64, what string, err error) *decode.Error {
	return &decode.Error{Where: decode.Where{File: t.File, Offset: at}, Flaw: flaw, What: what, Err: err}
}

// holds reports whether a block with its trailer lies in front of the footer.
func (t *Table) holds(h handle) bool {
	room := t.Size - footerSize - trailer
	return h.offset >= 0 && h.size >= 0 && h.offset <= room && h.size <= room-h.offset
}
