package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

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
var errNoSum = errors.New("there is no checksum where the others have one")

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
		return fmt.Errorf("the CRC-32C of the row is 0x%08x, the row says 0x%08x", got, want)
	}
	return nil
}
