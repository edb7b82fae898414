package tablelog

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
)

// FromFS are the files of an fs.FS; name is what String says.
func FromFS(fsys fs.FS, name string) Files { return &tree{fsys, name} }

type tree struct {
	fsys fs.FS
	name string
}

func (t *tree) String() string { return t.name }

func (t *tree) List(_ context.Context, dir, after string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		found, err := fs.ReadDir(t.fsys, dir)
		if err != nil && !Missing(err) {
			yield(File{}, err)
			return
		}
		for _, d := range found {
			f := File{Name: d.Name(), Dir: d.IsDir()}
			if f.Name <= after {
				continue
			}
			if info, err := d.Info(); err == nil && !f.Dir {
				f.Size = info.Size()
				if at := info.ModTime(); !at.IsZero() {
					f.Modified = at.UnixMilli()
				}
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func (t *tree) Open(_ context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	f, err := t.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, f, offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, f.Close())
	}
	if length < 0 {
		return f, nil
	}
	return &piece{io.LimitReader(f, length), f}, nil
}

type piece struct {
	io.Reader
	io.Closer
}
