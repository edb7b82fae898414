package widget

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Style is a style of Lip Gloss, resolved once into what a terminal reads before and after a text: Lip Gloss takes
// microseconds to render a word, and a frame has hundreds of them. The zero Style leaves a text as it is.
type Style struct{ resolved *resolved }

type resolved struct {
	gloss       lipgloss.Style
	open, close string
}

// NewStyle resolves the colors and attributes of a style. Widths, borders and padding are not for words.
func NewStyle(s lipgloss.Style) Style {
	const word = "x"
	open, end, _ := strings.Cut(s.Inline(true).Render(word), word)
	if open == "" {
		return Style{}
	}
	return Style{&resolved{gloss: s, open: open, close: end}}
}

// Styled is text of one line in the style.
func (s Style) Styled(text string) string {
	if s.resolved == nil || text == "" {
		return text
	}
	return s.resolved.open + text + s.resolved.close
}

// Under puts the style under a line that has styles of its own: they keep their colors, and only their end goes back to this
// style rather than to none. What the style in lift opens is left out, so that what was faint is not faint on the ground.
func (s Style) Under(line string, lift Style) string {
	if lift.resolved != nil {
		line = strings.ReplaceAll(line, lift.resolved.open, "")
	}
	if s.resolved == nil {
		return line
	}
	return s.resolved.open + strings.ReplaceAll(line, reset, reset+s.resolved.open) + s.resolved.close
}

// reset is how Lip Gloss ends a style.
const reset = "\x1b[m"

// IsZero reports whether the style leaves a text as it is.
func (s Style) IsZero() bool { return s.resolved == nil }

// Gloss is the style of Lip Gloss, for what its library and Bubbles draw.
func (s Style) Gloss() lipgloss.Style {
	if s.resolved == nil {
		return lipgloss.NewStyle()
	}
	return s.resolved.gloss
}
