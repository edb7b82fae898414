package state

import (
	"bufio"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"

	"tidemark/checkpoint/decode"
)

// Member is one member of a zip, as a reader finds it that goes from its first byte on.
type Member struct {
	Name string
	At   int64 // bytes from the start of the zip to the member's header
	Size int64 // bytes, unpacked
}

// zipLimit is how many bytes a zip may unpack to. The largest member is the MANIFEST of RocksDB, some
// kilobytes as a rule.
const zipLimit = 1 << 30

// Members unpacks a zip member by member, all integers little-endian:
//
//	50 4B 03 04 | version u16 | flags u16 | method u16 | time u32 | CRC-32 u32 | packed u32 | size u32 |
//	name length u16 | extra length u16 | name | extra | packed bytes
//	and where flag 3 is set, as Java always does: [50 4B 07 08] | CRC-32 u32 | packed u32 | size u32
//
// It ends where no such header follows, and looks at nothing beyond, as java.util.zip.ZipInputStream
// does, with which Spark reads a RocksDB snapshot: the directory at the end of the zip may be lost. An
// error ends the sequence; it is a *decode.Error of flaw Cut, Checksum or Malformed, at its byte in the zip.
//
// It does not read members without a size and without compression, encrypted ones, nor zip64.
func Members(file string, r io.Reader) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		z := &zipStream{file: file, in: &countingReader{r: bufio.NewReader(r)}, left: zipLimit}
		for {
			m, ok, err := z.next()
			if !ok && err == nil || !yield(m, err) || err != nil {
				return
			}
		}
	}
}

type zipStream struct {
	file string
	in   *countingReader
	left int64                       // bytes that the members after this may unpack to
	also func(name string) io.Writer // where not nil, what gets the bytes of a member, too
}

// countingReader knows how far it has come. It is an io.ByteReader, so that an inflater takes no byte
// more than it needs.
type countingReader struct {
	r *bufio.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

const (
	zipHeader     = 0x04034b50
	zipDescriptor = 0x08074b50
	sizesFollow   = 1 << 3 // flag: CRC and sizes stand behind the member
)

// next unpacks one member. ok is false where none follows.
func (z *zipStream) next() (m Member, ok bool, err error) {
	m.At = z.in.n
	var h [30]byte
	if _, err := io.ReadFull(z.in, h[:]); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return m, false, nil
		}
		return m, false, z.fail(m, err)
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(h[at:])) }
	u32 := func(at int) int64 { return int64(binary.LittleEndian.Uint32(h[at:])) }
	if u32(0) != zipHeader {
		return m, false, nil
	}
	name := make([]byte, u16(26)+u16(28))
	if _, err := io.ReadFull(z.in, name); err != nil {
		return m, false, z.fail(m, err)
	}
	m.Name = string(name[:u16(26)])
	flags, method := u16(6), u16(8)
	var body io.Reader
	switch {
	case flags&1 != 0:
		return m, false, z.flaw(decode.Malformed, m.At+6, "member %.60q is encrypted", m.Name)
	case method == 8:
		body = flate.NewReader(z.in)
	case method == 0 && flags&sizesFollow == 0:
		body = io.LimitReader(z.in, u32(18))
	case method == 0:
		return m, false, z.flaw(decode.Malformed, m.At+6, "member %.60q does not record its size", m.Name)
	default:
		return m, false, z.flaw(decode.Malformed, m.At+8, "member %.60q uses an unknown compression method (%d)", m.Name, method)
	}
	return z.unpack(m, body, flags, u32(14), u32(18), u32(22))
}

// unpack reads the bytes of a member and compares them with what its header, or what follows it, says.
func (z *zipStream) unpack(m Member, body io.Reader, flags int, crc, packed, size int64) (Member, bool, error) {
	begins := z.in.n
	hash := crc32.NewIEEE()
	var to io.Writer = hash
	if z.also != nil {
		to = io.MultiWriter(hash, z.also(m.Name))
	}
	var err error
	if m.Size, err = io.Copy(to, io.LimitReader(body, z.left+1)); err != nil {
		return m, false, z.fail(m, err)
	}
	if z.left -= m.Size; z.left < 0 {
		return m, false, z.flaw(decode.TooLarge, m.At, "the zip unpacks to more than %d bytes", zipLimit)
	}
	took, at := z.in.n-begins, m.At+14
	if flags&sizesFollow != 0 {
		at = z.in.n
		if crc, packed, size, err = z.descriptor(); err != nil {
			return m, false, z.fail(m, err)
		}
	}
	switch {
	case m.Size != size:
		return m, false, z.flaw(decode.Malformed, at, "member %.60q unpacks to %d bytes and records %d", m.Name, m.Size, size)
	case took != packed:
		return m, false, z.flaw(decode.Malformed, at, "member %.60q has %d packed bytes and records %d", m.Name, took, packed)
	case int64(hash.Sum32()) != crc:
		return m, false, z.flaw(decode.Checksum, at, "member %.60q has the CRC-32 %08x and records %08x", m.Name, hash.Sum32(), crc)
	}
	return m, true, nil
}

// descriptor is what follows a member: its CRC-32 and its two sizes, with or without a mark before them.
func (z *zipStream) descriptor() (crc, packed, size int64, err error) {
	var d [12]byte
	rest := d[4:]
	if _, err = io.ReadFull(z.in, d[:4]); err == nil {
		if binary.LittleEndian.Uint32(d[:]) == zipDescriptor {
			rest = d[:]
		}
		_, err = io.ReadFull(z.in, rest)
	}
	u32 := func(at int) int64 { return int64(binary.LittleEndian.Uint32(d[at:])) }
	return u32(0), u32(4), u32(8), err
}

// fail is an error of reading m: of the format where the bytes end too early or do not inflate, else of
// reaching them.
func (z *zipStream) fail(m Member, err error) error {
	if _, corrupt := errors.AsType[flate.CorruptInputError](err); corrupt {
		return z.flaw(decode.Malformed, z.in.n, "member %.60q cannot be unpacked", m.Name)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return z.flaw(decode.Cut, z.in.n, "the file ends inside the member %.60q", m.Name)
	}
	return err
}

func (z *zipStream) flaw(flaw decode.Flaw, at int64, format string, args ...any) error {
	return &decode.Error{Where: decode.Where{File: z.file, Offset: at}, Flaw: flaw, What: "RocksDB snapshot", Err: fmt.Errorf(format, args...)}
}
