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

func (f *model) View(w, h int) []string {
	t := &f.s.Theme
	if !f.done {
		return []string{"", "   … the checkpoint is being opened"}
	}
	if f.tree.Len() == 0 {
		return []string{"", "   The folder is empty, or is not there: an object store cannot tell the two apart."}
	}
	head := t.Dim.Styled(" folders are listed when they are opened")
	switch {
	case f.filter.Typing || f.filter.Pattern != "":
		head = " " + kit.FilterLine(t, &f.filter, "in the names that are listed; "+f.s.Label(kit.Keys.Next)+" next, "+f.s.Label(kit.Keys.Previous)+" before")
	case f.listing != "":
		head = " … listing " + kit.Safe(f.listing)
	}
	left := w
	if w >= kit.WideFrom {
		left = w * 3 / 5
	}
	from, to := f.tree.Window(f.tree.Len(), h-1)
	f.zone = kit.Zone{Top: 1, Width: left, From: from, To: to}
	lines := append([]string{phrase.Cut(head, left)}, f.tree.View(left, h-1, f.label)...)
	if w < kit.WideFrom {
		return lines
	}
	return widget.Beside(lines, left, f.s.Theme.Dim.Styled(" │ "), f.about(w-left-4), h)
}

// label draws a name, and at the right edge its size and time.
func (f *model) label(n *widget.Node[file], w int) (string, widget.Style) {
	x := &n.Value
	switch {
	case x.note != nil:
		return phrase.Cut("? could not be listed: "+kit.Safe(x.note.Error()), w), f.s.Theme.Unknown
	case x.dir:
		return phrase.Cut(kit.Safe(path.Base(x.path))+"/", w), f.s.Theme.Strong
	}
	facts := fmt.Sprintf("%10s  %s", phrase.Bytes(x.size), f.s.Clock.Full(x.modified))
	if w < 56 {
		facts = fmt.Sprintf("%10s", phrase.Bytes(x.size))
	}
	room := max(w-phrase.Width(facts)-2, 8)
	return phrase.Fit(phrase.Middle(kit.Safe(path.Base(x.path)), room), room) + "  " + facts, widget.Style{}
}

// about says what the selected row is for.
func (f *model) about(w int) []string {
	t := &f.s.Theme
	n := f.tree.Node(f.tree.At)
	if n == nil {
		return nil
	}
	x := &n.Value
	lines := []string{t.Strong.Styled(phrase.Middle(kit.Safe(x.path), w))}
	if x.note != nil {
		return append(lines, phrase.Wrap(kit.Safe(x.note.Error()), w)...)
	}
	if !x.dir {
		lines = append(lines, kit.Fact(t, "size", phrase.Bytes(x.size), w), kit.Fact(t, "written", f.s.Clock.Aged(x.modified), w))
	}
	if text := purpose(x.path); text != "" {
		lines = append(lines, "")
		lines = append(lines, phrase.Wrap(text, w)...)
	}
	return lines
}

// purposes says what Spark keeps where; the longest beginning of a path that fits counts.
var purposes = []struct{ prefix, text string }{
	{"metadata", "The query id, written once. Sinks remember the batches of the query under it: without it Spark makes up a new one, and exactly-once sinks no longer know what they have."},
	{"offsets", "One file a batch: what it was planned to read, written before the batch runs. The newest one tells a restart where it stands."},
	{"commits", "One file a batch: it is complete, written after the sink has it. A plan without one is run again."},
	{"sources", "What some kinds of sources keep of their own: first offsets, the lists of files that were seen."},
	{"state", "The state of stateful operators: a folder an operator, in it one a partition."},
	{"state/_metadata", "What the operator is, and the schemas of its state."},
}

func purpose(name string) string {
	base := path.Base(name)
	switch {
	case strings.HasSuffix(base, ".delta"):
		return "What one version changed in a state store of the HDFS-backed provider."
	case strings.HasSuffix(base, ".snapshot"):
		return "All rows of a state store at one version, of the HDFS-backed provider."
	case strings.HasSuffix(base, ".changelog"):
		return "What one version changed in a state store of RocksDB."
	case strings.HasSuffix(base, ".zip"):
		return "One version of a RocksDB state store: which table files belong to it, and its small files."
	case strings.HasSuffix(base, ".sst"):
		return "A RocksDB table file: rows of a state store. Several versions share it."
	case strings.HasSuffix(base, ".crc"):
		return "A checksum of the file beside it, which some file systems write."
	case strings.HasSuffix(base, ".tmp"):
		return "A temporary file that was not renamed yet, or never will be. Spark does not read it."
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

// RowAt returns the row at a cell and a line of the screen.
func (f *model) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = f.zone.RowAt(x, y)
	return row, row == f.tree.At, ok
}
