package storage

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// limit is a backend with no more than a number of requests under way. A small file is read to its end
// within its turn; a large one gives its turn back after its first part, because a caller that merges
// many files holds them all open and would wait for itself.
type limit struct {
	backend
	turns chan struct{}
}

const (
	requestsAtOnce = 64
	firstPart      = 256 << 10 // bytes
)

func limited(b backend) backend { return &limit{b, make(chan struct{}, requestsAtOnce)} }

// turn waits for a turn; the returned function gives it back.
func (l *limit) turn(ctx context.Context) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err // where both are ready, select chooses either
	}
	select {
	case l.turns <- struct{}{}:
		return func() { <-l.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *limit) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	done, err := l.turn(ctx)
	if err != nil {
		return nil, "", err
	}
	defer done()
	return l.backend.page(ctx, dir, token)
}

func (l *limit) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	done, err := l.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
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
