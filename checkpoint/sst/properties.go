package sst

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tidemark/checkpoint/decode"
)

// Properties is what a file says of itself; the block of the metaindex entry "rocksdb.properties", an
// ordinary block of name → value:
//
//	rocksdb.num.entries                       varint
//	rocksdb.merge.operator                    text
//	rocksdb.block.based.table.index.type      u32
//	rocksdb.block.based.table.whole.key.filtering    text, "1" or "0"
//
// Written by RocksDB's PropertyBlockBuilder (table/meta_blocks.cc). Numbers are -1 and texts "" where
// they are not there.
type Properties struct {
	Entries        int64  // range deletions counted
	Deletions      int64  // range deletions counted
	MergeOperands  int64  // entries of type Merge
	RangeDeletions int64  // entries of type RangeDelete
	DataBlocks     int64  // blocks
	DataSize       int64  // bytes of all data blocks with their trailers
	Comparator     string // "leveldb.BytewiseComparator"
	MergeOperator  string // "StringAppendOperator"; "nullptr" for none
	Compression    string // "LZ4", "Snappy"; what was asked for, single blocks may differ
	CreationTime   int64  // s since the epoch, UTC
	Number         int64  // that the file was written under, in its name
	Database       string // id of the database that wrote it
	Session        string // id of the session of that database
}

// numbers and texts are the fields by RocksDB's names.
func (p *Properties) numbers() map[string]*int64 {
	return map[string]*int64{
		"rocksdb.num.entries":          &p.Entries,
		"rocksdb.deleted.keys":         &p.Deletions,
		"rocksdb.merge.operands":       &p.MergeOperands,
		"rocksdb.num.range-deletions":  &p.RangeDeletions,
		"rocksdb.num.data.blocks":      &p.DataBlocks,
		"rocksdb.data.size":            &p.DataSize,
		"rocksdb.creation.time":        &p.CreationTime,
		"rocksdb.original.file.number": &p.Number,
	}
}

func (p *Properties) texts() map[string]*string {
	return map[string]*string{
		"rocksdb.comparator":                &p.Comparator,
		"rocksdb.merge.operator":            &p.MergeOperator,
		"rocksdb.compression":               &p.Compression,
		"rocksdb.creating.db.identity":      &p.Database,
		"rocksdb.creating.session.identity": &p.Session,
	}
}

const bytewise = "leveldb.BytewiseComparator"

// readProperties reads the properties and, from them, the form of the index. Where they do not read,
// that is a problem of the table and the index is taken to have the form that this format version has
// by default.
func (t *Table) readProperties() error {
	t.indexing = indexForm{delta: t.Format >= 4, userKey: t.Format >= 3}
	p := &t.Properties
	numbers, texts := p.numbers(), p.texts()
	for _, n := range numbers {
		*n = -1
	}
	h, ok := t.named["rocksdb.properties"]
	if !ok {
		t.Problems = append(t.Problems, t.fail(decode.Value, t.meta.offset, whatMeta, errors.New("it does not name rocksdb.properties")))
		return nil
	}
	content, err := t.once(h, whatProps)
	if err != nil {
		return t.problem(err)
	}
	form, wholeKeys := indexForm{}, false
	format := int64(t.Format)
	numbers["rocksdb.format.version"] = &format // where older releases wrote 0
	it := t.entriesOf(content, h.offset, whatProps)
	for n := 0; it.next(); n++ {
		if n >= metaMax {
			return t.problem(t.fail(decode.Value, h.offset, whatProps, fmt.Errorf("more than %d of them", metaMax)))
		}
		name := string(it.key)
		c := cursor{data: it.value}
		switch number, text := numbers[name], texts[name]; {
		case number != nil:
			*number = c.length()
		case text != nil:
			*text = string(it.value)
		case name == "rocksdb.index.value.is.delta.encoded":
			form.delta = c.uvarint() != 0
		case name == "rocksdb.index.key.is.user.key":
			form.userKey = c.uvarint() != 0
		case name == "rocksdb.block.based.table.whole.key.filtering":
			wholeKeys = string(it.value) == "1"
		case name == "rocksdb.block.based.table.index.type":
			if len(it.value) != 4 {
				return t.problem(t.fail(decode.Value, h.offset, whatProps, fmt.Errorf("%s: %x is not 4 bytes", name, it.value)))
			}
			form.kind = binary.LittleEndian.Uint32(it.value)
		}
		if c.short {
			return t.problem(t.fail(decode.Value, h.offset, whatProps, fmt.Errorf("%s: %x is not a number", name, it.value)))
		}
	}
	if it.err != nil {
		return t.problem(it.err)
	}
	if format != 0 && format != int64(t.Format) {
		return t.problem(t.fail(decode.Value, h.offset, whatProps, fmt.Errorf("they have format version %d, the footer has %d", format, t.Format)))
	}
	if p.Comparator != "" && p.Comparator != bytewise {
		return t.fail(decode.VersionUnknown, h.offset, whatProps, fmt.Errorf("unknown key order %.80q (known: %s)", p.Comparator, bytewise))
	}
	if form.kind > indexFirstKey {
		return t.fail(decode.VersionUnknown, h.offset, whatProps, fmt.Errorf("unknown index type %d (known: 0 to %d)", form.kind, indexFirstKey))
	}
	t.indexing, t.wholeKeys = form, wholeKeys
	return nil
}

// problem keeps what is wrong with the properties; an error of reaching the bytes is handed on.
func (t *Table) problem(err error) error {
	e, ok := errors.AsType[*decode.Error](err)
	if !ok {
		return err
	}
	t.Problems = append(t.Problems, e)
	return nil
}
