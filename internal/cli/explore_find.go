package cli

import (
	"context"
	"iter"

	"tidemark/checkpoint"
	"tidemark/internal/page"
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
		n := &nearby{a: a, root: root, first: map[string]*kit.Found{}, yield: yield}
		n.find(ctx)
	}
}

// nearby is one search below root.
type nearby struct {
	a     *app
	root  storage.Store
	step  kit.Found             // how far it has come
	first map[string]*kit.Found // the first checkpoint of each query, by its ID
	yield func(kit.Found, error) bool
}

// find yields each folder that it has looked at, and each checkpoint as soon as it is found.
func (n *nearby) find(ctx context.Context) {
	search := checkpoint.Search{Depth: nearDepth, Folders: nearFolders, Archive: nearArchive, Left: &n.step.Left}
	for folder, err := range checkpoint.Find(ctx, n.root, search) {
		if err != nil {
			n.yield(kit.Found{}, err)
			return
		}
		n.step.Looked++
		n.step.Unread = ""
		if folder.Err != nil {
			n.step.Unread = folder.Dir + ": " + folder.Err.Error()
		}
		var more bool
		if folder.IsCheckpoint {
			more = n.checkpoint(ctx, folder)
		} else {
			more = n.yield(n.step, nil)
		}
		if !more {
			return
		}
	}
	if n.step.Left {
		n.step.Unread = ""
		n.yield(n.step, nil)
	}
}

// checkpoint yields a checkpoint, with its health a second time, and the first one of its query again once it is known to
// have a copy. It reports whether to go on.
func (n *nearby) checkpoint(ctx context.Context, folder checkpoint.Folder) bool {
	f := n.step
	f.Choice = n.a.place(storage.Sub(n.root, folder.Dir).String())
	f.Label = folder.Dir
	id := folder.QueryID(ctx)
	first := n.first[id]
	if first != nil {
		f.Same = first.Label
		if first.Same == "" {
			first.Same = f.Label
			if !n.yield(*first, nil) {
				return false
			}
		}
	}
	if !n.yield(f, nil) {
		return false
	}
	if f = n.a.health(ctx, f); !n.yield(f, nil) {
		return false
	}
	if id != "" && first == nil {
		f.Unread = ""
		n.first[id] = &f
	}
	return true
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
	f.Health, f.Outcome = page.Health(v).Word, page.Outcome(v)
	return f
}
