package phrase

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells s takes; styles take none.
func Width(s string) int {
	if n, ok := simple(s); ok {
		return n
	}
	return ansi.StringWidth(s)
}

// simple is the width of what most lines are made of: ASCII, styles, and signs of one cell that join nothing
// beside them. ok is false where there is more in s than that, which is for the library to measure.
func simple(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c <= 0x7e:
			i++
		case c == ansi.ESC:
			n := styleLen(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
			continue
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !sign(r) {
				return 0, false
			}
			i += n
		}
		cells++
	}
	return cells, true
}

// styleLen is how many bytes a style takes at the start of s: "\x1b[1;31m"; 0 where there is none.
func styleLen(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}

// sign reports whether r is one of the signs that lines are drawn with.
func sign(r rune) bool {
	switch r {
	case '·', '×', '–', '…', '‹', '›', '←', '↑', '→', '↓', '≤', '✓', '✗', '▲', '▸', '▾':
		return true
	}
	return r >= '─' && r <= '▟' // box drawing and blocks
}

// Cut is s in no more than w cells; what is cut off its end shows as an ellipsis.
func Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case Width(s) <= w:
		return s
	}
	return Head(s, w-1) + "…"
}

// Head is as much of the start of s as fits in w cells, styles included. The library's cut and its
// measure disagree about some sequences, so the result is measured again.
func Head(s string, w int) string {
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
	start := Head(s, left) + "…"
	for drop := n - (w - 1 - left); drop <= n; drop++ { // more, where a wide character is in the way or a mark joins the ellipsis
		if t := start + ansi.TruncateLeft(s, drop, ""); Width(t) <= w {
			return t
		}
	}
	return Cut(s, w)
}

// Fit is s in exactly w cells, cut or filled with blanks at its end.
func Fit(s string, w int) string {
	n := Width(s)
	if n > w {
		s = Cut(s, w)
		n = Width(s)
	}
	return s + Blanks(w-n)
}

// FitRight is s in exactly w cells, cut at its end or filled with blanks at its start.
func FitRight(s string, w int) string {
	n := Width(s)
	if n > w {
		s = Cut(s, w)
		n = Width(s)
	}
	return Blanks(w-n) + s
}

const sixtyFour = "                                                                "

// Blanks are n blanks; none where n is less than one.
func Blanks(n int) string {
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
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" {
			if longer := line + " " + word; Width(longer) <= w { // as a whole: a mark at the start of a word joins the blank
				line = longer
				continue
			}
			lines = append(lines, line)
		}
		for Width(word) > w {
			part := Head(word, w)
			if part == "" { // a wide character on a line of one cell
				word = "…"
				break
			}
			lines = append(lines, part)
			word = word[len(part):]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
