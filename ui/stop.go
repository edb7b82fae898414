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
		a.notice = a.withKeys("not following any more · ctrl+c again quits · %s follows again", keys.follow)
		return nil
	}
	if !a.busy() {
		a.notice = "nothing is being read · ctrl+c again quits"
		return nil
	}
	a.notice = a.withKeys("stopped · ctrl+c again quits · %s reads again · what has arrived stays", keys.reread)
	if a.follow.on {
		a.unfollow()
	}
	if a.stopReading != nil {
		a.stopReading()
	}
	a.top().stop()
	return nil
}
