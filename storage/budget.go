package storage

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
)

// budget is a backend that makes no more than a number of requests; every one after them is an
// ErrBudget. A page of a listing is a request, and so is each repeated one.
type budget struct {
	backend
	allowed int64
	made    *atomic.Int64 // that of the Meter, so that stores which share one share the budget
}

func (b *budget) spend() error {
	if b.made.Add(1) > b.allowed {
		return fmt.Errorf("%w: %d", ErrBudget, b.allowed)
	}
	return nil
}

func (b *budget) page(ctx context.Context, dir, token string) ([]Entry, string, error) {
	if err := b.spend(); err != nil {
		return nil, "", err
	}
	return b.backend.page(ctx, dir, token)
}

func (b *budget) open(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error) {
	if err := b.spend(); err != nil {
		return nil, err
	}
	return b.backend.open(ctx, name, offset, length)
}
