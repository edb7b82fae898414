package cli

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"tidemark/checkpoint"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// opener opens a checkpoint, again each time it is called.
type opener func(context.Context) (*checkpoint.Checkpoint, error)

// opener opens a location. A bucket is kept, with what was read of it: opened again it is listed again, and
// only files that have changed are read again.
func (a *app) opener(location string) opener {
	store := openOnce(location, func(ctx context.Context) (storage.Store, error) { return a.store(ctx, location) })
	return func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := store(ctx)
		if err != nil {
			return nil, err
		}
		return a.openIn(ctx, s, location)
	}
}

// openOnce wraps open, the function that opens a location: a bucket is opened once, with one set of credentials and
// connections, and is listed again each time.
func openOnce(location string, open func(context.Context) (storage.Store, error)) func(context.Context) (storage.Store, error) {
	if !isBucket(location) {
		return open
	}
	var mu sync.Mutex
	var kept storage.Store
	return func(ctx context.Context) (storage.Store, error) {
		mu.Lock()
		defer mu.Unlock()
		if kept != nil {
			storage.Refresh(kept)
			return kept, nil
		}
		s, err := open(ctx)
		if err == nil {
			kept = s
		}
		return s, err
	}
}

// poller opens a location for the rounds of a following. open is how it is opened otherwise, and is all that a
// bucket needs. What a person reads on this machine is read from the disk each time, what a round reads only
// where it has changed.
func (a *app) poller(location string, open opener) opener {
	if isBucket(location) {
		return open
	}
	again := &storage.Reopener{Now: a.Now}
	return func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		s, err := a.storeBy(ctx, location, again.Open)
		if err != nil {
			return nil, err
		}
		return a.openIn(ctx, s, location)
	}
}

// partsOf are the files and folders of a checkpoint, by their names.
var partsOf = []string{"offsets", "commits", "state", "sources", "metadata"}

// around is the checkpoint that a location is a part of; "" for none. In a bucket one listing tells.
func (a *app) around(ctx context.Context, location string) string {
	if !isBucket(location) {
		return partOf(location)
	}
	for parent, name := path.Split(location); strings.Contains(parent, "/"); parent, name = path.Split(strings.TrimRight(parent, "/")) {
		if !slices.Contains(partsOf, name) {
			continue
		}
		if cp, err := a.open(ctx, parent); err == nil && cp.IsCheckpoint() {
			return strings.TrimRight(parent, "/")
		}
		return ""
	}
	return ""
}

func isBucket(location string) bool { return len(storage.LocalPaths(location)) == 0 }

// place returns how a location that was typed or found is opened.
func (a *app) place(location string) kit.Choice {
	open := a.opener(location)
	return kit.Choice{Location: lasting(location), Open: open, Poll: a.poller(location, open)}
}
