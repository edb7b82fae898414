package file

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (b *model) View(w, h int) []string {
	t := &b.s.Theme
	b.zone = kit.Zone{}
	name := t.Strong.Styled(phrase.Middle(kit.Safe(b.where.File), w-40))
	switch {
	case !b.done:
		return []string{" " + name, "", "   … is being read"}
	case b.err != nil && len(b.data) == 0:
		return append([]string{" " + name, ""}, b.unread(w)...)
	}
	how := phrase.Bytes(b.size) + ", " + modes[b.mode]
	if !b.whole {
		how += " only: longer than is read whole"
	}
	head := " " + name + "  " + t.Dim.Styled(how)
	if b.filter.Typing || b.filter.Pattern != "" {
		head = " " + kit.FilterLine(t, &b.filter, b.s.Label(kit.Keys.Next)+" next, "+b.s.Label(kit.Keys.Previous)+" before")
	}
	out := []string{head}
	switch b.mode {
	case decoded:
		from, to := b.table.Window(len(b.lines), h-2)
		b.zone = kit.Zone{Top: 2, Width: w, From: from, To: to}
		return append(out, b.table.View(lineRows{b}, w, h-1)...)
	case asText:
		return append(out, b.text(w, h-1)...)
	}
	return append(out, b.hex(w, h-1)...)
}

// unread says why there is nothing to see.
func (b *model) unread(w int) []string {
	why := checkpoint.Why(b.err)
	text := map[string]string{
		"gone":     "The file is not there. Where a finding says that it is missing, this is what it means; otherwise a running query has deleted it since it was listed, and that is no damage.",
		"denied":   "This identity may not read the file. That says nothing about what the job's own identity may do.",
		"archived": "The object is archived. Spark cannot read it either until it is restored.",
		"stopped":  b.s.WithKeys("The reading was stopped. %s reads again.", kit.Keys.Reread),
	}[why]
	if errors.Is(b.err, fs.ErrInvalid) { // no path within the checkpoint
		return kit.Indent(phrase.Wrap("The file is outside this checkpoint, in the output or in a source. Only files of the checkpoint are shown here.", w-6))
	}
	if text == "" {
		text = b.s.WithKeys("The file could not be reached. %s tries again.", kit.Keys.Reread)
	}
	lines := kit.Indent(phrase.Wrap(kit.Safe(b.err.Error()), w-6))
	lines = append(lines, "")
	return append(lines, kit.Indent(phrase.Wrap(text, w-6))...)
}

// lineRows are the decoded lines as rows of a table.
type lineRows struct{ b *model }

func (l lineRows) Len() int { return len(l.b.lines) }

func (l lineRows) Row(i int, r *widget.Row) {
	x := &l.b.lines[i]
	r.Cells[0] = widget.Cell{Text: placeIn(x.Where), Style: l.b.s.Theme.Dim}
	r.Cells[1].Text, r.Cells[2].Text = kit.Safe(x.Label), kit.Safe(x.Value)
	if x.Problem {
		r.Cells[1] = widget.Cell{Text: "! " + kit.Safe(x.Label), Style: l.b.s.Theme.Warn}
		r.Cells[2].Style = l.b.s.Theme.Warn
	}
}

// placeIn is a place within the file that is shown: "3@69".
func placeIn(w decode.Where) string {
	if w.Line > 0 {
		return fmt.Sprintf("%d@%d", w.Line, w.Offset)
	}
	return fmt.Sprintf("@%d", w.Offset)
}

func (b *model) text(w, h int) []string {
	t := &b.s.Theme
	if len(b.data) == 0 {
		return []string{"", "   " + t.Warn.Styled("! the file has no bytes")}
	}
	from, to := b.markedBytes()
	first, last := b.cursor.Window(len(b.rows), h)
	b.zone = kit.Zone{Top: 1, Width: w, From: first, To: last}
	var out []string
	for i := first; i < last; i++ {
		r := b.rows[i]
		number, lead := "    ", " "
		if r.First {
			number = t.Dim.Styled(fmt.Sprintf("%4d", r.Line))
		}
		if i == b.cursor.At {
			lead = "▸"
		}
		out = append(out, lead+number+" "+kit.DrawText(t, b.data, r, from, to))
	}
	return out
}

func (b *model) hex(w, h int) []string {
	t := &b.s.Theme
	per := widget.PerRow(w)
	from, to := b.markedBytes()
	first, last := b.cursor.Window(b.len(), h)
	var out []string
	if inner := strings.Contains(b.where.File, "!"); inner && h > 2 {
		out = append(out, t.Dim.Styled(phrase.Cut(fmt.Sprintf("   the place is @%d of what is packed within this file; these are the bytes as stored", b.where.Offset), w)))
		last = min(last, first+h-1)
	}
	b.zone = kit.Zone{Top: 1 + len(out), Width: w, From: first, To: last}
	for i := first; i < last; i++ {
		lead := "  "
		if i == b.cursor.At {
			lead = "▸ "
		}
		offset := int64(i) * int64(per)
		data := b.bytes(offset, per)
		if data == nil {
			out = append(out, lead+t.Dim.Styled(fmt.Sprintf("%010x  …", offset)))
			continue
		}
		out = append(out, lead+widget.HexRow(offset, data, per, from, to, t.Dim, t.Marked))
	}
	if b.err != nil {
		out = append(out, t.Unknown.Styled("? "+kit.Safe(b.err.Error())))
	}
	if b.size == 0 {
		out = append(out, "", "   "+t.Warn.Styled("! the file has no bytes"))
	}
	return out
}

// RowAt returns the row at a cell and a line of the screen.
func (b *model) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = b.zone.RowAt(x, y)
	at := b.cursor.At
	if b.mode == decoded {
		at = b.table.At
	}
	return row, row == at, ok
}
