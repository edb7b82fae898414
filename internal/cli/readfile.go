package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"tidemark/internal/kafka"
	"tidemark/storage"
)

// smallFile reads no more than limit bytes of a file on this machine or in a bucket; flag names it in errors.
func (a *app) smallFile(ctx context.Context, flag, name string, limit int64) ([]byte, error) {
	var r io.ReadCloser
	var err error
	if places := storage.LocalPaths(name); len(places) > 0 {
		r, err = openFirst(places)
	} else {
		i := strings.LastIndexByte(name, '/')
		var store storage.Store
		if store, err = a.store(ctx, name[:i+1]); err != nil {
			return nil, err
		}
		r, err = store.Open(ctx, name[i+1:], 0, -1)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usageError("%s: %s: no such file", flag, name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return data, nil
}

// openFirst opens the first of these places that is there.
func openFirst(places []string) (io.ReadCloser, error) {
	for _, place := range places[:len(places)-1] {
		if f, err := os.Open(place); err == nil {
			return f, nil
		}
	}
	return os.Open(places[len(places)-1])
}

// readSmall reads a local file that a property names.
func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, kafka.SizeLimit+1))
	if err == nil && len(data) > kafka.SizeLimit {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, kafka.SizeLimit)
	}
	return data, err
}
