package kit

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Float is a box over a screen.
type Float struct {
	Title, Right, Position string // Right is styled
	Lines                  []string
}

// Draw draws it w cells wide.
func (f *Float) Draw(t *Theme, w int) string {
	border, edge := lipgloss.RoundedBorder(), t.Accent
	b := Board{theme: t, focus: floatID}
	lines := []string{b.top(&Panel{ID: floatID, Title: f.Title, Right: f.Right}, w, edge, border)}
	for _, l := range f.Lines {
		lines = append(lines, edge.Styled(border.Left)+t.Fit(l, w-2)+edge.Styled(border.Right))
	}
	lines = append(lines, bottom(f.Position, w, t, edge, border))
	for i := range lines {
		lines[i] = t.Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

const floatID = "float"
