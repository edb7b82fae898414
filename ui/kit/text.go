package kit

import (
	"strings"
	"unicode/utf8"

	"tidemark/internal/phrase"
)

// The raw text of a file on the screen: every byte in its place, whatever it is.

// TextRow is one row of the screen: a part of one line of a file.
type TextRow struct {
	Line     int // from 1; the number is shown where the line begins
	From, To int // bytes of the file
	First    bool
}

// TextRows breaks a file into rows of no more than w cells. Bytes are escaped where they are drawn, so
// a row may hold few of them.
func TextRows(data []byte, w int) []TextRow {
	if w <= 0 {
		return nil
	}
	var rows []TextRow
	row := TextRow{Line: 1, First: true}
	used := 0
	for i := 0; i < len(data); {
		n := 1
		if data[i] >= utf8.RuneSelf {
			_, n = utf8.DecodeRune(data[i:])
		}
		if data[i] == '\n' {
			row.To = i + 1
			rows = append(rows, row)
			row, used = TextRow{Line: row.Line + 1, From: i + 1, First: true}, 0
			i++
			continue
		}
		cells := 1
		if data[i] < 0x20 || data[i] >= 0x7f {
			cells = phrase.Width(Safe(string(data[i : i+n])))
		}
		if used+cells > w && used > 0 {
			row.To = i
			rows = append(rows, row)
			row, used = TextRow{Line: row.Line, From: i}, 0
		}
		used += cells
		i += n
	}
	row.To = len(data)
	return append(rows, row)
}

// RowAt is the row that holds a byte.
func RowAt(rows []TextRow, at int64) int {
	for i := len(rows) - 1; i > 0; i-- {
		if int64(rows[i].From) <= at {
			return i
		}
	}
	return 0
}

// DrawText draws one row; the bytes from from up to to are marked.
func DrawText(t *Theme, data []byte, r TextRow, from, to int64) string {
	end := r.To
	if end > r.From && data[end-1] == '\n' {
		end--
	}
	cut := func(at int64) int { return int(max(min(at, int64(end)), int64(r.From))) }
	a, b := cut(from), cut(to)
	return Safe(string(data[r.From:a])) + Mark(t, Safe(string(data[a:b]))) + Safe(string(data[b:end]))
}

func Mark(t *Theme, s string) string {
	if s == "" {
		return ""
	}
	return t.Marked.Styled(s)
}

// ValueEnd is where the value that begins at byte at of a line of JSON ends: for marking only, so it
// need not be right about JSON that does not parse.
func ValueEnd(data []byte, at int64) int64 {
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
