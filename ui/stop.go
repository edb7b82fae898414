package ui

import tea "charm.land/bubbletea/v2"

// stopOrQuit stops what is read; what has arrived stays. Pressed again, it quits.
func (a *App) stopOrQuit() tea.Cmd {
	if a.quitAsk {
		return tea.Quit
	}
	a.quitAsk = true
	if a.follow.on && !a.busy() {
		a.unfollow()
		a.notice = a.withKeys("not following any more · %s follows again · ctrl+c again quits", keys.follow)
		return nil
	}
	if !a.busy() {
		a.notice = "nothing is being read · ctrl+c again quits"
		return nil
	}
	a.notice = a.withKeys("stopped · what has arrived stays · %s reads again · ctrl+c again quits", keys.reread)
	if a.follow.on {
		a.unfollow()
	}
	if a.stopReading != nil {
		a.stopReading()
	}
	a.top().stop()
	return nil
}
