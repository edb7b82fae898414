package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/report"
)

// How the app goes from a list of places to a checkpoint and back.

// isFolder reports whether what was opened is no checkpoint and may hold some: then the list of these is worth
// more than a page about what is not there. Once open, a checkpoint stays what it was taken for.
func (a *App) isFolder(cp *checkpoint.Checkpoint) bool {
	if a.cp != nil || a.asIs || a.Find == nil || a.OpenAt == nil || cp.Root.Err != nil || cp.IsCheckpoint() {
		return false
	}
	for _, e := range cp.Root.Entries {
		if e.Dir {
			return true
		}
	}
	return false
}

// showFolder puts the list of what is below the location into the place of the screens that wait for it.
func (a *App) showFolder() tea.Cmd {
	location := a.Location
	i := 0
	for i < len(a.stack) {
		if _, ok := a.stack[i].screen.(chooser); !ok {
			break
		}
		i++
	}
	for len(a.stack) > i {
		a.pop()
	}
	a.waiting = nil
	a.closeCheckpoint(location)
	list, err := choose.open(&a.session, &words{list: []word{{text: location}}})
	if err != nil {
		a.notice = err.Error()
		return nil
	}
	return tea.Batch(a.push(list), a.visited("folder"))
}

// closeCheckpoint forgets what was open, and ends its reading.
func (a *App) closeCheckpoint(location string) {
	if a.endReading != nil {
		a.endReading()
	}
	a.unfollow()
	a.Options.Open, a.Options.Look, a.Options.Location = nil, nil, location
	a.reading = scope{}
	a.cp, a.verdict, a.state, a.sizes, a.err = nil, checks.Verdict{}, nil, nil, nil
	a.noted = ""
	a.asOf, a.asIs, a.opening, a.examining, a.walked = -1, false, false, false, 0
}

// visited notes in the background that the place was opened.
func (a *App) visited(verdict string) tea.Cmd {
	m := a.Memory
	if m == nil {
		return nil
	}
	r := Recent{Location: a.Location, When: a.Now(), Verdict: verdict}
	return guard(0, func() tea.Msg {
		if err := m.Visit(r); err != nil {
			return forgetful{err}
		}
		return nil
	})
}

// visitedAll notes what came of an examination, once where it stays the same.
func (a *App) visitedAll() tea.Cmd {
	word := report.HealthWord(&a.verdict)
	if !a.verdict.Done || a.verdict.Err != nil || a.cp == nil || !a.cp.IsCheckpoint() || word == a.noted {
		return nil
	}
	a.noted = word
	return a.visited(word)
}

// forgetful is that something could not be remembered.
type forgetful struct{ err error }

// openAt leaves all that is open for another location.
func (a *App) openAt(location string) tea.Cmd {
	for i := len(a.stack) - 1; i >= 0; i-- {
		if _, ok := a.stack[i].screen.(chooser); ok {
			break
		}
		a.pop()
	}
	return a.do(openChoice{choice: a.OpenAt(location)})
}

// openLocation opens what is named after it. A path may begin with a slash and hold blanks: all of the line is one.
func openLocation(s *session, w *words) (action, error) {
	if s.OpenAt == nil {
		return nil, errors.New("nothing else can be opened here")
	}
	var parts []string
	for len(w.list) > 0 {
		parts = append(parts, w.next())
	}
	location := strings.Join(parts, " ")
	if strings.TrimSpace(location) == "" {
		return nil, errors.New("open: a location is missing")
	}
	return leaveFor{location}, nil
}

// chooser is the uppermost screen on the stack on which a checkpoint is chosen; nil for none.
func (a *App) chooser() chooser {
	for _, l := range slices.Backward(a.stack) {
		if x, ok := l.screen.(chooser); ok {
			return x
		}
	}
	return nil
}
