package batch

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// ---- view

func (b *model) leftWidth() int {
	if b.w >= kit.WideFrom {
		return b.w * 3 / 5
	}
	return b.w
}

func (b *model) View(w, h int) []string {
	if !b.done {
		return []string{"", fmt.Sprintf("   … batch %d is being read", b.id)}
	}
	b.zone = kit.Zone{}
	if w < kit.WideFrom {
		if b.raw {
			return kit.Indent1(b.rawPane(w-2, h))
		}
		return b.left(w, h)
	}
	left := b.leftWidth()
	return widget.Beside(b.left(left, h), left, b.s.Theme.Dim.Styled(" │ "), b.rawPane(w-left-4, h), h)
}

func (b *model) left(w, h int) []string {
	from, to := b.cursor.Window(len(b.lines), h)
	b.zone = kit.Zone{Width: w, From: from, To: to}
	var out []string
	for i := from; i < to; i++ {
		text := b.lines[i].text
		if i == b.cursor.At && b.lines[i].at.File != "" {
			text = b.s.Theme.Selection.Styled(phrase.Fit("▸"+strip1(text), w))
		}
		out = append(out, text)
	}
	return out
}

// rawPane is both files as written, scrolled to the selected bytes.
func (b *model) rawPane(w, h int) []string {
	t := &b.s.Theme
	var sel batchLine
	if b.cursor.At < len(b.lines) {
		sel = b.lines[b.cursor.At]
	}
	var out []string
	focus := 0
	for i := range b.files {
		f := &b.files[i]
		if f.name == "" {
			return []string{t.Dim.Styled("…")}
		}
		if i > 0 {
			out = append(out, "")
		}
		head := t.Strong.Styled(f.name)
		switch {
		case f.gone():
			head += "  is not there"
		case f.err != nil && f.data == nil:
			head += "  " + t.Unknown.Styled("? could not be read: "+kit.Safe(f.err.Error()))
		default:
			head += t.Dim.Styled("  " + phrase.Bytes(int64(len(f.data))))
		}
		out = append(out, head)
		if len(f.data) == 0 {
			if f.err == nil {
				out = append(out, t.Warn.Styled("! the file has no bytes"))
			}
			continue
		}
		rows := kit.TextRows(f.data, w-4)
		from, to := int64(-1), int64(-1)
		if sel.at.File == f.name {
			from, to = marked(sel.at, sel.line, f.data, rows)
			focus = len(out) + kit.RowAt(rows, from)
		}
		for _, r := range rows {
			number := "    "
			if r.First {
				number = t.Dim.Styled(fmt.Sprintf("%3d ", r.Line))
			}
			out = append(out, number+kit.DrawText(t, f.data, r, from, to))
		}
	}
	skip := max(min(focus-h/2, len(out)-h), 0)
	return out[skip:min(skip+h, len(out))]
}

// marked are the bytes that a place stands for: a value, or the whole line.
func marked(at decode.Where, line bool, data []byte, rows []kit.TextRow) (from, to int64) {
	if !line {
		return at.Offset, kit.ValueEnd(data, at.Offset)
	}
	from = at.Offset
	if at.Offset == 0 && at.Line > 1 {
		for _, r := range rows {
			if r.Line == at.Line {
				from = int64(r.From)
				break
			}
		}
	}
	from = min(from, int64(len(data)))
	if n := strings.IndexByte(string(data[from:]), '\n'); n >= 0 {
		return from, from + int64(n)
	}
	return from, int64(len(data))
}

// strip1 is text without styles and without its first blank, where the mark of the selection goes.
func strip1(s string) string { return strings.TrimPrefix(kit.Unstyled(s), " ") }

// RowAt returns the line of what the batch means at a cell and a line of the screen.
func (b *model) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = b.zone.RowAt(x, y)
	return row, row == b.cursor.At, ok
}
