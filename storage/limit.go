package storage

import (
	"bytes"
	"context"
	"errors"
	"io"

	"golang.org/x/sync/semaphore"
)

// limit is a backend with no more than a number of requests under way. A small file is read to its end
// within its turn; a large one gives its turn back after its first part, because a caller that merges
// many files holds them all open and would wait for itself.
type limit struct {
	backend
	turns *semaphore.Weighted
}

const (
	requestsAtOnce = 64
	firstPart      = 256 << 10 // bytes
)

func limited(b backend) backend { return &limit{b, semaphore.NewWeighted(requestsAtOnce)} }

func (l *limit) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	if err := l.turns.Acquire(ctx, 1); err != nil {
		return nil, "", err
	}
	defer l.turns.Release(1)
	return l.backend.page(ctx, dir, token)
}

func (l *limit) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := l.turns.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer l.turns.Release(1)
	rc, err := l.backend.open(ctx, name, offset, length)
	if err != nil {
		return nil, err
	}
	first, err := io.ReadAll(io.LimitReader(rc, firstPart))
	if err != nil {
		return nil, errors.Join(err, rc.Close())
	}
	if len(first) < firstPart {
		return io.NopCloser(bytes.NewReader(first)), rc.Close()
	}
	return &joined{io.MultiReader(bytes.NewReader(first), rc), rc}, nil
}

type joined struct {
	io.Reader
	io.Closer
}
