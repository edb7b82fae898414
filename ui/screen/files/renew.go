package files

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/ui/kit"
)

// The tree while a query is followed: the folders that are open are listed again. The cursor stays on its file, or if that is
// gone on the nearest one before it.

// relisted are the open folders as they are now.
type relisted struct {
	to   kit.ScreenID
	dirs map[string]checkpoint.Listing
}

func (r relisted) Address() kit.ScreenID { return r.to }

// mostRelisted is how many open folders are listed again in a round; the others stay as they were.
const mostRelisted = 20

// relist lists the open folders again.
func (f *model) relist() tea.Cmd {
	var names []string
	for i := range f.tree.Len() {
		if n := f.tree.Node(i); n.Branch && n.Open && len(names) < mostRelisted {
			names = append(names, n.Value.path)
		}
	}
	cp, at := f.s.Checkpoint, f.at
	if cp == nil || at.Life == nil {
		return nil
	}
	return kit.Guard(at.ID, func() tea.Msg {
		msg := relisted{at.ID, map[string]checkpoint.Listing{}}
		for l, err := range cp.Listings(at.Ctx, slices.Values(names)) {
			if err != nil {
				break
			}
			msg.dirs[l.Name] = l
		}
		return msg
	})
}

// renew builds the tree again, with the folders open that were open and could be listed, and the cursor where it was.
func (f *model) renew(msg relisted) {
	var above []string // the paths from the cursor up, itself first
	for i := f.tree.At; i >= 0 && f.tree.Node(i) != nil; i-- {
		above = append(above, f.tree.Node(i).Value.path)
	}
	below := f.tree.At - f.tree.Top
	f.tree.Reset(nodes(f.s.Checkpoint.Root))
	for i := 0; i < f.tree.Len(); i++ {
		if l, open := msg.dirs[f.tree.Node(i).Value.path]; open && f.tree.Node(i).Branch {
			f.tree.Expand(i, nodes(l))
		}
	}
	at := map[string]int{}
	for i := range f.tree.Len() {
		at[f.tree.Node(i).Value.path] = i
	}
	for _, path := range above {
		if i, there := at[path]; there {
			f.tree.At, f.tree.Top = i, max(i-below, 0)
			break
		}
	}
	f.tree.Go(f.tree.At, f.tree.Len())
}
