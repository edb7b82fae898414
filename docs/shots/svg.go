//go:build unix

package main

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// How large a cell is in a picture, and the room around the screen.
const (
	cellWidth  = 8.4
	cellHeight = 18
	margin     = 12
	fontSize   = 14
)

// The colors of a cell that has none, and what a terminal calls colors 0 to 15.
const (
	paper = "#16181d"
	ink   = "#d5d8de"
)

var palette = [16]string{
	"#2a2d34", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d5d8de",
	"#7f8590", "#ff7b86", "#b5e08f", "#ffd88f", "#82c4ff", "#df97f5", "#76d4e0", "#ffffff",
}

// look is how a cell looks. Colors are "#rrggbb", or "" for that of the terminal.
type look struct {
	fg, bg                             string
	bold, dim, italic, under, reversed bool
}

// run is text of one look, and the column where it begins.
type run struct {
	look
	col  int
	text string
}

// picture draws a styled screen as SVG.
func picture(title, screen string) string {
	w, h := float64(width)*cellWidth+2*margin, height*cellHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, "<title>%s</title>\n", escaped(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", paper)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" fill="%s">`+"\n", fontSize, ink)
	for row, runs := range runsOf(screen) {
		top := margin + row*cellHeight
		var text strings.Builder
		for _, r := range runs {
			fg, bg := r.colors()
			if bg != "" {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left(r.col), top, float64(len([]rune(r.text)))*cellWidth, cellHeight, bg)
			}
			for _, piece := range r.pieces() {
				fmt.Fprintf(&text, `<tspan x="%.1f" textLength="%.1f"%s>%s</tspan>`, left(piece.col), float64(len([]rune(piece.text)))*cellWidth, r.attributes(fg), escaped(piece.text))
			}
		}
		if text.Len() > 0 {
			fmt.Fprintf(&b, `<text xml:space="preserve" y="%d">%s</text>`+"\n", top+cellHeight-5, text.String())
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// pieces are the parts of a run between wide blanks, each in its own column: so columns stay under each other in a viewer
// that has none of the fonts.
func (r run) pieces() (pieces []run) {
	col := r.col
	for r.text != "" {
		blank := len(r.text) - len(strings.TrimLeft(r.text, " "))
		col, r.text = col+blank, r.text[blank:]
		text, _, _ := strings.Cut(r.text, "  ")
		if text != "" {
			pieces = append(pieces, run{r.look, col, text})
		}
		col, r.text = col+len([]rune(text)), r.text[len(text):]
	}
	return pieces
}

func left(col int) float64 { return margin + float64(col)*cellWidth }

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// colors are those that are drawn; bg is "" where the paper is seen.
func (l look) colors() (fg, bg string) {
	if !l.reversed {
		return l.fg, l.bg
	}
	fg, bg = l.bg, l.fg
	if fg == "" {
		fg = paper
	}
	if bg == "" {
		bg = ink
	}
	return fg, bg
}

// attributes are those of a tspan.
func (l look) attributes(fg string) string {
	var b strings.Builder
	for _, a := range []struct {
		on   bool
		text string
	}{
		{fg != "", ` fill="` + fg + `"`},
		{l.bold, ` font-weight="bold"`},
		{l.dim, ` fill-opacity="0.65"`}, // opacity is for a whole text, and not for a part of one
		{l.italic, ` font-style="italic"`},
		{l.under, ` text-decoration="underline"`},
	} {
		if a.on {
			b.WriteString(a.text)
		}
	}
	return b.String()
}

// runsOf cuts a screen into its rows, and those into runs. Every character of the examples is one cell
// wide.
func runsOf(screen string) [][]run {
	var rows [][]run
	var l look
	for line := range strings.SplitSeq(screen, "\n") {
		var runs []run
		for col := 0; line != ""; {
			if line[0] == '\x1b' {
				line = l.take(line)
				continue
			}
			text := line
			if i := strings.IndexByte(line, '\x1b'); i >= 0 {
				text = line[:i]
			}
			line = line[len(text):]
			runs = append(runs, run{l, col, text})
			col += len([]rune(text))
		}
		rows = append(rows, runs)
	}
	return rows
}

// take takes the escape sequence that a text begins with, and is the rest of the text. Only those that
// style text mean something here; one that names a link is skipped.
func (l *look) take(text string) string {
	if rest, ok := strings.CutPrefix(text, "\x1b]"); ok {
		end := strings.IndexAny(rest, "\a\x1b")
		if end < 0 {
			return ""
		}
		return strings.TrimPrefix(rest[end+1:], `\`)
	}
	rest, ok := strings.CutPrefix(text, "\x1b[")
	if !ok {
		return text[1:]
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
	if end < 0 {
		return ""
	}
	if rest[end] == 'm' {
		l.style(strings.Split(rest[:end], ";"))
	}
	return rest[end+1:]
}

// style takes the numbers of one sequence.
func (l *look) style(codes []string) {
	for i := 0; i < len(codes); i++ {
		first, _, _ := strings.Cut(codes[i], ":")
		n, _ := strconv.Atoi(first) // nothing stands for 0
		switch {
		case n == 0:
			*l = look{}
		case n == 1:
			l.bold = true
		case n == 2:
			l.dim = true
		case n == 3:
			l.italic = true
		case n == 4:
			l.under = codes[i] != "4:0"
		case n == 7:
			l.reversed = true
		case n == 22:
			l.bold, l.dim = false, false
		case n == 23:
			l.italic = false
		case n == 24:
			l.under = false
		case n == 27:
			l.reversed = false
		case n >= 30 && n <= 37:
			l.fg = palette[n-30]
		case n >= 90 && n <= 97:
			l.fg = palette[n-90+8]
		case n >= 40 && n <= 47:
			l.bg = palette[n-40]
		case n >= 100 && n <= 107:
			l.bg = palette[n-100+8]
		case n == 39:
			l.fg = ""
		case n == 49:
			l.bg = ""
		case n == 38 || n == 48:
			color, used := chosen(codes[i+1:])
			i += used
			if n == 38 {
				l.fg = color
			} else {
				l.bg = color
			}
		}
	}
}

// chosen is a color by its number among 256, or by red, green and blue; used is how many codes say it.
func chosen(codes []string) (color string, used int) {
	n := make([]int, len(codes))
	for i, c := range codes {
		n[i], _ = strconv.Atoi(c)
	}
	switch {
	case len(n) >= 4 && n[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", n[1], n[2], n[3]), 4
	case len(n) >= 2 && n[0] == 5:
		return numbered(n[1]), 2
	}
	return "", len(codes)
}

// numbered is one of the 256 colors: 16 that a terminal chooses, a cube of 6 by 6 by 6, and greys.
func numbered(n int) string {
	switch {
	case n < 16:
		return palette[n]
	case n >= 232:
		grey := 8 + (n-232)*10
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	part := func(v int) int {
		if v == 0 {
			return 0
		}
		return 55 + v*40
	}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", part(n/36), part(n/6%6), part(n%6))
}
