package rows

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"tidemark/ui/kit"
)

func (x *model) Copies() []kit.Copyable {
	all := kit.OneLine("p", "path", x.s.PathOf(x.dir()))
	r := x.selected()
	if r == nil || r.err != nil {
		return all
	}
	all = append(all, kit.OneLine("v", "row", strings.Join(safely(r.cells), "\t"))...)
	titles, cells := columnTitles(x.columns), slices.Clone(r.cells)
	return append(all, kit.AsJSON("the row, its columns as text", func(w *bytes.Buffer) error { return rowJSON(w, titles, cells) })...)
}

func safely(cells []string) []string {
	out := make([]string, len(cells))
	for i := range cells {
		out[i] = kit.Safe(cells[i])
	}
	return out
}

func columnTitles(columns []rowColumn) []string {
	titles := make([]string, len(columns))
	for i := range columns {
		titles[i] = columns[i].title
	}
	return titles
}

// rowJSON writes a row as one object, in the order of its columns.
func rowJSON(w *bytes.Buffer, titles, cells []string) error {
	w.WriteByte('{')
	for i := range min(len(titles), len(cells)) {
		if i > 0 {
			w.WriteByte(',')
		}
		for _, part := range []struct{ text, after string }{{titles[i], ":"}, {cells[i], ""}} {
			text, err := json.Marshal(part.text)
			if err != nil {
				return err
			}
			w.Write(text)
			w.WriteString(part.after)
		}
	}
	w.WriteByte('}')
	return nil
}
