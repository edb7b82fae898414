package kit

import (
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

// Small pieces that several screens draw.

func Indent1(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// Fact is a name and what it is.
func Fact(t *Theme, name, text string, w int) string {
	return t.Dim.Styled(phrase.Fit(name, 11)) + " " + phrase.Cut(text, max(w-12, 0))
}

// Unstyled is text without its styles: within reverse video they are hard to read.
func Unstyled(s string) string { return ansi.Strip(s) }

func StyledLines(style widget.Style, lines []string) []string {
	for i := range lines {
		lines[i] = style.Styled(lines[i])
	}
	return lines
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
