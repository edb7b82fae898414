package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// The mouse, where it is on: the wheel moves, a click selects a row and a second one opens it, and a click
// on the way above goes back there. All of it is what keys do; while it is on, the terminal's own
// selection of text is off.

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
			return a.moveBy(-wheelRows)
		case tea.MouseWheelDown:
			return a.moveBy(wheelRows)
		}
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft || a.w < kit.LeastWidth || a.h < kit.LeastHeight {
			return nil
		}
		if m.Y == crumbsLine {
			return a.clickCrumb(m.X)
		}
		return a.clickLine(m.Y - a.bodyTop())
	}
	return nil
}

// moveBy moves on the top screen as the arrow keys do.
func (a *App) moveBy(rows int) tea.Cmd {
	k := tea.KeyPressMsg{Code: tea.KeyDown}
	if rows < 0 {
		k, rows = tea.KeyPressMsg{Code: tea.KeyUp}, -rows
	}
	var cmds []tea.Cmd
	for range rows {
		cmds = append(cmds, a.tell(a.top(), k))
	}
	return tea.Batch(cmds...)
}

// bodyTop is the first line of the frame that is a screen's.
func (a *App) bodyTop() int {
	if a.h >= kit.Roomy {
		return 4
	}
	return 3
}

// clickLine selects the row on a line of the body, or opens it where it is selected. Every screen marks
// its selected row with the same sign, so that the way there is the lines between the two.
func (a *App) clickLine(y int) tea.Cmd {
	lines := a.body(a.w, a.bodyHeight())
	if y < 0 || y >= len(lines) || strings.TrimSpace(kit.Unstyled(lines[y])) == "" {
		return nil
	}
	for i, l := range lines {
		if !strings.HasPrefix(strings.TrimLeft(kit.Unstyled(l), " "), "▸") {
			continue
		}
		if i == y {
			return a.tell(a.top(), tea.KeyPressMsg{Code: tea.KeyEnter})
		}
		return a.moveBy(y - i)
	}
	return nil
}

// clickCrumb goes back to the screen whose title stands at column x.
func (a *App) clickCrumb(x int) tea.Cmd {
	at := 1
	for _, c := range a.trailIn(a.crumbsRoom()) {
		w := widget.Width(c.title)
		if x >= at && x < at+w {
			return a.popTo(c.level)
		}
		at += w + widget.Width(crumbSeparator)
	}
	return nil
}
