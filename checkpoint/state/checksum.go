package state

import (
	"errors"
	"fmt"

	"tidemark/checkpoint/decode"
)

// Checksum is the checksum file that Spark 4.1 and later write beside a state file ("7.delta.crc"):
//
//	{"algorithm":"CRC32C","value":825400502,"mainFileSize":120,"timestampMs":1795959976212,
//	 "creator":{"executorId":"driver","taskInfo":"Task= 0.0, Stage= 1.0"}}
//
// (one line). value is the CRC-32C (Castagnoli) of the whole file as a signed 32-bit number.
//
// Written by ChecksumCheckpointFileManager: in 4.1 beside every delta, snapshot, changelog and zip;
// from 4.2 on only in checkpoint format 2.
type Checksum struct {
	Value int32
	Size  int64 // bytes of the main file
}

// ParseChecksum reads the bytes of a checksum file. An algorithm other than CRC32C is of flaw
// VersionUnknown.
func ParseChecksum(file string, data []byte) (c Checksum, problem *decode.Error) {
	fail := func(flaw decode.Flaw, at int64, err error) (Checksum, *decode.Error) {
		return c, &decode.Error{Where: decode.Where{File: file, Line: 1, Offset: at}, Flaw: flaw, What: "Spark checksum", Err: err}
	}
	if len(data) == 0 {
		return fail(decode.Empty, 0, errors.New("the file is empty"))
	}
	v, err := decode.ParseJSON(data)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		return fail(e.Flaw, e.Offset, e.Err)
	}
	if a, _ := v.Get("algorithm"); a.Text != "CRC32C" {
		return fail(decode.VersionUnknown, int64(a.At), fmt.Errorf("unknown algorithm %.40q (known: CRC32C)", a.Text))
	}
	value, _ := v.Get("value")
	n, ok := value.Int()
	if !ok || int64(int32(n)) != n {
		return fail(decode.Value, int64(value.At), fmt.Errorf("value %.40q is not a signed 32-bit number", value.Text))
	}
	size, _ := v.Get("mainFileSize")
	if c.Size, ok = size.Int(); !ok || c.Size < 0 {
		return fail(decode.Value, int64(size.At), fmt.Errorf("mainFileSize %.40q is not a number of bytes", size.Text))
	}
	c.Value = int32(n)
	return c, nil
}

// Compare says how a file of size bytes with this CRC-32C disagrees with c, which stands in side; nil
// where it agrees.
func (c Checksum) Compare(file, side string, size int64, crc uint32) *decode.Error {
	var err error
	switch {
	case size != c.Size:
		err = c.sizeError(side, size)
	case int32(crc) != c.Value:
		err = fmt.Errorf("CRC-32C of the %d bytes is %d, %s records %d", size, int32(crc), side, c.Value)
	default:
		return nil
	}
	return &decode.Error{Where: decode.Where{File: file}, Flaw: decode.Checksum, What: "Spark checksum", Err: err}
}

// CompareSize is Compare of what a listing alone tells.
func (c Checksum) CompareSize(file, side string, size int64) *decode.Error {
	if size == c.Size {
		return nil
	}
	return &decode.Error{Where: decode.Where{File: file}, Flaw: decode.Checksum, What: "Spark checksum", Err: c.sizeError(side, size)}
}

func (c Checksum) sizeError(side string, size int64) error {
	return fmt.Errorf("the file has %d bytes, %s records %d", size, side, c.Size)
}
