package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tidemark/ui/kit"
)

// The mouse, where it is on. What a click means is found by the layers of the frame: tabs, banner, panels, the keys of the
// footer, and above them what floats. While the mouse is on, the terminal's own selection of text is off.

// wheelRows is how many rows one step of the wheel moves.
const wheelRows = 3

func (a *App) toggleMouse() {
	a.pointer = !a.pointer
	a.notice = "mouse off: the terminal selects text"
	if a.pointer {
		a.notice = "mouse on: it scrolls, selects and opens · " + a.Label(kit.Keys.Mouse) + " turns it off"
	}
}

// The IDs of the layers that are no panel.
const (
	bannerLayer = "frame/banner"
	floatLayer  = "frame/float"
	pieceLayer  = "frame/piece/" // and the number of the piece
)

// hit is what is at a cell of the frame: the ID of the layer, and the cell within it.
func (a *App) hit(x, y int) (id string, inX, inY int, pieces []piece) {
	var tabs string
	var tabPieces []piece
	if !a.choosing() {
		tabs, tabPieces = a.tabsLine(a.w, 1)
	}
	_, keyPieces := a.footer(a.w, a.h-1)
	pieces = append(tabPieces, keyPieces...)
	layers := []*lipgloss.Layer{lipgloss.NewLayer(tabs).Y(1), lipgloss.NewLayer(a.banner(a.w)).ID(bannerLayer).Y(a.bannerTop())}
	for i, p := range pieces {
		layers = append(layers, lipgloss.NewLayer(p.text).ID(pieceLayer+strconv.Itoa(i)).X(p.x).Y(p.y).Z(1))
	}
	if s, ok := a.top().Screen.(kit.Boarded); ok {
		layers = append(layers, s.Layers(0, a.bodyTop())...)
	}
	if block, fx, fy := a.float(); block != "" {
		layers = append(layers, lipgloss.NewLayer(block).ID(floatLayer).X(fx).Y(fy).Z(2))
	}
	found := lipgloss.NewCompositor(layers...).Hit(x, y)
	return found.ID(), x - found.Bounds().Min.X, y - found.Bounds().Min.Y, pieces
}

// mouse takes a message of the mouse.
func (a *App) mouse(msg tea.MouseMsg) tea.Cmd {
	if !a.pointer || a.w < kit.LeastWidth || a.h < kit.LeastHeight {
		return nil
	}
	m := msg.Mouse()
	id, x, y, pieces := a.hit(m.X, m.Y)
	if block, _, _ := a.float(); block != "" {
		return a.mouseOnFloat(msg, id, y)
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return a.wheel(m.Button, id)
	case tea.MouseClickMsg:
		if m.Button == tea.MouseLeft {
			return a.click(id, x, y, pieces)
		}
	case tea.MouseMotionMsg:
		if s, ok := a.top().Screen.(kit.Boarded); ok && m.Button == tea.MouseLeft {
			if in := s.Drag(id, x, y); in != nil {
				return a.tell(a.top(), in)
			}
		}
	}
	return nil
}

// wheel scrolls the panel under the mouse.
func (a *App) wheel(button tea.MouseButton, id string) tea.Cmd {
	switch button {
	case tea.MouseWheelUp:
		return a.tell(a.top(), kit.Scroll{Panel: id, Rows: -wheelRows})
	case tea.MouseWheelDown:
		return a.tell(a.top(), kit.Scroll{Panel: id, Rows: wheelRows})
	}
	return nil
}

// click does what a layer stands for.
func (a *App) click(id string, x, y int, pieces []piece) tea.Cmd {
	if n, ok := strings.CutPrefix(id, pieceLayer); ok {
		a.notice = ""
		if i, _ := strconv.Atoi(n); pieces[i].do != nil {
			return pieces[i].do()
		}
		return nil
	}
	switch s, ok := a.top().Screen.(kit.Boarded); {
	case id == bannerLayer && a.Checkpoint != nil:
		return a.command("question 1")
	case !ok:
		return nil
	default:
		switch in := s.Click(id, x, y).(type) {
		case nil:
			return nil
		case kit.Press:
			return a.press(in)
		default:
			return a.tell(a.top(), in)
		}
	}
}

// mouseOnFloat closes what floats where the click is outside of it, and chooses an item of a menu where it is on one.
func (a *App) mouseOnFloat(msg tea.MouseMsg, id string, y int) tea.Cmd {
	m := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		if a.menu != nil {
			a.menu.cursor.Move(map[bool]int{true: wheelRows, false: -wheelRows}[m.Button == tea.MouseWheelDown], len(a.menu.shown))
		}
	case tea.MouseClickMsg:
		switch {
		case m.Button != tea.MouseLeft:
		case id != floatLayer:
			return a.key(tea.KeyPressMsg{Code: tea.KeyEscape})
		case a.menu != nil:
			return a.clickItem(y - 1 - a.menu.head())
		}
	}
	return nil
}

// clickItem selects the item at a line of the menu, or takes it where it is selected.
func (a *App) clickItem(line int) tea.Cmd {
	m := a.menu
	at := m.cursor.Top + line
	switch {
	case line < 0 || at >= len(m.shown):
		return nil
	case at == m.cursor.At:
		return a.takeItem(m.shown[at])
	}
	m.cursor.Go(at, len(m.shown))
	return nil
}
