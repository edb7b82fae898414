package files

import (
	"fmt"
	"path"
	"strings"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

// The panels.
const (
	treeID  = "tree"
	aboutID = "about"
)

func (f *model) View(w, h int) []string {
	t := &f.s.Theme
	if f.tree.Len() == 0 {
		return f.Board.View(t, w, h, &kit.Panel{ID: treeID, Title: "Files", Text: func(w int) []string { return phrase.Wrap(f.empty(), min(w, kit.Measure)) }})
	}
	tree := &kit.Panel{ID: treeID, Title: "Files", Right: f.edge(), Grow: true, Rows: &kit.Rows{Cursor: &f.tree.Cursor, Len: f.tree.Len(),
		Draw: func(w, h int, blurred bool) []string {
			drawn := f.tree
			drawn.Palette.Blurred = blurred
			return drawn.View(w, h, f.label)
		}}}
	about := f.about()
	if w >= kit.TwoColumns {
		return f.Board.View(t, w, h, kit.Across([]int{3, 2}, tree, about))
	}
	return f.Board.View(t, w, h, kit.Stack(tree, about))
}

// edge is what the tree shows in its edge: what is searched, what is being listed, or how many rows are open.
func (f *model) edge() string {
	t := &f.s.Theme
	switch {
	case f.filter.Typing || f.filter.Pattern != "":
		hits := 0
		for i := range f.tree.Len() {
			if f.filter.Wants(f.tree.Node(i).Value.path) {
				hits++
			}
		}
		return kit.FilterEdge(t, &f.filter, hits, f.tree.Len()) + t.Dim.Styled(" "+f.s.Label(kit.Keys.Next)+" next")
	case f.listing != "":
		return t.Dim.Styled("… listing " + kit.Safe(f.listing))
	}
	return ""
}

// empty says why there is no file.
func (f *model) empty() string {
	switch {
	case f.s.Err != nil && f.s.Checkpoint == nil:
		return "The files could not be listed: " + phrase.Sentence(kit.Prose(f.s.Err.Error()))
	case !f.done:
		return "… opening the checkpoint"
	}
	return "The folder is empty or does not exist. An object store cannot tell which."
}

// label draws a name, and at the right edge its size and time.
func (f *model) label(n *widget.Node[file], w int) (string, widget.Style) {
	x := &n.Value
	switch {
	case x.note != nil:
		return phrase.Cut("? not listed: "+kit.Prose(x.note.Error()), w), f.s.Theme.Unknown
	case x.dir:
		return phrase.Cut(kit.Safe(path.Base(x.path))+"/", w), f.s.Theme.Strong
	}
	facts := fmt.Sprintf("%10s  %s", phrase.Bytes(x.size), f.s.Clock.Full(x.modified))
	if w < 56 || x.modified == 0 {
		facts = fmt.Sprintf("%10s", phrase.Bytes(x.size))
	}
	room := max(w-phrase.Width(facts)-2, 8)
	return phrase.Fit(phrase.Middle(kit.Safe(path.Base(x.path)), room), room) + "  " + facts, widget.Style{}
}

// about is a panel with what the selected row is.
func (f *model) about() *kit.Panel {
	t := &f.s.Theme
	x := f.tree.Node(f.tree.At).Value
	p := &kit.Panel{ID: aboutID, Title: phrase.Middle(kit.Safe(path.Base(x.path)), 40), Rank: 1, Least: 3}
	p.Text = func(w int) []string {
		w = min(w, kit.Measure)
		if x.note != nil {
			return phrase.Wrap("The folder could not be listed: "+phrase.Sentence(kit.Prose(x.note.Error())), w)
		}
		lines := kit.Wrapped(t, "path", kit.Safe(x.path), w)
		if !x.dir {
			lines = append(lines, kit.Fact(t, "size", phrase.Bytes(x.size), w))
			if x.modified != 0 {
				lines = append(lines, kit.Fact(t, "written", f.s.Clock.Aged(x.modified), w))
			}
		}
		return append(lines, phrase.Wrap(purpose(x.path), w)...)
	}
	return p
}

// purposes are what Spark writes where; the longest prefix of a path counts.
var purposes = []struct{ prefix, text string }{
	{"metadata", "The query ID, written once. Sinks store batch IDs under it. Without this file Spark makes a new ID, and a sink no longer knows which batches it has."},
	{"offsets", "The offset log: one file a batch, written before the batch runs. A restart begins at the newest one."},
	{"commits", "The commit log: one file a batch, written after the sink has the batch. Spark re-runs a batch without one."},
	{"sources", "What sources record: first offsets, and the file source log."},
	{"state", "The state of stateful operators: one folder an operator, and in it one a state partition."},
	{"state/_metadata", "The name of the operator and the schemas of its state."},
}

func purpose(name string) string {
	base := path.Base(name)
	switch {
	case strings.HasSuffix(base, ".delta"):
		return "A delta: the changes of one state version (HDFS-backed)."
	case strings.HasSuffix(base, ".snapshot"):
		return "A snapshot: all rows of one state version (HDFS-backed)."
	case strings.HasSuffix(base, ".changelog"):
		return "A changelog: the changes of one state version (RocksDB)."
	case strings.HasSuffix(base, ".zip"):
		return "A snapshot of RocksDB: the list of its table files, and its small files."
	case strings.HasSuffix(base, ".sst"):
		return "A RocksDB table file with rows of state. Several versions can use it."
	case strings.HasSuffix(base, ".crc"):
		return "The checksum of the file with the same name. Some file systems write it."
	case strings.HasSuffix(base, ".tmp"):
		return "A temporary file that was not renamed. Spark does not read it."
	}
	out := ""
	for _, p := range purposes {
		if name == p.prefix || strings.HasPrefix(name, p.prefix+"/") {
			out = p.text
		}
	}
	if strings.Contains(name, "/_metadata") {
		out = purposes[len(purposes)-1].text
	}
	return out
}
