package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"tidemark/checkpoint/decode"
)

// ChangelogFile is an inflated changelog of the RocksDB provider: what one batch changed.
//
//	version 1  records as in a delta (Changes)
//	version 2  00 02 "v2" | typed records
//	version 3  00 02 "v3" | lineage | records as in a delta
//	version 4  00 02 "v4" | lineage | typed records
//
// Versions 2 and 4 are of operators with column families, 3 and 4 of checkpoint format 2. Version 1 says
// nothing of itself. A lineage is a length (uint16) and JSON of so many bytes. Numbers are big-endian:
//
//	put           01 | key length int32 | key | value length int32 | value
//	delete        10 | key length int32 | key | -1
//	merge         11 | as put: the value is appended to the list of the key
//	delete range  20 | begin length int32 | begin | end length int32 | end
//	end           00
//
// Keys are encoded row keys, with the column family's id before them where there are column families.
//
// Written by StateStoreChangelogWriterV1 to V4 (StateStoreChangelog.scala).
type ChangelogFile struct {
	Version int    // 1 to 4
	Lineage []Link // of versions 3 and 4, as written: from the last snapshot on, oldest first; may be empty

	records *records
}

// Link names one version that a changelog builds on.
type Link struct {
	Version int64
	ID      string // which of several attempts at the version it is: "7_<id>.zip"
}

// OpenChangelog reads the head of an inflated changelog; file is the name of what was inflated
// (Codec.In).
//
// The error is a *decode.Error, or what r fails with. One that costs only the lineage comes beside a
// ChangelogFile whose records can be read.
func OpenChangelog(file string, r io.Reader) (*ChangelogFile, error) {
	c := &ChangelogFile{Version: 1, records: newRecords(file, changelogRecord, r)}
	head, err := c.records.r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	digit, ok := bytes.CutPrefix(head, []byte{0, 2, 'v'})
	if !ok || len(digit) == 0 {
		return c, nil
	}
	if digit[0] < '2' || digit[0] > '4' {
		return nil, c.records.fail(2, decode.VersionUnknown, fmt.Errorf("unknown version %q (known: v2, v3, v4, or none for 1)", head[2:]))
	}
	c.Version = int(digit[0] - '0')
	c.records.take(nil, 4, "the version")
	if c.Version < 3 {
		return c, nil
	}
	size := c.records.take(nil, 2, "the lineage")
	if c.records.err != nil {
		return nil, c.records.err
	}
	at := c.records.at
	text := c.records.take(nil, int(binary.BigEndian.Uint16(size)), "the lineage")
	if c.records.err != nil {
		return nil, c.records.err
	}
	c.Lineage, err = lineage(file, at, text)
	return c, err
}

// lineage reads the JSON of a lineage that stands at byte at:
//
//	[{"version":6,"checkpointUniqueId":"a630f607-abe8-4042-b679-dec29db0ac27"},…]
func lineage(file string, at int64, text []byte) (links []Link, err error) {
	fail := func(in int, flaw decode.Flaw, err error) error {
		return &decode.Error{Where: decode.Where{File: file, Offset: at + int64(in)}, Flaw: flaw, What: "changelog lineage", Err: err}
	}
	v, err := decode.ParseJSON(text)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return nil, fail(int(e.Offset), e.Flaw, e.Err)
	}
	if v.Kind != decode.Array {
		return nil, fail(v.At, decode.Malformed, fmt.Errorf("%.40q is not a list", text[v.At:v.End]))
	}
	for _, item := range v.Items {
		version, _ := item.Get("version")
		n, ok := version.Int()
		id, _ := item.Get("checkpointUniqueId")
		if !ok || n < 0 || id.Kind != decode.String {
			return links, fail(item.At, decode.Value, fmt.Errorf("%.80q does not name a version", text[item.At:item.End]))
		}
		links = append(links, Link{n, id.Text})
	}
	return links, nil
}

// Changes are the records, in the order they were written; later ones win. It can be ranged over once.
// Errors are as those of the function Changes.
func (c *ChangelogFile) Changes() iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		read := c.records.untyped
		if c.Version == 2 || c.Version == 4 {
			read = c.records.typed
		}
		c.records.each(read, yield)
	}
}

// Skim is Changes as the function Skim is it.
func (c *ChangelogFile) Skim() iter.Seq2[Change, error] {
	c.records.keep = skimmed
	return c.Changes()
}

// typed reads a record of version 2 or 4.
func (r *records) typed(ch *Change) {
	kind := r.take(r.number[:0], 1, "the type of a record")
	if r.err != nil {
		return
	}
	switch kind[0] {
	case 0x00:
		r.done = true
		return
	case 0x01:
		ch.Op = Put
	case 0x10:
		ch.Op = Delete
	case 0x11:
		ch.Op = Merge
	case 0x20:
		ch.Op = DeleteRange
	default:
		r.err = r.fail(ch.At, decode.Malformed, fmt.Errorf("unknown record type 0x%02x", kind[0]))
		return
	}
	ch.Key = r.bytes(&r.key, r.int32("the length of a key"), "a key")
	n := r.int32("the length of a value")
	switch {
	case r.err != nil || ch.Op != Delete:
		ch.Value = r.bytes(&r.value, n, "a value")
	case n != tombstone:
		r.err = r.fail(r.at-4, decode.Malformed, fmt.Errorf("a delete has %d instead of %d", n, tombstone))
	}
}
