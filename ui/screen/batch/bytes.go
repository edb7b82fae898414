package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"tidemark/checkpoint/decode"
	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// raw are both files of a batch as written, and how they are broken into lines.
type raw struct {
	files [2]rawFile
	w     int // cells that lines was made for; 0: none
	lines []rawLine
	shown decode.Where // the place that was scrolled to last
}

// rawFile is a log file as written.
type rawFile struct {
	name string
	data []byte
	err  error // why it could not be read; fs.ErrNotExist if it is missing
}

// rawLine is a line of the panel: a head, or a row of a file.
type rawLine struct {
	text string // drawn, with nothing marked
	file int    // of files; -1 for a head
	row  kit.TextRow
}

// numberWidth are the cells before the text of a line: its number.
const numberWidth = 4

// layout breaks the files into lines of w cells, once for a width.
func (x *raw) layout(t *kit.Theme, w int) {
	if x.w == w {
		return
	}
	x.w, x.lines, x.shown = w, nil, decode.Where{}
	for i := range x.files {
		f := &x.files[i]
		if i > 0 {
			x.lines = append(x.lines, rawLine{file: -1})
		}
		x.lines = append(x.lines, rawLine{text: f.head(t), file: -1})
		if errors.Is(f.err, fs.ErrNotExist) && i == 1 {
			for _, l := range phrase.Wrap("Spark writes it after the sink has the batch.", w) {
				x.lines = append(x.lines, rawLine{text: t.Dim.Styled(l), file: -1})
			}
		}
		if len(f.data) == 0 {
			continue
		}
		for _, r := range softRows(f.data, w-numberWidth) {
			x.lines = append(x.lines, rawLine{f.draw(t, r, -1, -1), i, r})
		}
	}
}

// head is the name of a file, and its size or why it is not shown.
func (f *rawFile) head(t *kit.Theme) string {
	head := t.Strong.Styled(f.name)
	switch {
	case f.name == "":
		return t.Dim.Styled("… reading")
	case errors.Is(f.err, fs.ErrNotExist):
		return head + "  " + t.Warn.Styled("missing")
	case f.err != nil && f.data == nil:
		return head + "  " + t.Unknown.Styled("? could not be read: "+kit.Safe(f.err.Error()))
	case len(f.data) == 0:
		return head + "  " + t.Warn.Styled("! empty")
	}
	return head + t.Dim.Styled("  "+phrase.Bytes(int64(len(f.data))))
}

func (f *rawFile) draw(t *kit.Theme, r kit.TextRow, from, to int64) string {
	number := phrase.Blanks(numberWidth)
	if r.First {
		number = t.Dim.Styled(fmt.Sprintf("%*d ", numberWidth-1, r.Line))
	}
	return number + kit.DrawText(t, f.data, r, from, to)
}

// softBreaks are the characters behind which a long line is broken, those that are best first.
var softBreaks = []string{",{", ".:"}

// softBreak is a byte of a row behind which it may be broken, and the cells up to there.
type softBreak struct{ at, used int }

// softRows breaks a file into rows of no more than w cells, behind one of softBreaks if one is in the second half of a row.
func softRows(data []byte, w int) []kit.TextRow {
	if w <= 0 {
		return nil
	}
	var rows []kit.TextRow
	row := kit.TextRow{Line: 1, First: true}
	used := 0
	var soft [2]softBreak // of softBreaks
	next := func(to int, line bool) {
		row.To = to
		rows = append(rows, row)
		row = kit.TextRow{Line: row.Line, From: to}
		if line {
			row.Line, row.First = row.Line+1, true
		}
	}
	for i := 0; i < len(data); {
		n := 1
		if data[i] >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(data[i:])
		}
		if data[i] == '\n' {
			next(i+1, true)
			used, soft = 0, [2]softBreak{}
			i++
			continue
		}
		cells := 1
		if data[i] < 0x20 || data[i] >= 0x7f {
			cells = phrase.Width(kit.Safe(string(data[i : i+n])))
		}
		if used+cells > w && used > 0 {
			to := softBreak{i, used}
			for _, b := range slices.Backward(soft[:]) {
				if b.used >= w/2 && b.at > row.From {
					to = b
				}
			}
			next(to.at, false)
			used, soft = used-to.used, [2]softBreak{}
			continue
		}
		used += cells
		i += n
		for k, chars := range softBreaks {
			if strings.IndexByte(chars, data[i-1]) >= 0 {
				soft[k] = softBreak{i, used}
			}
		}
	}
	next(len(data), false)
	return rows
}

// view are the lines of the panel, with the bytes of a place marked, and the first line of them; -1 for none.
func (x *raw) view(t *kit.Theme, at decode.Where, line bool, w int) (lines []string, first int) {
	x.layout(t, w)
	lines, first = make([]string, len(x.lines)), -1
	var f *rawFile
	from, to := int64(-1), int64(-1)
	for i := range x.files {
		if x.files[i].name == at.File && len(x.files[i].data) > 0 {
			f = &x.files[i]
			from, to = marked(at, line, f.data)
		}
	}
	for i := range x.lines {
		l := &x.lines[i]
		lines[i] = l.text
		if l.file >= 0 && f == &x.files[l.file] && int64(l.row.From) < to && int64(l.row.To) > from {
			lines[i] = f.draw(t, l.row, from, to)
			if first < 0 {
				first = i
			}
		}
	}
	return lines, first
}

// marked are the bytes of a place: a value, or all of a line.
func marked(at decode.Where, line bool, data []byte) (from, to int64) {
	if !line {
		return at.Offset, kit.ValueEnd(data, at.Offset)
	}
	from = at.Offset
	if from == 0 {
		for n := 1; n < at.Line; n++ {
			end := bytes.IndexByte(data[from:], '\n')
			if end < 0 {
				break
			}
			from += int64(end) + 1
		}
	}
	from = min(from, int64(len(data)))
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		return from, from + int64(n)
	}
	return from, int64(len(data))
}
