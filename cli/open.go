package cli

import (
	"context"
	"fmt"
	"os"

	"tidemark/checkpoint"
	"tidemark/storage"
)

// store is where the bytes of a location come from.
func (a *app) store(ctx context.Context, location string) (storage.Store, error) {
	if _, err := os.Stat(location); err != nil {
		return nil, err
	}
	return storage.FromFS(os.DirFS(location), location), nil
}

// open opens the checkpoint at a location.
func (a *app) open(ctx context.Context, location string) (*checkpoint.Checkpoint, error) {
	s, err := a.store(ctx, location)
	if err != nil {
		return nil, err
	}
	cp, err := checkpoint.Open(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", location, err)
	}
	return cp, nil
}

// openWhole opens a checkpoint for a command that only makes sense on one.
func (a *app) openWhole(ctx context.Context, location string) (*checkpoint.Checkpoint, error) {
	cp, err := a.open(ctx, location)
	if err == nil && !cp.IsCheckpoint() {
		return nil, notCheckpoint("%s is not a checkpoint: there is no batch log, no state and no query id (tidemark find lists what lies below)", location)
	}
	return cp, err
}
