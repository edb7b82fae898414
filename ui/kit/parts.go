package kit

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Fill makes lines exactly h lines.
func Fill(lines []string, h int) []string {
	if len(lines) > h {
		return lines[:h]
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	return lines
}

func Indent(lines []string) []string {
	for i := range lines {
		lines[i] = "   " + lines[i]
	}
	return lines
}

// Small pieces that several screens draw.

func Ruler(w int) string { return strings.Repeat("─", max(w, 0)) }

func Indent1(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// Scrolled is the part of a text that h lines show after skip lines; its last line says how much
// follows, and how to get there.
func Scrolled(lines []string, skip, h int, s *Session, inside bool) []string {
	if h <= 0 {
		return nil
	}
	skip = max(min(skip, len(lines)-h), 0)
	if len(lines)-skip <= h {
		return lines[skip:]
	}
	shown := append([]string{}, lines[skip:skip+h-1]...)
	how := s.WithKeys("%s, then %s", Keys.Pane, Keys.Down)
	if inside {
		how = s.FirstKey(Keys.Down)
	}
	return append(shown, s.Theme.Dim.Styled(fmt.Sprintf("… %s (%s)", phrase.Units(int64(len(lines)-skip-h+1), "more lines"), how)))
}

// Fact is a name and what it is.
func Fact(t *Theme, name, text string, w int) string {
	return t.Dim.Styled(phrase.Fit(name, 11)) + " " + phrase.Cut(text, max(w-12, 0))
}

// Unstyled is text without its styles: within reverse video they are hard to read.
func Unstyled(s string) string { return ansi.Strip(s) }

// FilterLine is the line of a filter: what is typed, how that is looked for, and a few words of the screen; or what
// is wrong with it.
func FilterLine(t *Theme, f *widget.Filter, words string) string {
	line := t.Strong.Styled(Safe(f.Text())) + "   "
	switch form := f.Form(); {
	case f.Err != nil:
		return line + t.Warn.Styled("! no regex: "+Safe(f.Err.Error())) + t.Dim.Styled("   everything is shown")
	case f.Typing && f.Typed() == "":
		return line + t.Dim.Styled("text · !text without it · -f letters in order · -r regex")
	case form != "":
		return line + form + t.Dim.Styled("   "+words)
	}
	return line + t.Dim.Styled(words)
}

func StyledLines(style widget.Style, lines []string) []string {
	for i := range lines {
		lines[i] = style.Styled(lines[i])
	}
	return lines
}

func OrDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// Wrapped is a fact of several lines.
func Wrapped(t *Theme, name, text string, w int) []string {
	lines := phrase.Wrap(text, max(w-12, 8))
	if len(lines) == 0 {
		lines = []string{"–"}
	}
	for i := range lines {
		lines[i] = t.Dim.Styled(phrase.Fit(map[bool]string{true: name}[i == 0], 11)) + " " + lines[i]
	}
	return lines
}
