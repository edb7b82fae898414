package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"sync"
	"time"
)

// Store is a read-only tree of files.
//
// Names are slash-separated and relative to the root: "offsets/42", never "/offsets/42"; "." is the
// root itself. A Store is safe for concurrent use, and every call ends soon after its ctx does.
//
// Errors can be told apart with errors.Is: fs.ErrNotExist (no such file), fs.ErrPermission (access
// denied), ErrLogin (the credentials are not accepted), ErrArchived (the object must be restored before anyone can read
// it), ErrBudget (the allowed number of requests is used up), context.Canceled and context.DeadlineExceeded.
type Store interface {
	// List yields what lies directly under dir, in byte order of name ("10" before "9").
	// A dir that is not there yields nothing: an object store cannot tell it from an empty one.
	// An error ends the sequence.
	List(ctx context.Context, dir string) iter.Seq2[Entry, error]

	// Open reads length bytes of name from offset on; a length of -1 reads to the end. A range
	// that begins at or past the end reads nothing; one that reaches past it is cut short.
	Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)

	// String is the location as a person would type it, without credentials.
	String() string
}

// Entry is one line of a listing.
type Entry struct {
	Name     string    // base name
	Dir      bool      // a folder, or a common prefix in an object store
	Size     int64     // bytes; 0 for a folder
	Modified time.Time // as the store reports it, UTC; zero for a folder or where the store has none
	// Tag is another one when the file has changed, as far as the store tells: of a bucket the ETag, of a disk the
	// time of the last change of any kind, which nobody can set. 0 where it tells nothing.
	Tag uint64
}

var (
	// ErrBudget ends every request after the allowed number of them (--max-requests).
	ErrBudget = errors.New("the allowed number of requests is used up")

	// ErrLogin is a store that does not know, or no longer accepts, the credentials that it is asked with. What they
	// would be allowed is not known.
	ErrLogin = errors.New("the store does not accept the credentials")

	// ErrSecret is a location that holds what gives access to it. It is not opened: locations are shown and kept.
	ErrSecret = errors.New("a location must not contain credentials (user and password, or a signed query); remove them, and use a profile or the environment")

	// ErrArchived is an object in a storage class that must be restored before it can be read.
	ErrArchived = errors.New("the object is archived; restore it before it can be read")
)

// TooLargeError is a file that is longer than the caller is ready to read whole.
type TooLargeError struct {
	Name  string
	Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: longer than the %d bytes tidemark reads", e.Name, e.Limit)
}

// ReadFile reads name whole, but no more than limit bytes: a longer file is a *TooLargeError, and
// what was read of it comes back beside the error.
func ReadFile(ctx context.Context, s Store, name string, limit int64) ([]byte, error) {
	r, err := s.Open(ctx, name, 0, limit+1)
	if err != nil {
		return nil, err
	}
	data, err := readAll(r, limit+1)
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	if err == nil && int64(len(data)) > limit {
		return data[:limit], &TooLargeError{name, limit}
	}
	return data, err
}

// readAll reads up to limit bytes. Most files here are small: one pooled buffer serves them, and the
// result is as long as the file. It is never nil.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	buf := small.Get().(*[]byte)
	defer small.Put(buf)
	n, err := io.ReadFull(r, (*buf)[:min(int64(len(*buf)), limit)])
	data := append([]byte{}, (*buf)[:n]...)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return data, nil
	}
	if err != nil || int64(n) == limit {
		return data, err
	}
	rest, err := io.ReadAll(io.LimitReader(r, limit-int64(n)))
	return append(data, rest...), err
}

var small = sync.Pool{New: func() any { b := make([]byte, 16<<10); return &b }}

// ReaderAt reads name at random places, one ranged request a call.
func ReaderAt(ctx context.Context, s Store, name string) io.ReaderAt {
	return &readerAt{ctx, s, name}
}

type readerAt struct {
	ctx  context.Context
	s    Store
	name string
}

func (r *readerAt) ReadAt(p []byte, off int64) (int, error) {
	rc, err := r.s.Open(r.ctx, r.name, off, int64(len(p)))
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

// Sub returns the part of s below dir.
func Sub(s Store, dir string) Store {
	if dir == "." || dir == "" {
		return s
	}
	return &sub{s, dir}
}

type sub struct {
	Store
	dir string
}

func (s *sub) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return s.Store.List(ctx, s.full(dir))
}

func (s *sub) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	return s.Store.Open(ctx, s.full(name), offset, length)
}

// full returns name from the root of the store around. A malformed name stays one: cleaning "../x" would
// lead out of dir.
func (s *sub) full(name string) string {
	if !validName(name) {
		return name
	}
	return path.Join(s.dir, name)
}

func (s *sub) String() string { return join(s.Store.String(), s.dir) }

func join(location, dir string) string {
	if location == "" || location[len(location)-1] == '/' {
		return location + dir
	}
	return location + "/" + dir
}
