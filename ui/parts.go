package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/ui/widget"
)

// Small pieces that several screens draw.

func ruler(w int) string { return strings.Repeat("─", max(w, 0)) }

func indent1(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// scrolled is the part of a text that h lines show after skip lines; its last line says how much
// follows, and how to get there.
func scrolled(lines []string, skip, h int, s *session, inside bool) []string {
	if h <= 0 {
		return nil
	}
	skip = max(min(skip, len(lines)-h), 0)
	if len(lines)-skip <= h {
		return lines[skip:]
	}
	shown := append([]string{}, lines[skip:skip+h-1]...)
	how := s.withKeys("%s, then %s", keys.pane, keys.down)
	if inside {
		how = s.firstKey(keys.down)
	}
	return append(shown, s.theme.dim.Styled(fmt.Sprintf("… %s (%s)", plural(int64(len(lines)-skip-h+1), "more line"), how)))
}

// fact is a name and what it is.
func fact(t *theme, name, text string, w int) string {
	return t.dim.Styled(widget.Fit(name, 11)) + " " + widget.Cut(text, max(w-12, 0))
}

// unstyled is text without its styles: within reverse video they are hard to read.
func unstyled(s string) string { return ansi.Strip(s) }

// filterLine is the line of a filter: what is typed, how that is looked for, and a few words of the screen; or what
// is wrong with it.
func filterLine(t *theme, f *widget.Filter, words string) string {
	line := t.strong.Styled(safe(f.Text())) + "   "
	switch form := f.Form(); {
	case f.Err != nil:
		return line + t.warn.Styled("! no regex: "+safe(f.Err.Error())) + t.dim.Styled("   everything is shown")
	case f.Typing && f.Typed() == "":
		return line + t.dim.Styled("text · !text without it · -f letters in order · -r regex")
	case form != "":
		return line + form + t.dim.Styled("   "+words)
	}
	return line + t.dim.Styled(words)
}
