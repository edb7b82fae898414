package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// openDBFS opens dbfs:/x as /dbfs/x, which is where a Databricks machine mounts it.
func openDBFS(ctx context.Context, location string, o Options) (Store, error) {
	s, err := openPath(ctx, dbfsPath(location), location, o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (dbfs: needs the mount /dbfs, which only Databricks machines have; elsewhere use the URL of its bucket)", err)
	}
	return s, err
}

func dbfsPaths(location string) []string { return []string{dbfsPath(location)} }

func dbfsPath(location string) string {
	_, rest, _ := strings.Cut(location, ":")
	return "/dbfs/" + strings.TrimLeft(rest, "/")
}
