package ui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/page"
	"tidemark/ui/kit"
)

// How the app goes from a list of places to a checkpoint and back.

// isFolder reports whether what was opened is not a checkpoint and may have some below it: then they are listed. Once open, a
// checkpoint stays one.
func (a *App) isFolder(cp *checkpoint.Checkpoint) bool {
	if a.Checkpoint != nil || a.AsIs || a.Find == nil || a.OpenAt == nil || cp.Root.Err != nil || cp.IsCheckpoint() {
		return false
	}
	for _, e := range cp.Root.Entries {
		if e.Dir {
			return true
		}
	}
	return false
}

// showFolder puts the list of what is below the location into the place of the screens that wait for it, or the checkpoint around
// it.
func (a *App) showFolder(around string) tea.Cmd {
	location := a.Location
	i := 0
	for i < len(a.stack) {
		if _, ok := a.stack[i].Screen.(kit.Chooser); !ok {
			break
		}
		i++
	}
	for len(a.stack) > i {
		a.pop()
	}
	a.waiting = nil
	a.closeCheckpoint(location)
	list, err := choose.Open(&a.Session, &kit.Words{List: []kit.Word{{Text: location}, {Text: around}}})
	if err != nil {
		a.notice = err.Error()
		return nil
	}
	if around != "" {
		return a.push(list, &choose)
	}
	return tea.Batch(a.push(list, &choose), a.visited("folder"))
}

// closeCheckpoint forgets what was open, and ends its reading.
func (a *App) closeCheckpoint(location string) {
	if a.endReading != nil {
		a.endReading()
	}
	a.forgetTold()
	a.unfollow()
	a.Options.Open, a.Options.Poll, a.Options.Location = nil, nil, location
	a.reading = kit.Scope{}
	a.Checkpoint, a.Verdict, a.StateWords, a.StateSizes, a.Err = nil, checks.Verdict{}, nil, nil, nil
	a.noted = ""
	a.AsOf, a.AsIs, a.Opening, a.Examining, a.walked = -1, false, false, false, 0
}

// visited notes in the background that the place was opened.
func (a *App) visited(verdict string) tea.Cmd {
	m := a.Memory
	if m == nil {
		return nil
	}
	r := kit.Recent{Location: a.Location, When: a.Now(), Verdict: verdict}
	return kit.Guard(0, func() tea.Msg {
		if err := m.Visit(r); err != nil {
			return forgetful{err}
		}
		return nil
	})
}

// visitedAll notes what came of an examination, once where it stays the same.
func (a *App) visitedAll() tea.Cmd {
	word := page.Health(&a.Verdict).Word
	if !a.Verdict.Done || a.Verdict.Err != nil || a.Checkpoint == nil || !a.Checkpoint.IsCheckpoint() || word == a.noted {
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
		if _, ok := a.stack[i].Screen.(kit.Chooser); ok {
			break
		}
		a.pop()
	}
	return a.do(kit.OpenChoice{Choice: a.OpenAt(location)})
}

// openLocation opens what is named after it. A path may begin with a slash and hold blanks: all of the line is one.
func openLocation(s *kit.Session, w *kit.Words) (kit.Action, error) {
	if s.OpenAt == nil {
		return nil, errors.New("no other location can be opened here")
	}
	var parts []string
	for len(w.List) > 0 {
		parts = append(parts, w.Next())
	}
	location := strings.Join(parts, " ")
	if strings.TrimSpace(location) == "" {
		return nil, errors.New("open: the location is missing")
	}
	return leaveFor{location}, nil
}

// chooser is the uppermost screen on the stack on which a checkpoint is chosen; nil for none.
func (a *App) chooser() kit.Chooser {
	for _, l := range slices.Backward(a.stack) {
		if x, ok := l.Screen.(kit.Chooser); ok {
			return x
		}
	}
	return nil
}
