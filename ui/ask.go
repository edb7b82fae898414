package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// ask is a line at the head of a screen in which a person types what is asked for: a key, a batch.
type ask struct {
	line  widget.Filter
	label string                             // what is asked for
	hint  func() []string                    // what may be typed
	take  func(typed string) (action, error) // what to do with it; with an error the line stays
	drop  func() action                      // what to do where nothing is wanted any more; nil: nothing
	err   error                              // what is wrong with what was typed
}

// errSoon is that what was typed cannot be done yet: it is tried again when more was read.
var errSoon = errors.New("as soon as it is known")

// again tries what was typed before it could be done.
func (a *ask) again() (act action) {
	if !errors.Is(a.err, errSoon) {
		return nil
	}
	if act, a.err = a.take(a.line.Typed()); a.err == nil {
		*a = ask{}
	}
	return act
}

// show gives the line the keys.
func (a *ask) show(q ask) {
	*a = q
	a.line.Begin()
}

func (a *ask) open() bool { return a.line.Typing }

// hear takes a key or a paste while the line is open.
func (a *ask) hear(msg tea.Msg) (act action) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "enter" {
		if act, a.err = a.take(a.line.Typed()); a.err == nil {
			*a = ask{}
		}
		return act
	}
	a.err = nil
	if a.line.Update(msg); !a.line.Typing {
		if drop := a.drop; drop != nil {
			act = drop()
		}
		*a = ask{}
	}
	return act
}

// view is the line, what may be typed, and what is wrong with what was.
func (a *ask) view(t *theme, w int) []string {
	room := max(w-len(a.label)-4, 1)
	lines := []string{" " + t.section.Styled(a.label) + " " + t.strong.Styled(widget.Middle(safe(a.line.Typed()), room)+"▏")}
	if errors.Is(a.err, errSoon) {
		return append(lines, indent1(styledLines(t.dim, most(widget.Wrap("… "+safe(a.err.Error()), w-2), 2)))...)
	}
	if a.err != nil {
		return append(lines, indent1(styledLines(t.critical, most(widget.Wrap("✗ "+safe(a.err.Error()), w-2), 4)))...)
	}
	for _, text := range a.hint() {
		lines = append(lines, indent1(styledLines(t.dim, most(widget.Wrap(text, w-2), 3)))...)
	}
	return lines
}

// most are the first n lines at most.
func most(lines []string, n int) []string { return lines[:min(len(lines), n)] }
