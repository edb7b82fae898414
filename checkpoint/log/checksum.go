package log

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"tidemark/checkpoint/decode"
)

// VerifyHadoopCRC compares the bytes of a file with the checksum file that Hadoop's local file
// system keeps beside it (".8.crc" for "8"), nil where they agree:
//
//	63 72 63 00             "crc" and version 0
//	00 00 02 00             bytes per checksum, big-endian, usually 512
//	14 e3 a6 94 f6 44 c5 17 CRC-32 (IEEE) of each such piece, big-endian; the last piece may be short
//
// The checksum of an empty file has no pieces. A disagreement is of flaw Checksum and stands in file,
// a checksum file that does not decode is of flaw Malformed and stands in side.
//
// Written by ChecksumFileSystem; only local folders have it, object stores and HDFS never do.
func VerifyHadoopCRC(file string, data []byte, side string, sum []byte) *decode.Error {
	broken := func(at int, err error) *decode.Error {
		return &decode.Error{Where: decode.Where{File: side, Offset: int64(at)}, Flaw: decode.Malformed, What: "Hadoop checksum", Err: err}
	}
	if len(sum) < 8 || !bytes.HasPrefix(sum, []byte("crc\x00")) {
		return broken(0, errors.New("the file does not begin with \"crc\", version 0 and a piece length"))
	}
	piece := int64(binary.BigEndian.Uint32(sum[4:]))
	sums := sum[8:]
	if piece == 0 {
		return broken(4, errors.New("0 bytes per checksum"))
	}
	want := (int64(len(data)) + piece - 1) / piece
	if int64(len(sums)) != want*4 {
		return &decode.Error{Where: decode.Where{File: file}, Flaw: decode.Checksum, What: "Hadoop checksum",
			Err: fmt.Errorf("the file has %d bytes and needs %d checksums; %s has %d", len(data), want, side, len(sums)/4)}
	}
	for i := int64(0); i < want; i++ {
		from := i * piece
		to := min(from+piece, int64(len(data)))
		recorded := binary.BigEndian.Uint32(sums[i*4:])
		if got := crc32.ChecksumIEEE(data[from:to]); got != recorded {
			return &decode.Error{Where: decode.Where{File: file, Offset: from}, Flaw: decode.Checksum, What: "Hadoop checksum",
				Err: fmt.Errorf("bytes %d to %d have CRC-32 %08x, %s records %08x", from, to, got, side, recorded)}
		}
	}
	return nil
}
