package storage

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"path"
)

// Without returns s as it would be if some files and folders were moved out of it: neither a listing nor Open finds
// them, nor what lies below them. Names are as in Store. Nothing is read that is not asked for, and what s
// remembers serves both.
func Without(s Store, names []string) Store {
	w := &without{Store: s, hidden: make(map[string]bool, len(names))}
	for _, name := range names {
		w.hidden[name] = true
	}
	return w
}

type without struct {
	Store
	hidden map[string]bool
}

// hides reports whether a name, or a folder above it, is out of the way.
func (w *without) hides(name string) bool {
	for ; name != "." && name != "/" && name != ""; name = path.Dir(name) {
		if w.hidden[name] {
			return true
		}
	}
	return false
}

func (w *without) List(ctx context.Context, dir string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if w.hides(dir) {
			return
		}
		for e, err := range w.Store.List(ctx, dir) {
			if err == nil && w.hidden[path.Join(dir, e.Name)] {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (w *without) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if w.hides(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.Store.Open(ctx, name, offset, length)
}
