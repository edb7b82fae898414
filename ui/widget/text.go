// Package widget is what the explorer's screens are made of: text that fits, a table and a tree for
// long lists, bars, a byte view. It knows nothing of Spark, does no I/O and keeps no clock.
//
// Widths are terminal cells. Text that comes in is printable: no control characters.
package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes; styles take none.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// plain reports whether every byte of s is one visible cell.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Cut is s in no more than w cells; what is cut off its end shows as an ellipsis.
func Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case Width(s) <= w:
		return s
	}
	return head(s, w-1) + "…"
}

// head is as much of the start of s as fits in w cells, styles included. The library's cut and its
// measure disagree about some sequences, so the result is measured again.
func head(s string, w int) string {
	t := ansi.Truncate(s, w, "")
	for less := w - 1; less >= 0 && Width(t) > w; less-- {
		t = ansi.Truncate(s, less, "")
	}
	return t
}

// Middle is s in no more than w cells; what is cut out of its middle shows as an ellipsis, so that
// both ends of a path can be read. Its second half is the longer one: a file name stands there.
func Middle(s string, w int) string {
	n := Width(s)
	switch {
	case w <= 0:
		return ""
	case n <= w:
		return s
	case w < 5:
		return Cut(s, w)
	}
	left := (w - 1) / 2
	start := head(s, left) + "…"
	for drop := n - (w - 1 - left); drop <= n; drop++ { // more, where a wide character is in the way or a mark joins the ellipsis
		if t := start + ansi.TruncateLeft(s, drop, ""); Width(t) <= w {
			return t
		}
	}
	return Cut(s, w)
}

// Fit is s in exactly w cells, cut or filled with blanks at its end.
func Fit(s string, w int) string {
	s = Cut(s, w)
	return s + blanks(w-Width(s))
}

// FitRight is s in exactly w cells, cut at its end or filled with blanks at its start.
func FitRight(s string, w int) string {
	s = Cut(s, w)
	return blanks(w-Width(s)) + s
}

const sixtyFour = "                                                                "

func blanks(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(sixtyFour) {
		return sixtyFour[:n]
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks unstyled s into lines of no more than w cells, between words. Only a word that is
// longer than a line is broken within.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		n := Width(word)
		if used > 0 && used+1+n <= w {
			line, used = line+" "+word, used+1+n
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for n > w {
			part := head(word, w)
			if part == "" { // a wide character on a line of one cell
				word, n = "…", 1
				break
			}
			lines = append(lines, part)
			word = word[len(part):]
			n = Width(word)
		}
		line, used = word, n
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// Beside puts two blocks side by side with a line between them: left in w cells, both in h lines.
func Beside(left []string, w int, line string, right []string, h int) []string {
	out := make([]string, h)
	for i := range out {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = Fit(l, w) + line + r
	}
	return out
}
