package ui

import (
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The mouse, where it is on: the wheel moves, a click selects a row and a second one opens it, and a click
// on the way above goes back there. A screen knows itself where it has drawn its rows; while the mouse is on, the
// terminal's own selection of text is off.

// wheelRows is how many rows one step of the wheel moves.
const wheelRows = 3

// crumbsLine is the line of the frame that has the way to the screen.
const crumbsLine = 1

func (a *App) toggleMouse() {
	a.pointer = !a.pointer
	a.notice = "the mouse is off: the terminal selects text again"
	if a.pointer {
		a.notice = "the mouse is on: it scrolls, selects and opens · " + a.Label(kit.Keys.Mouse) + " gives text selection back to the terminal"
	}
}

// mouse takes a message of the mouse. While something is typed or chosen it does nothing.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	if t, ok := a.top().Screen.(kit.Typist); !a.pointer || a.prompt.Typing || a.menu != nil || ok && t.Typing() {
		return nil
	}
	m := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		switch m.Button {
		case tea.MouseWheelUp:
			return a.tell(a.top(), kit.Scroll{Rows: -wheelRows})
		case tea.MouseWheelDown:
			return a.tell(a.top(), kit.Scroll{Rows: wheelRows})
		}
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft || a.w < kit.LeastWidth || a.h < kit.LeastHeight {
			return nil
		}
		if m.Y == crumbsLine {
			return a.clickCrumb(m.X)
		}
		return a.clickRow(m.X, m.Y-a.bodyTop())
	}
	return nil
}

// bodyTop is the first line of the frame that is a screen's.
func (a *App) bodyTop() int {
	if a.h >= kit.Roomy {
		return 4
	}
	return 3
}

// clickCrumb goes back to the screen whose title stands at column x.
func (a *App) clickCrumb(x int) tea.Cmd {
	at := 1
	for _, c := range a.trailIn(a.crumbsRoom()) {
		w := phrase.Width(c.title)
		if x >= at && x < at+w {
			return a.popTo(c.level)
		}
		at += w + phrase.Width(crumbSeparator)
	}
	return nil
}

// clickRow selects the row at a cell and a line of the body, or opens it where it is selected.
func (a *App) clickRow(x, y int) tea.Cmd {
	s, ok := a.top().Screen.(kit.Clickable)
	if !ok || y < 0 || y >= a.bodyHeight() {
		return nil
	}
	row, selected, ok := s.RowAt(x, y)
	switch {
	case !ok:
		return nil
	case selected:
		return a.tell(a.top(), kit.OpenRow{})
	}
	return a.tell(a.top(), kit.Select{Row: row})
}
