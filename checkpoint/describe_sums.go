package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"tidemark/checkpoint/decode"
)

// hadoopCRCShown is how many checksums of a file are shown one by one.
const hadoopCRCShown = 1000

// hadoopCRC shows the checksum file of Hadoop's local file system; see log.VerifyHadoopCRC.
func (d *description) hadoopCRC(data []byte) {
	if len(data) < 8 || !bytes.HasPrefix(data, []byte("crc\x00")) {
		d.anything(data)
		d.problem(&decode.Error{Where: d.at(0), Flaw: decode.Malformed, What: "Hadoop checksum",
			Err: errors.New(`the file does not begin with "crc", version 0 and a piece length`)})
		return
	}
	piece := int64(binary.BigEndian.Uint32(data[4:]))
	sums := data[8:]
	d.add(d.at(0), "Hadoop checksum", "version 0")
	d.add(d.at(4), "bytes per checksum", strconv.FormatInt(piece, 10))
	d.add(d.at(8), "checksums", strconv.Itoa(len(sums)/4))
	for i := range min(len(sums)/4, hadoopCRCShown) {
		d.add(d.at(8+4*i), fmt.Sprintf("CRC-32 from byte %d", int64(i)*piece), fmt.Sprintf("%08x", binary.BigEndian.Uint32(sums[4*i:])))
	}
	if more := len(sums)/4 - hadoopCRCShown; more > 0 {
		d.add(d.at(8+4*hadoopCRCShown), "not shown", fmt.Sprintf("%d more checksums", more))
	}
	if rest := len(sums) % 4; rest > 0 {
		d.problem(&decode.Error{Where: d.at(len(data) - rest), Flaw: decode.Cut, What: "Hadoop checksum", Err: fmt.Errorf("the last checksum has %d bytes instead of 4", rest)})
	}
}

// sparkCRC shows the checksum file that Spark 4.1 and later write beside files of state: one JSON
// object, {"algorithm":"CRC32C","value":825400502,"mainFileSize":120,…}. The value is a signed 32-bit
// number.
func (d *description) sparkCRC(data []byte) {
	d.anything(data)
	v, err := decode.ParseJSON(data)
	if e, ok := errors.AsType[*decode.Error](err); ok {
		d.problem(&decode.Error{Where: decode.Where{File: d.file, Line: 1, Offset: e.Offset}, Flaw: e.Flaw, What: "Spark checksum",
			Err: e.Err})
		return
	}
	if sum, ok := v.Get("value"); ok {
		if n, err := strconv.ParseInt(sum.Text, 10, 32); err == nil {
			d.add(decode.Where{File: d.file, Line: 1, Offset: int64(sum.At)}, "value in hexadecimal", fmt.Sprintf("%08x", uint32(n)))
		}
	}
}
