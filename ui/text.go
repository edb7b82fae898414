package ui

import (
	"strings"
	"unicode/utf8"

	"tidemark/ui/widget"
)

// The raw text of a file on the screen: every byte in its place, whatever it is.

// textRow is one row of the screen: a part of one line of a file.
type textRow struct {
	line     int // from 1; the number is shown where the line begins
	from, to int // bytes of the file
	first    bool
}

// textRows breaks a file into rows of no more than w cells. Bytes are escaped where they are drawn, so
// a row may hold few of them.
func textRows(data []byte, w int) []textRow {
	if w <= 0 {
		return nil
	}
	var rows []textRow
	row := textRow{line: 1, first: true}
	used := 0
	for i := 0; i < len(data); {
		n := 1
		if data[i] >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(data[i:])
		}
		if data[i] == '\n' {
			row.to = i + 1
			rows = append(rows, row)
			row, used = textRow{line: row.line + 1, from: i + 1, first: true}, 0
			i++
			continue
		}
		cells := 1
		if data[i] < 0x20 || data[i] >= 0x7f {
			cells = widget.Width(safe(string(data[i : i+n])))
		}
		if used+cells > w && used > 0 {
			row.to = i
			rows = append(rows, row)
			row, used = textRow{line: row.line, from: i}, 0
		}
		used += cells
		i += n
	}
	row.to = len(data)
	return append(rows, row)
}

// rowAt is the row that holds a byte.
func rowAt(rows []textRow, at int64) int {
	for i := len(rows) - 1; i > 0; i-- {
		if int64(rows[i].from) <= at {
			return i
		}
	}
	return 0
}

// drawText draws one row; the bytes from from up to to are marked.
func drawText(t *theme, data []byte, r textRow, from, to int64) string {
	end := r.to
	if end > r.from && data[end-1] == '\n' {
		end--
	}
	cut := func(at int64) int { return int(max(min(at, int64(end)), int64(r.from))) }
	a, b := cut(from), cut(to)
	return safe(string(data[r.from:a])) + mark(t, safe(string(data[a:b]))) + safe(string(data[b:end]))
}

func mark(t *theme, s string) string {
	if s == "" {
		return ""
	}
	return t.marked.Styled(s)
}

// valueEnd is where the value that begins at byte at of a line of JSON ends: for marking only, so it
// need not be right about JSON that does not parse.
func valueEnd(data []byte, at int64) int64 {
	if at < 0 || at >= int64(len(data)) {
		return at
	}
	rest := data[at:]
	if rest[0] == '"' {
		for i := 1; i < len(rest); i++ {
			if rest[i] == '\\' {
				i++
			} else if rest[i] == '"' {
				return at + int64(i) + 1
			}
		}
	}
	if n := strings.IndexAny(string(rest[:min(len(rest), 200)]), ",}]\n \r"); n > 0 {
		return at + int64(n)
	}
	return at + 1
}
