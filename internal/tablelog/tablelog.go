package tablelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
)

// Files is a read-only tree of files: a table, or the folder that a query writes into.
//
// Names are slash-separated and relative to the root. The error for a file that is not there satisfies
// errors.Is(err, fs.ErrNotExist).
type Files interface {
	// List yields what lies directly under dir and has a name after this one ("" for all). Names come
	// in byte order within each page of the store, and a caller that stops ranging saves the pages that
	// are left. A dir that is not there yields nothing. An error ends the sequence.
	List(ctx context.Context, dir, after string) iter.Seq2[File, error]

	// Open reads length bytes of name from offset on; a length of -1 reads to the end.
	Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)

	// String is the location as a person would type it, without credentials.
	String() string
}

// File is one line of a listing.
type File struct {
	Name     string // base name
	Dir      bool   // a folder, or a common prefix in a bucket
	Size     int64  // bytes; 0 for a folder
	Modified int64  // as the store reports it, ms since the epoch, UTC; 0 for a folder, or where it has none
}

// TooLongError is a file that is longer than is read whole.
type TooLongError struct {
	Name  string
	Limit int64 // bytes
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("%s: longer than the %d bytes tidemark reads", e.Name, e.Limit)
}

// Read reads name whole, but no more than limit bytes: a longer file is a *TooLongError.
func Read(ctx context.Context, f Files, name string, limit int64) ([]byte, error) {
	r, err := f.Open(ctx, name, 0, limit+1)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err := errors.Join(err, r.Close()); err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &TooLongError{name, limit}
	}
	return data, nil
}

// Missing reports whether err says that a file is not there.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// tailBytes are read at once from the end of a file: the footer of a Parquet file lies there, and most often
// all that is asked for.
const tailBytes = 64 << 10

// ReaderAt reads a file of this size at random places, one ranged request a call. Its last 64 KiB are fetched
// once, with the first call that touches them.
func ReaderAt(ctx context.Context, f Files, name string, size int64) io.ReaderAt {
	return &readerAt{ctx: ctx, files: f, name: name, size: size}
}

type readerAt struct {
	ctx   context.Context
	files Files
	name  string
	size  int64
	tail  []byte // from size-len(tail) on; nil before it was asked for
}

func (r *readerAt) ReadAt(p []byte, off int64) (int, error) {
	from := max(r.size-tailBytes, 0)
	if off < 0 || off < from || off > r.size {
		return r.fetch(p, off)
	}
	if r.tail == nil {
		tail := make([]byte, r.size-from)
		if n, err := r.fetch(tail, from); n < len(tail) {
			return 0, errors.Join(err, io.ErrUnexpectedEOF)
		}
		r.tail = tail
	}
	n := copy(p, r.tail[off-from:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (r *readerAt) fetch(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("%s: %d is not a place in a file: %w", r.name, off, io.ErrUnexpectedEOF)
	}
	rc, err := r.files.Open(r.ctx, r.name, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(rc, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	if cerr := rc.Close(); err == nil {
		err = cerr
	}
	return n, err
}

// Counted counts what is asked of Files.
type Counted struct {
	Files
	Lists, Opens int
}

// List is Files.List. A listing counts once, however many pages it has.
func (c *Counted) List(ctx context.Context, dir, after string) iter.Seq2[File, error] {
	c.Lists++
	return c.Files.List(ctx, dir, after)
}

// Open is Files.Open.
func (c *Counted) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	c.Opens++
	return c.Files.Open(ctx, name, offset, length)
}

// Requests are the listings and reads together.
func (c *Counted) Requests() int { return c.Lists + c.Opens }
