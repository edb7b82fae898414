package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// What waits until the checkpoint is open or something of it is known, and how often that is drawn.

// firstView goes to the view that was asked for on the command line, once.
func (a *App) firstView() tea.Cmd {
	line := a.Options.View
	if a.Options.View = ""; line == "" {
		return nil
	}
	return a.visit(line)
}

// tryAgain does what a line asks for that had to wait.
func (a *App) tryAgain() tea.Cmd {
	if a.waiting == nil {
		return nil
	}
	return a.waiting()
}

func (a *App) tick() tea.Cmd {
	if a.ticking {
		return nil
	}
	a.ticking = true
	return tea.Tick(a.pace(tickEvery), func(time.Time) tea.Msg { return tick{} })
}

// pace is how often something that counts by itself may be drawn.
func (a *App) pace(every time.Duration) time.Duration {
	if a.Still {
		return max(every, stillEvery)
	}
	return every
}
