package files

import (
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// ---- files and bytes

func (f *model) Command() string {
	at := ""
	if n := f.tree.Node(f.tree.At); n != nil && f.tree.At > 0 {
		at = kit.Quote(n.Value.path)
	}
	return kit.LineOf(f.filter.Typed(), "tree", at)
}

// Set opens the folders down to a path, and puts the cursor on it.
func (f *model) Set(w *kit.Words) (tea.Cmd, error) {
	at, err := kit.ValidPlace(w.Next())
	if err != nil {
		return nil, err
	}
	f.target = at.File
	return f.approach(), nil
}

func (f *model) SetFilter(pattern string) {
	f.filter.Set(pattern)
	f.search(0, 1)
}
