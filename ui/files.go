package ui

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/widget"
)

// files is the checkpoint as the files that it is. A folder is listed when it is opened.

// ---- model

type files struct {
	s       *session
	at      scope
	tree    widget.Tree[file]
	filter  widget.Filter
	listing string // the folder being listed; "" for none
	target  string // the path that the folders are opened down to; "" for none
	done    bool
	w, h    int
}

// file is one row of the tree.
type file struct {
	path     string // within the checkpoint
	dir      bool
	size     int64
	modified int64 // ms since the epoch; 0 where the store has none
	note     error // why the folder above could not be listed: the row stands for that
}

// listedDir is what lies in a folder.
type listedDir struct {
	to   screenID
	path string
	l    checkpoint.Listing
}

func (l listedDir) address() screenID { return l.to }

func newFiles(s *session) *files {
	f := &files{s: s}
	f.tree.Look = s.theme.look()
	return f
}

func (f *files) title() string { return "tree" }

// nodes are the rows of a listing: folders and files as a person orders them, 9 before 10.
func nodes(l checkpoint.Listing) []widget.Node[file] {
	var out []widget.Node[file]
	for _, i := range inOrder(&l) {
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

// inOrder are the indices of a folder's entries as a person orders them.
func inOrder(l *checkpoint.Listing) []int {
	order := make([]int, len(l.Entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return natural(l.Entries[a].Name, l.Entries[b].Name) })
	return order
}

// natural compares names by the numbers they begin with, then byte by byte. A dot before the number
// does not count, so that a checksum stands beside its file.
func natural(a, b string) int {
	number := func(s string) (int64, bool) {
		s = strings.TrimLeft(s, ".")
		end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(s)
		}
		n, err := strconv.ParseInt(s[:end], 10, 64)
		return n, err == nil
	}
	x, isX := number(a)
	y, isY := number(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	case isX != isY:
		return map[bool]int{true: 1, false: -1}[isX]
	}
	return strings.Compare(a, b)
}

// ---- keys

func (f *files) keys() []key.Binding {
	find := keys.find
	find.SetHelp("/", "find")
	return append([]key.Binding{keys.enter, keys.back, find, keys.next, keys.previous}, moving()...)
}

// ---- update

func (f *files) load(at scope) tea.Cmd {
	f.at, f.listing = at, ""
	if f.s.cp == nil {
		return nil
	}
	f.done = true
	f.tree.Reset(nodes(f.s.cp.Root))
	return nil
}

func (f *files) loading() bool { return f.listing != "" }

func (f *files) typing() bool { return f.filter.Typing }

func (f *files) resize(w, h int) {
	f.w, f.h = w, h
	f.tree.Height = max(h-1, 1)
	f.tree.Go(f.tree.At, f.tree.Len())
}

func (f *files) update(msg tea.Msg) (action, tea.Cmd) {
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
	case renewed:
		return nil, f.relist()
	case relisted:
		f.renew(msg)
	case tea.PasteMsg:
		if f.filter.Typing {
			f.filter.Update(msg)
			f.search(0, 1)
		}
	case tea.KeyPressMsg:
		f.target = ""
		return f.key(msg)
	}
	return nil, nil
}

func (f *files) key(msg tea.KeyPressMsg) (action, tea.Cmd) {
	if f.filter.Typing {
		f.filter.Update(msg)
		f.search(0, 1)
		return nil, nil
	}
	switch {
	case pressed(msg, keys.find):
		f.filter.Begin()
	case pressed(msg, keys.next):
		f.search(1, 1)
	case pressed(msg, keys.previous):
		f.search(-1, -1)
	case pressed(msg, keys.enter):
		return f.enter()
	case pressed(msg, keys.back):
		return f.out(), nil
	default:
		moved(msg, &f.tree.Cursor, f.tree.Len())
	}
	return nil, nil
}

// enter opens a folder, closes an open one, or goes to a file.
func (f *files) enter() (action, tea.Cmd) {
	n := f.tree.Node(f.tree.At)
	switch {
	case n == nil || n.Value.note != nil:
		return nil, nil
	case !n.Branch:
		return goFile(decode.Where{File: n.Value.path}, n.Value.size), nil
	case n.Open:
		f.tree.Collapse(f.tree.At)
		return nil, nil
	}
	return nil, f.list(n.Value.path)
}

// list lists a folder, to open it.
func (f *files) list(dir string) tea.Cmd {
	cp, at := f.s.cp, f.at
	f.listing = dir
	return guard(at.id, func() tea.Msg { return listedDir{at.id, dir, cp.List(at.ctx, dir)} })
}

// approach goes on to the target: to the nearest row on the way to it, and into that folder.
func (f *files) approach() tea.Cmd {
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
func (f *files) out() action {
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
	return back{}
}

// search goes to the next row whose path holds the pattern, from skip rows on, round the end.
func (f *files) search(skip, way int) {
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

func (f *files) place() string {
	if n := f.tree.Node(f.tree.At); n != nil {
		return safe(n.Value.path)
	}
	return ""
}

// ---- the lines that open it

var filesSpec = Spec{
	command: "tree", title: "tree", args: "[PATH]", does: "the files, at one of them", key: keys.tree, hint: 6,
	make: func(s *session) screen { return newFiles(s) }, complete: fileWords,
}
