package files

import (
	"path"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- model

// model is the files of the checkpoint. A folder is listed when it is opened.
type model struct {
	kit.Board
	s       *kit.Session
	at      kit.Scope
	tree    widget.Tree[file]
	filter  widget.Filter
	listing string // the folder being listed; "" for none
	target  string // the path that the folders are opened down to; "" for none
	done    bool
}

// file is one row of the tree.
type file struct {
	path     string // within the checkpoint
	dir      bool
	size     int64
	modified int64 // ms since the epoch; 0 where the store has none
	note     error // why the folder above could not be listed: the row is in its place
}

// listedDir is a listing of a folder.
type listedDir struct {
	to   kit.ScreenID
	path string
	l    checkpoint.Listing
}

func (l listedDir) Address() kit.ScreenID { return l.to }

func newModel(s *kit.Session) *model {
	f := &model{s: s}
	f.tree.Palette = s.Theme.Palette()
	return f
}

func (f *model) Title() string { return "tree" }

// nodes are the rows of a listing: folders and files as a person orders them, 9 before 10.
func nodes(l checkpoint.Listing) []widget.Node[file] {
	var out []widget.Node[file]
	for _, i := range kit.InOrder(&l) {
		e := &l.Entries[i]
		x := file{path: path.Join(l.Name, e.Name), dir: e.Dir, size: e.Size}
		if !e.Modified.IsZero() {
			x.modified = e.Modified.UnixMilli()
		}
		out = append(out, widget.Node[file]{Value: x, Branch: e.Dir})
	}
	if l.Err != nil {
		out = append(out, widget.Node[file]{Value: file{path: l.Name, note: l.Err}})
	}
	return out
}

// ---- keys

func (f *model) Keys() []key.Binding {
	find := kit.Keys.Find
	find.SetHelp("/", "find")
	open := kit.Keys.Enter
	if n := f.tree.Node(f.tree.At); n != nil && n.Open {
		open.SetHelp(open.Help().Key, "close")
	}
	return kit.PanelKeys(open, find, kit.Keys.Copy, kit.Keys.Next, kit.Keys.Previous)
}

// ---- update

func (f *model) Load(at kit.Scope) tea.Cmd {
	f.at, f.listing = at, ""
	if f.s.Checkpoint == nil {
		return nil
	}
	f.done = true
	f.tree.Reset(nodes(f.s.Checkpoint.Root))
	return nil
}

func (f *model) Loading() bool { return f.listing != "" }

func (f *model) Typing() bool { return f.filter.Typing }

func (f *model) Resize(w, h int) { f.tree.Go(f.tree.At, f.tree.Len()) }

func (f *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	switch msg := msg.(type) {
	case listedDir:
		f.listing = ""
		for i := range f.tree.Len() {
			if n := f.tree.Node(i); n.Value.path == msg.path && n.Branch {
				f.tree.Expand(i, nodes(msg.l))
				break
			}
		}
		return nil, f.approach()
	case kit.Renewed:
		return nil, f.relist()
	case relisted:
		f.renew(msg)
	case tea.PasteMsg:
		if f.filter.Typing {
			f.filter.Update(msg)
			f.search(0, 1)
		}
	case tea.KeyPressMsg, kit.Input:
		f.target = ""
		return f.key(msg)
	}
	return nil, nil
}

func (f *model) key(msg tea.Msg) (kit.Action, tea.Cmd) {
	if f.filter.Typing {
		f.filter.Update(msg)
		f.search(0, 1)
		return nil, nil
	}
	in, _ := msg.(kit.Input)
	switch {
	case kit.Pressed(in, kit.Keys.Find):
		f.filter.Begin()
	case kit.Pressed(in, kit.Keys.Next):
		f.search(1, 1)
	case kit.Pressed(in, kit.Keys.Previous):
		f.search(-1, -1)
	case kit.Pressed(in, kit.Keys.Enter):
		return f.enter()
	case kit.Pressed(in, kit.Keys.Back):
		return f.out(), nil
	default:
		switch f.Handle(in) {
		case kit.BoardRow:
			f.ScrollHome(aboutID)
		case kit.NotForBoard: // nothing is drawn yet
			kit.Moved(in, &f.tree.Cursor, f.tree.Len())
		}
	}
	return nil, nil
}

// enter opens a folder, closes an open one, or goes to a file.
func (f *model) enter() (kit.Action, tea.Cmd) {
	n := f.tree.Node(f.tree.At)
	switch {
	case n == nil || n.Value.note != nil:
		return nil, nil
	case !n.Branch:
		return kit.GoFile(decode.Where{File: n.Value.path}, n.Value.size), nil
	case n.Open:
		f.tree.Collapse(f.tree.At)
		return nil, nil
	}
	return nil, f.list(n.Value.path)
}

// list lists a folder, to open it.
func (f *model) list(dir string) tea.Cmd {
	cp, at := f.s.Checkpoint, f.at
	f.listing = dir
	return kit.Guard(at.ID, func() tea.Msg { return listedDir{at.ID, dir, cp.List(at.Ctx, dir)} })
}

// approach goes to the nearest row on the way to the target, and opens that folder.
func (f *model) approach() tea.Cmd {
	if f.target == "" || f.listing != "" {
		return nil
	}
	best := -1
	for i := range f.tree.Len() {
		if p := f.tree.Node(i).Value.path; p == f.target || strings.HasPrefix(f.target, p+"/") {
			best = i
		}
	}
	if best < 0 {
		f.target = ""
		return nil
	}
	f.tree.Go(best, f.tree.Len())
	n := f.tree.Node(best)
	if n.Value.path == f.target || !n.Branch || n.Open {
		f.target = ""
		return nil
	}
	return f.list(n.Value.path)
}

// out closes the folder that the cursor is in; at the root it goes back.
func (f *model) out() kit.Action {
	if f.filter.Pattern != "" {
		f.filter.Clear()
		return nil
	}
	n := f.tree.Node(f.tree.At)
	if n != nil && n.Open {
		f.tree.Collapse(f.tree.At)
		return nil
	}
	if up := f.tree.Parent(f.tree.At); up >= 0 {
		f.tree.Go(up, f.tree.Len())
		return nil
	}
	return kit.Back{}
}

// search goes to the next row whose path has the pattern, from skip rows on, and from the end to the start.
func (f *model) search(skip, way int) {
	n := f.tree.Len()
	for i := range n {
		if f.filter.Pattern == "" || f.filter.Err != nil {
			return
		}
		at := ((f.tree.At+skip+i*way)%n + n) % n
		if f.filter.Wants(f.tree.Node(at).Value.path) {
			f.tree.Go(at, n)
			return
		}
	}
}

func (f *model) Place() string {
	if n := f.tree.Node(f.tree.At); n != nil {
		return kit.Safe(n.Value.path)
	}
	return ""
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "tree", Title: "tree", Args: "[PATH]", Does: "the files of the checkpoint", Key: kit.Keys.Tree, Tab: "Tree",
	New: func(s *kit.Session) kit.Screen { return newModel(s) }, Complete: kit.CompleteFiles,
}
