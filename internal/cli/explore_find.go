package cli

import (
	"context"
	"iter"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// How far the explorer searches by itself: the command find searches further.
const (
	nearDepth   = 5
	nearFolders = 2000
	nearArchive = 32 << 20 // bytes of an archive
)

// findNearby searches for checkpoints below a location, and checks each that it finds.
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
	step  kit.Found             // how far it is
	first map[string]*kit.Found // the first checkpoint of each query, by its ID
	yield func(kit.Found, error) bool
}

// find yields each folder that was listed, and each checkpoint as soon as it is found.
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

// checkpoint yields a checkpoint, a second time when it is checked, and the first one of its query again once a copy of that
// is found. It reports whether to continue.
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
	if f = n.a.checked(ctx, f); !n.yield(f, nil) {
		return false
	}
	if id != "" && first == nil {
		f.Unread = ""
		n.first[id] = &f
	}
	return true
}

// checked returns what was found, with what a check says of it.
func (a *app) checked(ctx context.Context, f kit.Found) kit.Found {
	f.Unread = ""
	cp, err := f.Open(ctx)
	if err != nil {
		f.Summary = kit.Summary{State: checks.NoVerdict, Short: "could not be read", Does: "the checkpoint could not be read", Because: kit.Prose(phrase.Sentence(err.Error()))}
		return f
	}
	f.Summary = kit.SummaryOf(a.verdict(ctx, cp, false, nil))
	return f
}
