package kit

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Ask is a line at the head of a screen in which a person types what is asked for: a key, a batch.
type Ask struct {
	Line  widget.Input
	Label string                             // what is asked for
	Hint  func() []string                    // what may be typed
	Take  func(typed string) (Action, error) // what to do with it; with an error the line stays
	Drop  func() Action                      // what to do where nothing is wanted any more; nil: nothing
	Err   error                              // what is wrong with what was typed
}

// ErrSoon is that what was typed cannot be done yet: it is tried again when more was read.
var ErrSoon = errors.New("when it is read")

// Again tries what was typed before it could be done.
func (a *Ask) Again() (act Action) {
	if !errors.Is(a.Err, ErrSoon) {
		return nil
	}
	if act, a.Err = a.Take(a.Line.Typed()); a.Err == nil {
		*a = Ask{}
	}
	return act
}

// Show gives the line the keys.
func (a *Ask) Show(q Ask) {
	*a = q
	a.Line.Begin()
}

func (a *Ask) IsOpen() bool { return a.Line.Typing }

// Handle takes a key or a paste while the line is open.
func (a *Ask) Handle(msg tea.Msg) (act Action) {
	if k, ok := msg.(tea.KeyPressMsg); ok && k.String() == "enter" {
		if act, a.Err = a.Take(a.Line.Typed()); a.Err == nil {
			*a = Ask{}
		}
		return act
	}
	a.Err = nil
	if a.Line.Update(msg); !a.Line.Typing {
		if drop := a.Drop; drop != nil {
			act = drop()
		}
		*a = Ask{}
	}
	return act
}

// View is the line, what may be typed, and what is wrong with what was typed.
func (a *Ask) View(t *Theme, w int) []string {
	room := max(w-len(a.Label)-4, 1)
	return append([]string{" " + t.Strong.Styled(a.Label) + " " + t.Strong.Styled(a.Line.TextIn(room))}, a.words(t, w-2)...)
}

// Float is the line in a box over the screen.
func (a *Ask) Float(t *Theme, w int) Float {
	f := Float{Title: strings.TrimSuffix(a.Label, ":"), Right: t.Accent.Styled("enter") + " done  " + t.Accent.Styled("esc") + " cancel"}
	f.Lines = append([]string{" " + t.Strong.Styled(a.Line.TextIn(w-5)), ""}, a.words(t, w-4)...)
	return f
}

// words are what may be typed, or what is wrong with what was typed, in lines of w cells.
func (a *Ask) words(t *Theme, w int) (lines []string) {
	if errors.Is(a.Err, ErrSoon) {
		return Indent1(StyledLines(t.Dim, FirstLines(phrase.Wrap("… "+Safe(a.Err.Error()), w), 2)))
	}
	if a.Err != nil {
		return Indent1(StyledLines(t.Bad, FirstLines(phrase.Wrap("✗ "+Safe(a.Err.Error()), w), 4)))
	}
	for _, text := range a.Hint() {
		lines = append(lines, Indent1(StyledLines(t.Dim, FirstLines(phrase.Wrap(text, w), 3)))...)
	}
	return lines
}

// FirstLines are the first n lines at most.
func FirstLines(lines []string, n int) []string { return lines[:min(len(lines), n)] }
