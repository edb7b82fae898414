package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
)

// backend makes single requests of a store. A listing of a bucket takes many requests, so what
// counts, limits or repeats requests is a backend around a backend (meter, budget, limit, retry),
// and asStore makes a Store of the whole.
type backend interface {
	// page is one page of what lies directly under dir, in any order. token is "" for the first page,
	// afterMark and a name for a first page that may start behind that name,
	// and what the page before returned as next for the others; next is "" on the last.
	// A dir that is not there is a page of nothing.
	page(ctx context.Context, dir, token string) (found []Entry, next string, err error)

	// open is Store.Open, for a name that validName has passed.
	open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)

	// String is Store.String.
	String() string
}

// asStore makes a Store of a backend: it gathers the pages of a listing, puts them in order, and lets
// no malformed name through.
func asStore(b backend) Store { return &store{b} }

type store struct{ backend }

// List needs the whole listing before its first entry: a bucket lists the folder "a" as "a/", which is
// after "a-1", and may be on a later page.
func (s *store) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		found, err := s.gather(ctx, dir)
		for _, e := range found {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(Entry{}, err)
		}
	}
}

// gather returns the listing of dir in order, or as much of it as came before the error.
func (s *store) gather(ctx context.Context, dir string) ([]Entry, error) {
	if !validName(dir) {
		return nil, &fs.PathError{Op: "list", Path: dir, Err: fs.ErrInvalid}
	}
	var all []Entry
	for token := ""; ; {
		if err := ctx.Err(); err != nil {
			return inOrder(all), err
		}
		found, next, err := s.page(ctx, dir, token)
		all = append(all, found...)
		if err != nil || next == "" {
			return inOrder(all), err
		}
		if next == token {
			return inOrder(all), circles(s, dir)
		}
		token = next
	}
}

// circles says that a listing has no end.
func circles(s *store, dir string) error {
	return errors.New("the listing of " + join(s.String(), dir) + " does not end: the store repeats a page")
}

// inOrder sorts entries by name; where a file and a folder share one, as they can in a bucket, the
// file comes first. A folder that was found on two pages is there once.
func inOrder(all []Entry) []Entry {
	byName := func(a, b Entry) int {
		if a.Name != b.Name || a.Dir == b.Dir {
			return strings.Compare(a.Name, b.Name)
		}
		if b.Dir {
			return -1
		}
		return 1
	}
	if !slices.IsSortedFunc(all, byName) {
		slices.SortStableFunc(all, byName)
	}
	return slices.CompactFunc(all, func(a, b Entry) bool { return a.Name == b.Name && a.Dir == b.Dir })
}

func (s *store) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if !validName(name) || name == "." || offset < 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.open(ctx, name, offset, max(length, -1))
}

// validName does what fs.ValidPath does, for any bytes: a file on disk need not be named in UTF-8.
func validName(name string) bool {
	if name == "." {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// errFolder is what opening a folder as a file gives: a bucket has no such file, so nobody has.
var errFolder error = folderError{}

type folderError struct{}

func (folderError) Error() string        { return "it is a folder" }
func (folderError) Is(target error) bool { return target == fs.ErrNotExist }

// body is an open part of a file that ends when ctx does.
type body struct {
	ctx context.Context
	io.Reader
	io.Closer
}

func (b *body) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.Reader.Read(p)
}

// nothing returns the body of an empty range.
func nothing() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// cut returns the next length bytes of r; all the rest for -1.
func cut(r io.Reader, length int64) io.Reader {
	if length < 0 {
		return r
	}
	return io.LimitReader(r, length)
}

// within cuts a range to a file of size bytes: what remains may be nothing.
func within(size, offset, length int64) (from, n int64) {
	from = min(offset, size)
	if length < 0 {
		return from, size - from
	}
	return from, min(length, size-from)
}
