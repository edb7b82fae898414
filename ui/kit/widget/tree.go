package widget

import (
	"slices"

	"tidemark/internal/phrase"
)

// Node is one row of a tree.
type Node[T any] struct {
	Value  T
	Depth  int // 0 for a root
	Branch bool
	Open   bool
}

// Tree is a tree as the flat list of the rows that can be seen. Only opening and closing a branch
// touches the list; moving and drawing cost what is on the screen.
type Tree[T any] struct {
	Cursor
	Palette Palette
	nodes   []Node[T]
}

// Len is how many rows can be scrolled through.
func (t *Tree[T]) Len() int { return len(t.nodes) }

// Node is row i, or nil.
func (t *Tree[T]) Node(i int) *Node[T] {
	if i < 0 || i >= len(t.nodes) {
		return nil
	}
	return &t.nodes[i]
}

// Reset makes these the roots, all closed.
func (t *Tree[T]) Reset(roots []Node[T]) {
	t.nodes = slices.Clone(roots)
	t.Go(t.At, len(t.nodes))
}

// Expand opens row at and puts its children below it.
func (t *Tree[T]) Expand(at int, children []Node[T]) {
	n := t.Node(at)
	if n == nil || n.Open {
		return
	}
	n.Open = true
	for i := range children {
		children[i].Depth = n.Depth + 1
	}
	t.nodes = slices.Insert(t.nodes, at+1, children...)
	if t.At > at {
		t.At += len(children)
	}
	t.Go(t.At, len(t.nodes))
}

// Collapse closes row at; a selection below it moves to it.
func (t *Tree[T]) Collapse(at int) {
	n := t.Node(at)
	if n == nil || !n.Open {
		return
	}
	end := t.end(at)
	n.Open = false
	t.nodes = slices.Delete(t.nodes, at+1, end)
	switch {
	case t.At >= end:
		t.At -= end - at - 1
	case t.At > at:
		t.At = at
	}
	t.Go(t.At, len(t.nodes))
}

// end is the row after the last one below row at.
func (t *Tree[T]) end(at int) int {
	end := at + 1
	for end < len(t.nodes) && t.nodes[end].Depth > t.nodes[at].Depth {
		end++
	}
	return end
}

// Parent is the row that row at hangs below; -1 for a root.
func (t *Tree[T]) Parent(at int) int {
	if t.Node(at) == nil {
		return -1
	}
	for i := at - 1; i >= 0; i-- {
		if t.nodes[i].Depth < t.nodes[at].Depth {
			return i
		}
	}
	return -1
}

// View draws the rows that fit in h lines of w cells. label draws the value of a row in the cells
// that its depth leaves.
func (t *Tree[T]) View(w, h int, label func(n *Node[T], w int) (string, Style)) []string {
	from, to := t.Window(len(t.nodes), h)
	out := make([]string, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		n := &t.nodes[i]
		sign := "  "
		if n.Branch && n.Open {
			sign = "▾ "
		} else if n.Branch {
			sign = "› "
		}
		lead := phrase.Blanks(min(2*n.Depth, max(w/2, 0))) + sign
		text, style := label(n, w-2*pad-phrase.Width(lead))
		out = append(out, t.Palette.Row(lead+style.Styled(text), w, i == t.At))
	}
	return out
}
