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

// fileID is the panel of the file.
const fileID = "file"

func (b *model) View(w, h int) []string {
	p := &kit.Panel{ID: fileID, Title: phrase.Middle(kit.Safe(b.where.File), w/2), Grow: true}
	switch failed := b.s.Err != nil && b.s.Checkpoint == nil; {
	case failed:
		p.Text = func(w int) []string {
			return phrase.Wrap("The file could not be read: "+phrase.Sentence(kit.Prose(b.s.Err.Error())), min(w, kit.Measure))
		}
	case !b.done:
		p.Text = func(int) []string { return []string{"… reading the file"} }
	case b.err != nil && len(b.data) == 0:
		p.Text = func(w int) []string { return b.unread(min(w, kit.Measure)) }
	case b.size == 0:
		p.Sign = phrase.Sign{Symbol: "!", Role: phrase.Warn}
		p.Text = func(int) []string { return []string{"The file has no bytes."} }
	default:
		p.Right, p.Rows = b.edge(), b.drawn()
	}
	return b.Board.View(&b.s.Theme, w, h, p)
}

// edge is what is searched, or how the file is shown and the place under the cursor.
func (b *model) edge() string {
	t := &b.s.Theme
	if b.filter.Typing || b.filter.Pattern != "" {
		hits, of := b.hitRows()
		return kit.FilterEdge(t, &b.filter, hits, of)
	}
	how := phrase.Bytes(b.size) + " · " + modes[b.mode]
	if !b.whole {
		how += " only: a long file"
	}
	return t.Dim.Styled(how+" · ") + t.Accent.Styled(placeIn(b.here()))
}

// drawn are the rows of the present view.
func (b *model) drawn() *kit.Rows {
	switch b.mode {
	case decoded:
		return kit.TableRows(&b.table, lineRows{b})
	case asText:
		return &kit.Rows{Cursor: &b.cursor, Len: len(b.rows), Draw: b.text}
	}
	return &kit.Rows{Cursor: &b.cursor, Len: b.len(), Head: b.hexHead(), Draw: b.hex}
}

// unread says why there is nothing to see, and what to do about it.
func (b *model) unread(w int) []string {
	text := map[string]string{
		"gone":     "The file is missing. A finding names it if the restart needs it; otherwise the running query deleted it after it was listed.",
		"denied":   "This identity may not read the file. The identity of the job may still be allowed to.",
		"archived": "The object is archived. Spark cannot read it either until it is restored.",
		"stopped":  b.s.WithKeys("The reading was stopped. %s reads again.", kit.Keys.Reread),
	}[checkpoint.Why(b.err)]
	if errors.Is(b.err, fs.ErrInvalid) { // no path within the checkpoint
		return phrase.Wrap("The file is outside this checkpoint, in the sink or in a source. Only files of the checkpoint are shown here.", w)
	}
	if text == "" {
		text = b.s.WithKeys("The file could not be read. %s tries again.", kit.Keys.Reread)
	}
	if errors.Is(b.err, fs.ErrNotExist) { // the store has nothing to add to that
		return phrase.Wrap(text, w)
	}
	return append(phrase.Wrap(text, w), kit.StyledLines(b.s.Theme.Dim, phrase.Wrap(kit.Prose(b.err.Error()), w))...)
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

// numberCells are those of the number of a line and the blank behind it.
const numberCells = 6

// textCells are those that a line of the file has.
func (b *model) textCells() int { return max(b.w-2-numberCells, 1) }

// row is a line as a row under a cursor.
func (b *model) row(line string, w, i int, blurred bool) string {
	palette := b.s.Theme.Palette()
	palette.Blurred = blurred
	return palette.Row(line, w, i == b.cursor.At)
}

func (b *model) text(w, h int, blurred bool) (out []string) {
	t := &b.s.Theme
	from, to := b.markedBytes()
	first, last := b.cursor.Window(len(b.rows), h)
	for i := first; i < last; i++ {
		r, number := b.rows[i], ""
		if r.First {
			number = fmt.Sprint(r.Line)
		}
		out = append(out, b.row(t.Dim.Styled(phrase.FitRight(number, numberCells-1))+" "+kit.DrawText(t, b.data, r, from, to), w, i, blurred))
	}
	return out
}

// hexHead is how many lines are above the bytes: those of a file within the file are as they are stored.
func (b *model) hexHead() int {
	if strings.Contains(b.where.File, "!") || b.err != nil {
		return 1
	}
	return 0
}

func (b *model) hex(w, h int, blurred bool) (out []string) {
	t := &b.s.Theme
	per := widget.PerRow(b.w)
	from, to := b.markedBytes()
	switch {
	case b.err != nil:
		out = append(out, " "+t.Unknown.Styled("?")+" "+phrase.Cut(kit.Prose(b.err.Error()), w-4))
	case b.hexHead() > 0:
		out = append(out, " "+t.Dim.Styled(phrase.Cut(fmt.Sprintf("@%d is a place in the unpacked file; these bytes are as stored", b.where.Offset), w-2)))
	}
	first, last := b.cursor.Window(b.len(), h-len(out))
	for i := first; i < last; i++ {
		offset := int64(i) * int64(per)
		line := t.Dim.Styled(fmt.Sprintf("%010x  …", offset))
		if data := b.bytes(offset, per); data != nil {
			line = widget.HexRow(offset, data, per, from, to, t.Dim, t.Marked)
		}
		out = append(out, b.row(line, w, i, blurred))
	}
	return out
}
