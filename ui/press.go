package ui

import tea "charm.land/bubbletea/v2"

// key answers to the keys of everywhere; the others go to the top screen.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	a.notice = ""
	if pressed(msg, keys.stop) {
		return a.stopOrQuit()
	}
	a.quitAsk, a.waiting = false, nil
	if a.menu != nil {
		return a.choose(msg)
	}
	if a.saving.open() {
		return a.heardFile(msg)
	}
	if a.prompt.Typing {
		return a.prompted(msg)
	}
	if t, ok := a.top().screen.(typist); ok && t.typing() {
		return a.tell(a.top(), msg)
	}
	if cmd, taken := a.tourKey(msg); taken {
		return cmd
	}
	msg = a.keymap.press(msg)
	if c, w := a.rowOf(msg); c != nil {
		return a.byKey(c, w)
	}
	switch {
	case pressed(msg, keys.quit):
		if len(a.stack) == 1 {
			return tea.Quit
		}
		return a.do(back{})
	case pressed(msg, keys.follow):
		return a.followKey()
	case pressed(msg, keys.worst):
		return a.nextWorst()
	case pressed(msg, keys.command):
		a.openPrompt("")
	case pressed(msg, keys.backward):
		return a.travel(true)
	case pressed(msg, keys.forward):
		return a.travel(false)
	case pressed(msg, keys.palette):
		return a.openPalette()
	case pressed(msg, keys.mouse):
		a.toggleMouse()
	case pressed(msg, keys.copy):
		return a.offerCopies(false)
	case pressed(msg, keys.export):
		return a.offerCopies(true)
	case pressed(msg, keys.clock):
		a.clock.local = !a.clock.local
		for _, l := range a.stack {
			l.resize(a.w, a.bodyHeight())
		}
	case pressed(msg, keys.reread):
		if a.Open != nil {
			return a.read()
		}
		return a.load(a.top())
	case pressed(msg, keys.redraw):
		return tea.ClearScreen
	case pressed(msg, keys.suspend):
		if !jobControl() {
			a.notice = "there is no shell to go back to here"
			return nil
		}
		return tea.Suspend
	default:
		return a.tell(a.top(), msg)
	}
	return nil
}
