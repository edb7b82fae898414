package storage

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"syscall"
)

// FromFS makes a store of any fs.FS; name is what String says.
func FromFS(fsys fs.FS, name string) Store { return asStore(&fsBackend{fsys, name}) }

type fsBackend struct {
	fsys fs.FS
	name string
}

func (s *fsBackend) String() string { return s.name }

func (s *fsBackend) page(_ context.Context, dir, _ string) ([]Entry, string, error) {
	listed, err := fs.ReadDir(s.fsys, dir)
	if missing(err) {
		return nil, "", nil
	}
	if err != nil {
		if info, serr := fs.Stat(s.fsys, dir); serr == nil && !info.IsDir() {
			return nil, "", nil
		}
		return nil, "", err
	}
	found := make([]Entry, 0, len(listed))
	for _, d := range listed {
		e := Entry{Name: d.Name(), Dir: d.IsDir()}
		if !e.Dir {
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // gone between the listing and the look
			}
			if err != nil {
				return found, "", err
			}
			e.Size, e.Modified = info.Size(), info.ModTime().UTC()
		}
		found = append(found, e)
	}
	return found, "", nil
}

// missing reports whether err says that there is no such folder, be it that a file has its name.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func (s *fsBackend) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := section(f, name, offset, length)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &body{ctx, r, f}, nil
}

// section returns the asked part of an open file.
func section(f fs.File, name string, offset, length int64) (io.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errFolder}
	}
	if offset >= info.Size() {
		return strings.NewReader(""), nil
	}
	if offset > 0 {
		if s, ok := f.(io.Seeker); ok {
			if _, err := s.Seek(offset, io.SeekStart); err != nil {
				return nil, err
			}
		} else if _, err := io.CopyN(io.Discard, f, offset); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	return cut(f, length), nil
}
