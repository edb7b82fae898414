package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"tidemark/checkpoint/decode"
)

// RowSums says how the rows of a store carry checksums: Spark 4.2 and later write them where
// spark.sql.streaming.stateStore.rowChecksum.enabled is true, which it is not by default.
//
// A checksum is the CRC-32C (Castagnoli) of the key and the value without it, as a little-endian number
// of 32 bits; S below. The key is the whole stored key, with the column family's id where there is one.
//
//	                      HDFS-backed          RocksDB
//	value of a put        S | value            S | length int32 LE | value
//	element of a list     –                    S | length int32 LE | element, again for every element
//	key of a delete       S(key) | key         S(key) | key
//	end of a range        –                    S(begin, end) | length int32 LE | end
//
// The key of a put carries none. In an SST file values look as in a changelog, and a deleted key is bare.
//
// Written by KeyValueChecksumEncoder (StateStoreRowChecksum.scala).
type RowSums byte

// The forms of row checksums.
const (
	NoRowSums RowSums = iota
	HDFSRowSums
	RocksDBRowSums
)

// rowSumSize is the size of a checksum, and of a length, in bytes.
const rowSumSize = 4

const rowSumWhat = "row checksum"

// Fits reports whether c has a checksum of this form that agrees with it. One change that fits is proof
// that its store writes them; one that does not may be damaged.
func (s RowSums) Fits(c Change) bool {
	_, problem := s.Trim("", c)
	return s != NoRowSums && problem == nil
}

// RowSumsOf is the form that rows in files of a role carry, where they carry any.
func RowSumsOf(r Role) RowSums {
	if r.RocksDB() {
		return RocksDBRowSums
	}
	return HDFSRowSums
}

// The first records of a file say whether its rows carry checksums.
const (
	sampledRecords = 16
	sampledBytes   = 1 << 20 // of keys and values: no more are held at once, but for the last record
)

// TrimFile yields the changes of one file without their checksums, which are verified; file is the name
// for errors. Whether the rows carry any is told by themselves: a query that was restarted with the setting
// turned on or off leaves files of both kinds. likely is what the setting says; it counts where
// checksums seem to be there and none of the first agrees.
//
// A change whose checksum is wrong or missing comes trimmed as far as it could be, with an error as that of
// Trim. Other errors are those of all.
func (s RowSums) TrimFile(file string, all iter.Seq2[Change, error], likely bool) iter.Seq2[Change, error] {
	type record struct {
		Change
		err error
	}
	return func(yield func(Change, error) bool) {
		form := NoRowSums
		pass := func(c Change, err error) bool {
			if err != nil {
				return yield(c, err)
			}
			trimmed, problem := form.Trim(file, c)
			if problem != nil {
				return yield(trimmed, problem)
			}
			return yield(trimmed, nil)
		}
		var held []record
		decided, size := false, 0
		decide := func() bool {
			decided = true
			if slices.ContainsFunc(held, func(r record) bool { return r.err == nil && (s.Fits(r.Change) || likely && s.room(r.Change)) }) {
				form = s
			}
			for _, r := range held {
				if !pass(r.Change, r.err) {
					return false
				}
			}
			held = nil
			return true
		}
		for c, err := range all {
			if decided {
				if !pass(c, err) {
					return
				}
				continue
			}
			c.Key, c.Value = bytes.Clone(c.Key), bytes.Clone(c.Value)
			held = append(held, record{c, err})
			size += len(c.Key) + len(c.Value)
			if (err == nil && s.Fits(c) || len(held) == sampledRecords || size > sampledBytes) && !decide() {
				return
			}
		}
		if !decided {
			decide()
		}
	}
}

// TrimStored is TrimFile of one value of an SST file, or of one operand that was added to it. Compaction
// puts rows of several files into one, so each tells for itself.
func (s RowSums) TrimStored(file string, key, value []byte, likely bool) ([]byte, *decode.Error) {
	c := Change{Key: key, Value: value}
	if len(value) <= 2*rowSumSize || binary.LittleEndian.Uint32(value[rowSumSize:]) == 0 || !s.room(c) {
		return value, nil // no row is empty
	}
	trimmed, problem := s.Trim(file, c)
	if problem != nil && !likely {
		return value, nil
	}
	return trimmed.Value, problem
}

// room reports whether there may be a checksum in c, by lengths alone.
func (s RowSums) room(c Change) bool {
	switch {
	case s == NoRowSums:
		return false
	case s == HDFSRowSums && c.Op == Delete:
		return len(c.Key)%8 == rowSumSize
	case s == HDFSRowSums:
		return len(c.Value)%8 == rowSumSize
	case c.Op == Delete:
		// Rows take multiples of 8 bytes. A key has two of them with a byte before each and a length of 4,
		// or one of them with its byte; and there may be the 2 of a column family.
		return slices.Contains([]int{2, 4, 5, 7}, len(c.Key)%8)
	}
	return sumElements(c.Value, nil) != nil || sumElements(c.Value, []byte(",")) != nil
}

// Trim is c without its checksum, which is verified. file is where c stands, for the error.
//
// A checksum that disagrees gives the trimmed change and an error of flaw Checksum. A change without room
// for a checksum comes back as it is, with an error of flaw Malformed. The slices of the result are those
// of c, but for a list of several elements, which is copied.
func (s RowSums) Trim(file string, c Change) (Change, *decode.Error) {
	var err error
	trimmed := c
	flaw := decode.Malformed
	switch {
	case s == NoRowSums:
		return c, nil
	case s == HDFSRowSums && c.Op == Delete:
		trimmed.Key, err = splitRowSum(nil, c.Key)
	case s == HDFSRowSums:
		trimmed.Value, err = splitRowSum(c.Key, c.Value)
	case c.Op == Delete:
		trimmed.Key, err = splitSum(nil, c.Key)
	default:
		trimmed.Value, err = splitSums(c.Key, c.Value)
	}
	if err == nil {
		return trimmed, nil
	}
	if errors.Is(err, errNoSum) {
		trimmed = c
	} else {
		flaw = decode.Checksum
	}
	return trimmed, &decode.Error{Where: decode.Where{File: file, Offset: c.At}, Flaw: flaw, What: rowSumWhat, Err: err}
}

// errNoSum is bytes that have no checksum in the place where one belongs.
var errNoSum = errors.New("the checksum is missing; other rows have one")

// splitRowSum is splitSum of an UnsafeRow, whose length is a multiple of 8: what has no 4 bytes more has no
// checksum.
func splitRowSum(key, data []byte) ([]byte, error) {
	if len(data)%8 != rowSumSize {
		return nil, errNoSum
	}
	return splitSum(key, data)
}

// splitSum is data without the checksum before it, which is of key and data.
func splitSum(key, data []byte) ([]byte, error) {
	if len(data) < rowSumSize {
		return nil, errNoSum
	}
	return data[rowSumSize:], compareSum(data, key, data[rowSumSize:])
}

// splitSums is the value of a RocksDB put or merge without the checksums and lengths of its elements.
// Elements follow one another at once, or after a comma, as the merge operator of the store joins them.
func splitSums(key, value []byte) ([]byte, error) {
	elements, gap := sumElements(value, nil), ""
	if elements == nil {
		elements, gap = sumElements(value, []byte(",")), ","
	}
	if elements == nil {
		return nil, errNoSum
	}
	var plain []byte
	var err error
	for i, e := range elements {
		if e := compareSum(e, key, e[2*rowSumSize:]); e != nil && err == nil {
			err = e
			if len(elements) > 1 {
				err = fmt.Errorf("element %d: %w", i, e)
			}
		}
		if len(elements) == 1 {
			return e[2*rowSumSize:], err
		}
		if i > 0 {
			plain = append(plain, gap...)
		}
		plain = append(plain, e[2*rowSumSize:]...)
	}
	return plain, err
}

// sumElements are the parts of a value that each begin with a checksum and a length, with gap between
// them; nil where the lengths do not fill the value exactly.
func sumElements(value, gap []byte) (elements [][]byte) {
	for first := true; first || len(value) > 0; first = false {
		if !first {
			if len(value) <= len(gap) || string(value[:len(gap)]) != string(gap) {
				return nil
			}
			value = value[len(gap):]
		}
		if len(value) < 2*rowSumSize {
			return nil
		}
		n := binary.LittleEndian.Uint32(value[rowSumSize:])
		if uint64(n) > uint64(len(value)-2*rowSumSize) {
			return nil
		}
		end := 2*rowSumSize + int(n)
		elements = append(elements, value[:end:end])
		value = value[end:]
	}
	return elements
}

// compareSum compares the checksum that data begins with to that of key and value.
func compareSum(data, key, value []byte) error {
	table := crc32.MakeTable(crc32.Castagnoli)
	got := crc32.Update(crc32.Checksum(key, table), table, value)
	if want := binary.LittleEndian.Uint32(data); got != want {
		return fmt.Errorf("the CRC-32C of the row is 0x%08x, the row records 0x%08x", got, want)
	}
	return nil
}
