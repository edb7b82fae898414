package ui

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/ui/widget"
)

// ---- view

func (b *bytesScreen) view(w, h int) []string {
	t := &b.s.theme
	name := t.section.Styled(widget.Middle(safe(b.where.File), w-40))
	switch {
	case !b.done:
		return []string{" " + name, "", "   … is being read"}
	case b.err != nil && len(b.data) == 0:
		return append([]string{" " + name, ""}, b.unread(w)...)
	}
	how := size(b.size) + ", " + modes[b.mode]
	if !b.whole {
		how += " only: longer than is read whole"
	}
	head := " " + name + "  " + t.dim.Styled(how)
	if b.filter.Typing || b.filter.Pattern != "" {
		head = " " + filterLine(t, &b.filter, b.s.label(keys.next)+" next, "+b.s.label(keys.previous)+" before")
	}
	out := []string{head}
	switch b.mode {
	case decoded:
		return append(out, b.table.View(lineRows{b}, w, h-1)...)
	case asText:
		return append(out, b.text(h-1)...)
	}
	return append(out, b.hex(w, h-1)...)
}

// unread says why there is nothing to see.
func (b *bytesScreen) unread(w int) []string {
	why := checkpoint.Why(b.err)
	text := map[string]string{
		"gone":     "The file is not there. Where a finding says that it is missing, this is what it means; otherwise a running query has deleted it since it was listed, and that is no damage.",
		"denied":   "This identity may not read the file. That says nothing about what the job's own identity may do.",
		"archived": "The object is archived. Spark cannot read it either until it is restored.",
		"stopped":  b.s.withKeys("The reading was stopped. %s reads again.", keys.reread),
	}[why]
	if errors.Is(b.err, fs.ErrInvalid) { // no path within the checkpoint
		return indent(widget.Wrap("The file is outside this checkpoint, in the output or in a source. Only files of the checkpoint are shown here.", w-6))
	}
	if text == "" {
		text = b.s.withKeys("The file could not be reached. %s tries again.", keys.reread)
	}
	lines := indent(widget.Wrap(safe(b.err.Error()), w-6))
	lines = append(lines, "")
	return append(lines, indent(widget.Wrap(text, w-6))...)
}

// lineRows are the decoded lines as rows of a table.
type lineRows struct{ b *bytesScreen }

func (l lineRows) Len() int { return len(l.b.lines) }

func (l lineRows) Row(i int, r *widget.Row) {
	x := &l.b.lines[i]
	r.Cells[0] = widget.Cell{Text: placeIn(x.Where), Style: l.b.s.theme.dim}
	r.Cells[1].Text, r.Cells[2].Text = safe(x.Label), safe(x.Value)
	if x.Problem {
		r.Cells[1] = widget.Cell{Text: "! " + safe(x.Label), Style: l.b.s.theme.warn}
		r.Cells[2].Style = l.b.s.theme.warn
	}
}

// placeIn is a place within the file that is shown: "3@69".
func placeIn(w decode.Where) string {
	if w.Line > 0 {
		return fmt.Sprintf("%d@%d", w.Line, w.Offset)
	}
	return fmt.Sprintf("@%d", w.Offset)
}

func (b *bytesScreen) text(h int) []string {
	t := &b.s.theme
	if len(b.data) == 0 {
		return []string{"", "   " + t.warn.Styled("! the file has no bytes")}
	}
	from, to := b.markedBytes()
	first, last := b.cursor.Window(len(b.rows), h)
	var out []string
	for i := first; i < last; i++ {
		r := b.rows[i]
		number, lead := "    ", " "
		if r.first {
			number = t.dim.Styled(fmt.Sprintf("%4d", r.line))
		}
		if i == b.cursor.At {
			lead = "▸"
		}
		out = append(out, lead+number+" "+drawText(t, b.data, r, from, to))
	}
	return out
}

func (b *bytesScreen) hex(w, h int) []string {
	t := &b.s.theme
	per := widget.PerRow(w)
	from, to := b.markedBytes()
	first, last := b.cursor.Window(b.len(), h)
	var out []string
	if inner := strings.Contains(b.where.File, "!"); inner && h > 2 {
		out = append(out, t.dim.Styled(widget.Cut(fmt.Sprintf("   the place is @%d of what is packed within this file; these are the bytes as stored", b.where.Offset), w)))
		last = min(last, first+h-1)
	}
	for i := first; i < last; i++ {
		lead := "  "
		if i == b.cursor.At {
			lead = "▸ "
		}
		offset := int64(i) * int64(per)
		data := b.bytes(offset, per)
		if data == nil {
			out = append(out, lead+t.dim.Styled(fmt.Sprintf("%010x  …", offset)))
			continue
		}
		out = append(out, lead+widget.HexRow(offset, data, per, from, to, t.dim, t.marked))
	}
	if b.err != nil {
		out = append(out, t.unknown.Styled("? "+safe(b.err.Error())))
	}
	if b.size == 0 {
		out = append(out, "", "   "+t.warn.Styled("! the file has no bytes"))
	}
	return out
}
