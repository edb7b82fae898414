package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openPath opens what lies at a path of this machine; name is what String says.
func openPath(ctx context.Context, place, name string, o Options) (Store, error) {
	if place == "" {
		return nil, fmt.Errorf("%q: no path", name)
	}
	name = trimSlashes(name)
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		l, err := openLocal(place, name)
		if err != nil {
			return nil, err
		}
		return o.reopener.over(compose(l, o), o.cacheBytes()), nil
	case err == nil && info.Mode().IsRegular():
		return openArchiveFile(ctx, place, ".", name, o)
	case err == nil:
		return nil, fmt.Errorf("%s: it is neither a folder nor a file", place)
	}
	if archive, inner, ok := archiveAbove(place); ok {
		return openArchiveFile(ctx, archive, inner, name, o)
	}
	if missing(err) {
		err = fs.ErrNotExist
	} else {
		err = errors.Unwrap(err)
	}
	return nil, &fs.PathError{Op: "open", Path: place, Err: err}
}

// archiveAbove cuts "backup.zip/orders/cp" at the first part that is a file.
func archiveAbove(place string) (archive, inner string, ok bool) {
	place = filepath.Clean(place)
	for at := place; ; {
		up := filepath.Dir(at)
		if up == at {
			return "", "", false
		}
		at = up
		if info, err := os.Stat(at); err == nil {
			if !info.Mode().IsRegular() {
				return "", "", false
			}
			inner := strings.TrimPrefix(place[len(at):], string(filepath.Separator))
			return at, filepath.ToSlash(inner), true
		}
	}
}

func trimSlashes(name string) string {
	if short := strings.TrimRight(name, "/"); short != "" && !strings.HasSuffix(short, ":") {
		return short
	}
	return name
}
