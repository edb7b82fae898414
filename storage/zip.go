package storage

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"
)

// zipFile reads a zip in place: the directory at its end once, and each file when it is asked for. A
// file that was only stored is read from the middle; a deflated one is inflated from its begin.
type zipFile struct {
	packed
	mu    sync.Mutex
	ctx   context.Context // of the call that holds mu
	spare int64           // bytes of directory that may still be read; counts only while indexing
	ready bool
}

// ReadAt serves archive/zip: the directory, and the header before each file.
func (z *zipFile) ReadAt(p []byte, off int64) (int, error) {
	if !z.ready {
		if z.spare -= int64(len(p)); z.spare < 0 {
			return 0, fmt.Errorf("its directory is longer than %d MiB; unpack it and open the folder", maxIndex>>20)
		}
	}
	rc, err := z.packed.open(z.ctx, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(rc, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, errors.Join(err, rc.Close())
}

func indexZip(ctx context.Context, p packed, _ Options) (*archive, error) {
	z := &zipFile{packed: p, ctx: ctx, spare: maxIndex}
	n, err := zipEntries(z, p.size)
	if err != nil {
		return nil, err
	}
	if n > maxMembers {
		return nil, fmt.Errorf("it has %d files, more than %d; unpack it and open the folder", n, maxMembers)
	}
	r, err := zip.NewReader(z, p.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	z.ready = true
	a := newArchive()
	a.members = make(map[string]member, len(r.File))
	for _, f := range r.File {
		f.Extra, f.Comment = nil, "" // they keep the directory in memory
		if strings.HasSuffix(f.Name, "/") {
			err = a.addFolder(f.Name)
		} else {
			err = a.add(f.Name, z.member(f))
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

// zipEntries returns the number of files that the end of a zip claims, 0 where it has no end: archive/zip
// makes room for so many before it looks at one.
func zipEntries(r io.ReaderAt, size int64) (uint64, error) {
	const longest = 22 + math.MaxUint16 // the record and its comment
	tail := make([]byte, min(size, longest+20))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	i := bytes.LastIndex(tail, []byte("PK\x05\x06"))
	if i < 0 || len(tail)-i < 22 {
		return 0, nil
	}
	n := uint64(binary.LittleEndian.Uint16(tail[i+10:]))
	if i < 20 || string(tail[i-20:i-16]) != "PK\x06\x07" {
		return n, nil
	}
	at := binary.LittleEndian.Uint64(tail[i-12:])
	if at >= uint64(size) {
		return n, nil
	}
	var end64 [56]byte
	if _, err := r.ReadAt(end64[:], int64(at)); err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if string(end64[:4]) != "PK\x06\x06" {
		return n, nil
	}
	return binary.LittleEndian.Uint64(end64[32:]), nil
}

const zipStore, zipDeflate, zipZstd = 0, 8, 93

func (z *zipFile) member(f *zip.File) member {
	m := member{size: int64(f.UncompressedSize64), modified: f.Modified.UTC()}
	switch {
	case f.UncompressedSize64 > math.MaxInt64 || f.CompressedSize64 > math.MaxInt64:
		m.size, m.open = 0, refused("its size in the archive is impossible")
	case f.Mode()&fs.ModeSymlink != 0:
		m.open = refused("a symbolic link in an archive is not followed")
	case f.Flags&1 != 0:
		m.open = refused("it is encrypted in the archive; unpack it and open the folder")
	case f.Method == zipStore && f.CompressedSize64 != f.UncompressedSize64:
		m.open = refused("the archive records two sizes for it")
	case f.Method != zipStore && f.Method != zipDeflate && f.Method != zipZstd:
		m.open = refused(fmt.Sprintf("the archive compresses it with unknown method %d; unpack it and open the folder", f.Method))
	default:
		m.open = func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			return z.openMember(ctx, f, offset, length)
		}
	}
	return m
}

func (z *zipFile) openMember(ctx context.Context, f *zip.File, offset, length int64) (io.ReadCloser, error) {
	begin, err := z.dataOffset(ctx, f)
	if err != nil {
		return nil, err
	}
	from, n := within(int64(f.UncompressedSize64), offset, length)
	skip, size := from, int64(f.CompressedSize64)
	if f.Method == zipStore {
		begin, skip, size = begin+from, 0, n
	}
	rc, err := z.packed.open(ctx, begin, size)
	if err != nil {
		return nil, err
	}
	e := &exact{left: n}
	if n == int64(f.UncompressedSize64) {
		e.sum, e.want = crc32.NewIEEE(), f.CRC32
	}
	open := closers{rc}
	switch f.Method {
	case zipStore:
		e.r = rc
	case zipDeflate:
		d := flate.NewReader(rc)
		e.r, open = d, append(open, d)
	case zipZstd:
		d, err := newZstd(rc)
		if err != nil {
			return nil, errors.Join(err, rc.Close())
		}
		e.r, open = d, append(open, d)
	}
	b := &body{ctx, e, open}
	if err := discard(&body{ctx, e.r, nil}, skip); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (z *zipFile) dataOffset(ctx context.Context, f *zip.File) (int64, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.ctx = ctx
	return f.DataOffset()
}

// discard reads n bytes of r away; it is an error when r ends before.
func discard(r io.Reader, n int64) error {
	_, err := io.CopyN(io.Discard, r, n)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// exact returns as many bytes of r as the archive promises: fewer are an error, and so is another checksum.
type exact struct {
	r    io.Reader
	left int64
	sum  hash.Hash32 // nil where only a part is read
	want uint32
}

func (e *exact) Read(p []byte) (int, error) {
	if e.left == 0 {
		if e.sum != nil && e.sum.Sum32() != e.want {
			return 0, fmt.Errorf("the checksum in the archive is %08x, the contents have %08x", e.want, e.sum.Sum32())
		}
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if e.sum != nil {
		e.sum.Write(p[:n])
	}
	if errors.Is(err, io.EOF) {
		if err = nil; e.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

// closers closes from the last to the first.
type closers []io.Closer

func (c closers) Close() error {
	var err error
	for i := len(c) - 1; i >= 0; i-- {
		err = errors.Join(err, c[i].Close())
	}
	return err
}
