package testfiles

import (
	"context"
	"io"
	"iter"
	"testing/fstest"

	"tidemark/storage"
)

// Tree returns a Store of these files, by name.
func Tree(files map[string]string) storage.Store {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return storage.FromFS(fsys, "s3://bucket/cp")
}

// Faulty is a Store that fails for what has a name in Broken: a file, or a folder with a slash after it.
type Faulty struct {
	storage.Store
	Broken map[string]error
}

func (s *Faulty) List(ctx context.Context, dir string) iter.Seq2[storage.Entry, error] {
	if err := s.Broken[dir+"/"]; err != nil {
		return func(yield func(storage.Entry, error) bool) { yield(storage.Entry{}, err) }
	}
	return s.Store.List(ctx, dir)
}

func (s *Faulty) Open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := s.Broken[name]; err != nil {
		return nil, err
	}
	return s.Store.Open(ctx, name, offset, length)
}
