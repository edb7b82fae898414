package cli

import (
	"context"
	"iter"

	"tidemark/checkpoint"
	"tidemark/internal/report"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// How far the explorer looks for checkpoints by itself: nobody has asked for as much as with find.
const (
	nearDepth   = 5
	nearFolders = 2000
	nearArchive = 32 << 20 // bytes of an archive
)

// findNearby looks for checkpoints below a location, and at each that it finds.
func (a *app) findNearby(ctx context.Context, location string) iter.Seq2[kit.Found, error] {
	return func(yield func(kit.Found, error) bool) {
		root, err := a.store(ctx, location)
		if err != nil {
			yield(kit.Found{}, err)
			return
		}
		var step kit.Found
		first := map[string]*kit.Found{} // of each query, by its id
		for folder, err := range checkpoint.Find(ctx, root, checkpoint.Search{Depth: nearDepth, Folders: nearFolders, Archive: nearArchive, Left: &step.Left}) {
			if err != nil {
				yield(kit.Found{}, err)
				return
			}
			step.Looked++
			step.Unread = ""
			if folder.Err != nil {
				step.Unread = folder.Dir + ": " + folder.Err.Error()
			}
			if !folder.IsCheckpoint {
				if !yield(step, nil) {
					return
				}
				continue
			}
			f := step
			f.Choice = a.place(storage.Sub(root, folder.Dir).String())
			f.Label = folder.Dir
			id := folder.QueryID(ctx)
			twin := first[id]
			if twin != nil {
				f.Same = twin.Label
				if twin.Same == "" {
					twin.Same = f.Label
					if !yield(*twin, nil) {
						return
					}
				}
			}
			if !yield(f, nil) {
				return
			}
			if f = a.health(ctx, f); !yield(f, nil) {
				return
			}
			if id != "" && twin == nil {
				f.Unread = ""
				first[id] = &f
			}
		}
		if step.Left {
			step.Unread = ""
			yield(step, nil)
		}
	}
}

// health returns what was found, with what an examination says of it.
func (a *app) health(ctx context.Context, f kit.Found) kit.Found {
	f.Unread = ""
	f.Health, f.Outcome = "unknown", "UNKNOWN"
	cp, err := f.Open(ctx)
	if err != nil {
		return f
	}
	v := a.verdict(ctx, cp, false, nil)
	f.Health, f.Outcome = report.HealthWord(v), report.Outcome(v)
	return f
}
