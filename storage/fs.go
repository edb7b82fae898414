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

// FromFS is the store of any fs.FS; name is what String says. It is the store of tests and of the
// archives inside the program.
func FromFS(fsys fs.FS, name string) Store { return &fsStore{fsys, name} }

type fsStore struct {
	fsys fs.FS
	name string
}

func (s *fsStore) String() string { return s.name }

func (s *fsStore) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Entry{}, err)
			return
		}
		found, err := fs.ReadDir(s.fsys, dir)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		entries := make([]Entry, 0, len(found))
		for _, d := range found {
			e := Entry{Name: d.Name(), Dir: d.IsDir()}
			if !e.Dir {
				info, err := d.Info()
				if errors.Is(err, fs.ErrNotExist) {
					continue // gone between the listing and the look
				}
				if err != nil {
					yield(Entry{}, err)
					return
				}
				e.Size, e.Modified = info.Size(), info.ModTime().UTC()
			}
			entries = append(entries, e)
		}
		slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *fsStore) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := section(f, offset, length)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// section is the asked part of an open file.
func section(f io.Reader, offset, length int64) (io.Reader, error) {
	if offset > 0 {
		if s, ok := f.(io.Seeker); ok {
			if _, err := s.Seek(offset, io.SeekStart); err != nil {
				return nil, err
			}
		} else if _, err := io.CopyN(io.Discard, f, offset); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	if length >= 0 {
		return io.LimitReader(f, length), nil
	}
	return f, nil
}
