package ui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// What floats over the screen: the palette and other menus, the command line, a line that a screen asks for. There is one at a
// time, and while it is open it has the keys and the mouse.

// floatWidth is how wide it is at most.
const floatWidth = 70

// float is what floats: its box and the cell of its upper left corner; "" for nothing.
func (a *App) float() (block string, x, y int) {
	w := min(floatWidth, a.w-4)
	var box kit.Float
	switch asked := a.asked(); {
	case a.menu != nil:
		box = a.menuFloat(w)
	case a.asking.IsOpen():
		box = a.answerFloat(w)
	case a.prompt.Typing:
		box = a.promptFloat(w)
	case asked != nil:
		box = asked.Float(&a.Theme, w)
	default:
		return "", 0, 0
	}
	box.Lines = box.Lines[:min(len(box.Lines), a.h-4)]
	block = box.Draw(&a.Theme, w)
	return block, (a.w - w) / 2, max(min(a.h/4, a.h-1-lipgloss.Height(block)), 0)
}

// asked is the line that is asked for; nil for none.
func (a *App) asked() *kit.Ask {
	if a.saving.IsOpen() {
		return &a.saving
	}
	if s, ok := a.top().Screen.(kit.Asker); ok && s.Asked() != nil && s.Asked().IsOpen() {
		return s.Asked()
	}
	return nil
}

// floated is a frame with what floats over it. Only the lines under it are drawn again.
func (a *App) floated(frame string) string {
	block, x, y := a.float()
	if block == "" {
		return frame
	}
	lines := strings.Split(frame, "\n")
	end := min(y+lipgloss.Height(block), len(lines))
	under := strings.Join(lines[y:end], "\n")
	over := lipgloss.NewCompositor(lipgloss.NewLayer(under), lipgloss.NewLayer(block).X(x).Z(1)).Render()
	for i, line := range strings.Split(over, "\n") {
		if y+i < end {
			lines[y+i] = phrase.Cut(line, a.w)
		}
	}
	return strings.Join(lines, "\n")
}
