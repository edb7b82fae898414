package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/mask"
	"tidemark/internal/phrase"
	"tidemark/storage"
)

func (a *app) storageOptions() storage.Options {
	return storage.Options{
		EndpointURL:   a.flags.endpointURL,
		Region:        a.flags.region,
		Profile:       a.flags.profile,
		PathStyle:     a.flags.pathStyle,
		NoSignRequest: a.flags.noSign,
		MaxRequests:   a.flags.maxRequests,
		Meter:         &a.meter,
		Inside:        checkpoint.Inside,
		Wanted:        checkpoint.Wanted,
	}
}

// store returns where the bytes of a location come from.
func (a *app) store(ctx context.Context, location string) (storage.Store, error) {
	return a.storeBy(ctx, location, storage.Open)
}

// storeBy does what store does, with a function that is storage.Open or does as that does.
func (a *app) storeBy(ctx context.Context, location string,
	open func(context.Context, string, storage.Options) (storage.Store, error)) (storage.Store, error) {
	a.secrets.from(location)
	s, err := open(ctx, location, a.storageOptions())
	err = a.secrets.withoutSecrets(err)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such folder or archive", mask.Location(location))
	}
	if whole := partOf(location); err != nil && whole != "" {
		return nil, fmt.Errorf("%s is part of the checkpoint %s: open that", mask.Location(location), whole)
	}
	return s, err
}

// partOf is the checkpoint on this machine that a location is in; "" for none.
func partOf(location string) string {
	for _, place := range storage.LocalPaths(location) {
		if place, err := resolved(place); err == nil {
			if whole, ok := checkpointAround(filepath.Dir(place), ""); ok {
				return whole
			}
		}
	}
	return ""
}

// open opens the checkpoint at a location.
func (a *app) open(ctx context.Context, location string) (*checkpoint.Checkpoint, error) {
	s, err := a.store(ctx, location)
	if err != nil {
		return nil, err
	}
	return a.openIn(ctx, s, location)
}

// openIn opens the checkpoint in a store, which location names.
func (a *app) openIn(ctx context.Context, s storage.Store, location string) (*checkpoint.Checkpoint, error) {
	cp, err := checkpoint.Open(ctx, s)
	if err != nil {
		return nil, a.secrets.withoutSecrets(fmt.Errorf("%s: %w", location, err))
	}
	return cp, nil
}

// openCheckpoint opens a location for a command that only makes sense on a checkpoint.
func (a *app) openCheckpoint(ctx context.Context, location string) (*checkpoint.Checkpoint, error) {
	s, err := a.store(ctx, location)
	if err != nil {
		return nil, err
	}
	cp, err := a.openIn(ctx, s, location)
	if err == nil && !cp.IsCheckpoint() {
		if whole := partOf(location); whole != "" {
			return nil, notCheckpoint("%s is part of the checkpoint %s: open that", location, whole)
		}
		if below := a.below(ctx, s); len(below) > 0 {
			return nil, notCheckpoint("%s is not a checkpoint, but contains %s: name one, such as %s", location, strings.Join(below, ", "), strings.TrimRight(location, "/")+"/"+below[0])
		}
		return nil, notCheckpoint("%s is not a checkpoint: it has no offset log, no state and no query ID (tidemark find ROOT lists the checkpoints below a folder)", location)
	}
	return cp, err
}

// below names some checkpoints in an archive, or in a folder of this machine. A bucket is not searched: it would be asked
// many times for what find does.
func (a *app) below(ctx context.Context, s storage.Store) (names []string) {
	if storage.LocalPath(s) == "" && !storage.Packed(s) {
		return nil
	}
	for f, err := range checkpoint.Find(ctx, s, checkpoint.Search{Depth: 4, Folders: 200}) {
		if err != nil || len(names) == 5 {
			break
		}
		if f.IsCheckpoint {
			names = append(names, f.Dir)
		}
	}
	return names
}

// traffic returns what the storage has done so far, for a line of progress.
func (a *app) traffic() string {
	r := a.meter.Snapshot()
	text := phrase.Count(r.Requests()) + " requests"
	if r.Notice != "" {
		text += ", " + r.Notice
	}
	return text
}
