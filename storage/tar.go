package storage

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// A tar has no directory: one pass over it makes the index. A plain one is then read in place. In a
// packed one, small files are kept in memory by that pass, within CacheBytes, and the others are
// inflated again when they are asked for (see inflater).

// tarStream is the bytes of a tar while the index is made.
type tarStream interface {
	io.Reader
	at() int64 // how many bytes are behind
}

func indexTar(ctx context.Context, p packed, o Options) (*archive, error) {
	s := &skipper{ctx: ctx, packed: p}
	defer s.close()
	t := &tarIndex{archive: newArchive(), keep: o.cacheBytes(), open: p.open}
	return t.archive, t.index(ctx, s)
}

func indexTarGzip(ctx context.Context, p packed, o Options) (*archive, error) {
	return indexInflated(ctx, newInflater(p, gzipped), o)
}

func indexTarZstd(ctx context.Context, p packed, o Options) (*archive, error) {
	return indexInflated(ctx, newInflater(p, zstandard), o)
}

func indexInflated(ctx context.Context, f *inflater, o Options) (*archive, error) {
	rc, err := f.open(ctx, 0)
	if err != nil {
		return nil, err
	}
	s := &inflated{r: &body{ctx, rc, nil}, allowed: max(freeInflate, maxInflate*f.packed.size)}
	t := &tarIndex{archive: newArchive(), keep: o.cacheBytes(), keepAll: true, open: f.openRange}
	err = t.index(ctx, s)
	if err == nil && t.cut == nil {
		// The checksum stands after the content. What follows a whole stream is padding.
		if _, end := io.Copy(io.Discard, s); !errors.Is(end, gzip.ErrHeader) {
			t.cut = end
		}
		if _, tooMuch := errors.AsType[*ceilingError](t.cut); tooMuch || ctx.Err() != nil {
			err = t.cut
		}
	}
	return t.archive, errors.Join(err, rc.Close())
}

// tarIndex is the index of a tar in the making.
type tarIndex struct {
	*archive
	keep    int64 // bytes of small files that may still be kept in memory
	keepAll bool  // keep every small file, not only those with holes, which cannot be read in place
	// open reads a range of the tar.
	open func(ctx context.Context, offset, length int64) (io.ReadCloser, error)
}

// index reads the tar. One that breaks off is indexed up to there, and every listing of it ends with
// the error.
func (t *tarIndex) index(ctx context.Context, s tarStream) error {
	r := tar.NewReader(s)
	var end int64 // of the last file, with its padding
	for n := 0; ; n++ {
		h, err := r.Next()
		switch {
		case err == nil:
			if end = s.at(); !hasHoles(h) {
				end += (h.Size + 511) / 512 * 512
			}
			err = t.addHeader(h, r, s.at())
		case errors.Is(err, io.EOF) && s.at() > end:
			return nil
		case errors.Is(err, io.EOF):
			err = errors.New("its end mark is missing")
		}
		if err == nil {
			continue
		}
		if _, tooMuch := errors.AsType[*ceilingError](err); n == 0 || tooMuch || ctx.Err() != nil {
			return err
		}
		t.cut = fmt.Errorf("the archive ends early after %d files and folders, near byte %d: %w", n, s.at(), err)
		return nil
	}
}

// addHeader puts what one header says into the index; from is where its content begins.
func (t *tarIndex) addHeader(h *tar.Header, content io.Reader, from int64) error {
	m := member{size: h.Size, modified: h.ModTime.UTC()}
	switch h.Typeflag {
	case tar.TypeDir:
		return t.addFolder(h.Name)
	case tar.TypeXGlobalHeader:
		return nil
	case tar.TypeReg, tar.TypeCont, tar.TypeGNUSparse:
		holes := hasHoles(h)
		switch {
		case (holes || t.keepAll) && h.Size <= keptMember && h.Size <= t.keep:
			data, err := io.ReadAll(content)
			if err != nil {
				return err
			}
			t.keep -= h.Size
			m.open = kept(data)
		case holes:
			m.open = refused("it is a sparse file in the tar; unpack the archive and open the folder")
		default:
			m.open = t.inPlace(from, h.Size)
		}
	case tar.TypeLink:
		target, err := t.clean(h.Linkname)
		if err != nil {
			return err
		}
		var ok bool
		if m, ok = t.members[target]; !ok {
			m.open = refused(fmt.Sprintf("it is a link to %q, which is missing in the archive", h.Linkname))
		}
	case tar.TypeSymlink:
		m.size, m.open = int64(len(h.Linkname)), refused("a symbolic link in an archive is not followed")
	default:
		m.size, m.open = 0, refused(fmt.Sprintf("it is not a regular file (type %q in the tar)", h.Typeflag))
	}
	return t.add(h.Name, m)
}

// inPlace opens the file at [from, from+size) of the tar.
func (t *tarIndex) inPlace(from, size int64) func(context.Context, int64, int64) (io.ReadCloser, error) {
	return func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		skip, n := within(size, offset, length)
		rc, err := t.open(ctx, from+skip, n)
		if err != nil {
			return nil, err
		}
		return &body{ctx, &exact{r: rc, left: n}, rc}, nil
	}
}

// hasHoles reports whether the content is a sparse map and not the bytes themselves.
func hasHoles(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for k := range h.PAXRecords {
		if strings.HasPrefix(k, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// skipper reads a plain tar from front to back and jumps over large files.
type skipper struct {
	ctx context.Context
	packed
	pos  int64
	rc   io.ReadCloser
	from *bufio.Reader
}

const jump = 1 << 20 // bytes from which on a new range is cheaper than reading them

func (s *skipper) at() int64 { return s.pos }

func (s *skipper) Read(p []byte) (int, error) {
	if s.rc == nil {
		rc, err := s.packed.open(s.ctx, s.pos, -1)
		if err != nil {
			return 0, err
		}
		s.rc, s.from = rc, bufio.NewReaderSize(rc, 64<<10)
	}
	n, err := s.from.Read(p)
	s.pos += int64(n)
	return n, err
}

// Seek serves archive/tar, which only goes forward from where it stands.
func (s *skipper) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekCurrent || offset < 0 || s.pos+offset < s.pos {
		return 0, errors.ErrUnsupported
	}
	if s.rc != nil && offset < jump {
		n, err := io.CopyN(io.Discard, s.from, offset)
		s.pos += n
		return s.pos, err
	}
	s.close()
	s.pos += offset
	return s.pos, nil
}

func (s *skipper) close() {
	if s.rc != nil {
		_ = s.rc.Close() // it was only read
		s.rc = nil
	}
}
