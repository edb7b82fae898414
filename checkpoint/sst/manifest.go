package sst

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"

	"github.com/zeebo/xxh3"

	"tidemark/checkpoint/decode"
)

// Manifest is RocksDB's own log of its files ("MANIFEST-000005"): the files that are live after all its edits.
//
// It is blocks of 32 KiB, filled with records that do not reach over their ends:
//
//	u32 masked CRC32C over type and data | u16 length | u8 type | data
//	type: 0 filling, 1 whole, 2 first, 3 middle, 4 last part of an edit
//
// An edit is fields, each a varint tag and what it is of. Those that are looked at:
//
//	  6  deleted file: varint level, varint number
//	100  new file: level, number, size, smallest and largest internal key, each after its length
//	     102 with sequence numbers of both behind; 103 with fields behind these, up to a tag 1:
//	     varint tag, length, bytes; 12 is the unique id, two u64
//
// Written by RocksDB's VersionEdit::EncodeTo (db/version_edit.cc) and log::Writer (db/log_writer.cc).
type Manifest struct {
	File string
	Live map[uint64]*LiveFile // by number
}

// LiveFile is a table as the MANIFEST describes it.
type LiveFile struct {
	Number            uint64
	Size              int64     // bytes
	Smallest, Largest []byte    // user keys
	ID                [2]uint64 // unique; zeros where none is recorded, as before RocksDB 7.3 (Spark 3.4)
	edit              int
}

const (
	whatManifest  = "MANIFEST"
	manifestBlock = 32 << 10
	manifestFiles = 1 << 16 // live files; a store has some thousands
)

// ParseManifest reads a MANIFEST; file is what errors call it. Its error is a *decode.Error: a field that is not known
// here ends the reading, for its length is not known either.
func ParseManifest(file string, data []byte) (*Manifest, error) {
	m := &Manifest{File: file, Live: map[uint64]*LiveFile{}}
	var edit []byte
	for at, n := 0, 0; ; {
		if left := manifestBlock - at%manifestBlock; left < 7 {
			at += left
		}
		if len(data)-at < 7 {
			return m, nil // RocksDB takes an end in a head for the end, too
		}
		length, kind := int(binary.LittleEndian.Uint16(data[at+4:])), data[at+6]
		if kind == 0 && length == 0 {
			at += manifestBlock - at%manifestBlock
			continue
		}
		switch {
		case at%manifestBlock+7+length > manifestBlock:
			return nil, m.fail(decode.Malformed, at, "a record of %d bytes does not fit in its block", length)
		case at+7+length > len(data):
			return m, nil
		case kind < 1 || kind > 4:
			return nil, m.fail(decode.VersionUnknown, at+6, "unknown record type %d (known: 1 to 4)", kind)
		}
		body := data[at+7:][:length]
		if want, got := binary.LittleEndian.Uint32(data[at:]), masked(data[at+6:at+7+length]); got != want {
			return nil, m.fail(decode.Checksum, at, "the checksum is %08x, the record has %08x", got, want)
		}
		if kind <= 2 {
			edit = edit[:0]
		}
		edit = append(edit, body...)
		if kind == 1 || kind == 4 {
			n++
			if err := m.apply(edit, at, n); err != nil {
				return nil, err
			}
		}
		at += 7 + length
	}
}

func masked(b []byte) uint32 {
	c := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
	return (c>>15 | c<<17) + 0xa282ead8
}

func (m *Manifest) fail(flaw decode.Flaw, at int, format string, args ...any) *decode.Error {
	return &decode.Error{Where: decode.Where{File: m.File, Offset: int64(at)}, Flaw: flaw, What: whatManifest,
		Err: fmt.Errorf(format, args...)}
}

// apply takes in edit number n, which ends with the record at byte at. What it adds stays where it deletes the same file:
// so a file moves to another level.
func (m *Manifest) apply(edit []byte, at, n int) error {
	c := cursor{data: edit}
	for len(c.data) > 0 && !c.short {
		switch tag := c.uvarint(); tag {
		case 2, 3, 4, 9, 10, 200, 203, 300: // numbers
			c.uvarint()
		case 1, 201: // texts
			c.take(c.length())
		case 202:
		case 5:
			c.uvarint()
			c.take(c.length())
		case 6:
			c.uvarint()
			number := c.uvarint()
			if f := m.Live[number]; f != nil && f.edit < n {
				delete(m.Live, number)
			}
		case 7, 100, 102, 103:
			f := newFile(&c, tag)
			f.edit = n
			if m.Live[f.Number] = f; len(m.Live) > manifestFiles {
				return m.fail(decode.TooLarge, at, "more than %d files", manifestFiles)
			}
		default:
			if tag&(1<<13) == 0 {
				return m.fail(decode.VersionUnknown, at, "unknown field %d", tag)
			}
			c.take(c.length()) // it says of itself that it may be passed over
		}
	}
	if c.short {
		return m.fail(decode.Malformed, at, "an edit ends inside a field")
	}
	return nil
}

// newFile reads what follows the tag of a new file.
func newFile(c *cursor, tag uint64) *LiveFile {
	f := &LiveFile{}
	c.uvarint()
	f.Number = c.uvarint()
	if tag == 102 {
		c.uvarint()
	}
	f.Size = c.length()
	f.Smallest, f.Largest = userKey(c.take(c.length())), userKey(c.take(c.length()))
	if tag == 7 {
		return f
	}
	c.uvarint()
	c.uvarint()
	if tag != 103 {
		return f
	}
	for !c.short {
		field := c.uvarint()
		if field == 1 {
			break
		}
		value := c.take(c.length())
		if field == 12 && len(value) >= 16 {
			f.ID = [2]uint64{binary.LittleEndian.Uint64(value), binary.LittleEndian.Uint64(value[8:])}
		}
	}
	return f
}

func userKey(internal []byte) []byte {
	return append([]byte{}, internal[:max(len(internal)-trailerKey, 0)]...)
}

// UniqueID is the id that RocksDB makes of the properties of a table: of the database and the session that wrote it, and of
// the number that it was written under. ok is false where one of them is not there, or is not as RocksDB writes it.
//
// As GetSstInternalUniqueId does (table/unique_id.cc).
func (p *Properties) UniqueID() (id [2]uint64, ok bool) {
	upper, lower, err := session(p.Session)
	if err != nil || p.Database == "" || p.Number <= 0 {
		return id, false
	}
	h := xxh3.HashString128Seed(p.Database, upper)
	return [2]uint64{lower, h.Hi ^ uint64(p.Number)}, true
}

// session takes an id of a session apart: digits to the base of 36, the last twelve of them 62 bits.
func session(text string) (upper, lower uint64, err error) {
	if len(text) < 13 || len(text) > 24 {
		return 0, 0, errors.New("not 13 to 24 digits")
	}
	at := len(text) - 12
	a, err := strconv.ParseUint(text[:at], 36, 64)
	if err != nil {
		return 0, 0, err
	}
	b, err := strconv.ParseUint(text[at:], 36, 64)
	if err != nil {
		return 0, 0, err
	}
	return a >> 2, b&(1<<62-1) | a<<62, nil
}
