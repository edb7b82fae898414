package storage

import (
	"context"
	"fmt"
)

func openArchiveFile(ctx context.Context, place, inner, name string, o Options) (Store, error) {
	return nil, fmt.Errorf("%s: it is a file and no archive", place)
}
