package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
)

// ":key KEY": the rows of a key, in the first operator whose key it fits. Which it fits is known only when
// the schemas of the operators have been read, so the line waits for that.

// keyFound is where a key belongs, or why it belongs nowhere.
type keyFound struct {
	seek int // of the app: which search this is the end of
	want rowsWanted
	err  error
}

// commandKey takes a key, and before it the operator where one is named.
func (a *App) commandKey(w *words) (tea.Cmd, error) {
	if a.state == nil {
		return nil, a.notThere("state")
	}
	operator := -1
	if n, err := strconv.Atoi(w.peek()); err == nil && len(w.list) > 1 {
		operator = n
		w.next()
	}
	var typed []string
	for len(w.list) > 0 {
		typed = append(typed, w.nextWord().raw)
	}
	var heads []storeRow
	x := newState(&a.session)
	x.build()
	for _, r := range x.rows {
		if r.heading && (operator < 0 || r.operator == operator) {
			heads = append(heads, r)
		}
	}
	switch {
	case len(heads) == 0 && operator >= 0:
		return nil, fmt.Errorf("there is no operator %d among the state", operator)
	case len(heads) == 0:
		return nil, errors.New("there is no state, so there is no key in it")
	}
	return a.seekKey(heads, strings.Join(typed, " ")), nil
}

// seekKey looks in the background for the operator that a key fits. A key that is pressed meanwhile ends it.
func (a *App) seekKey(heads []storeRow, typed string) tea.Cmd {
	a.seeks++
	seek, ctx, cp := a.seeks, a.reading.life, a.cp
	wants := make([]rowsWanted, len(heads))
	for i := range heads {
		wants[i] = wantedOf(&a.session, &heads[i])
	}
	a.notice = "… the keys of the operators are being read · any key stays here"
	a.waiting = func() tea.Cmd { return nil }
	return guard(a.reading.id, func() tea.Msg {
		want, err := fitKey(ctx, cp, wants, typed)
		return keyFound{seek, want, err}
	})
}

// fitKey is the first of wants whose key typed is.
func fitKey(ctx context.Context, cp *checkpoint.Checkpoint, wants []rowsWanted, typed string) (rowsWanted, error) {
	var why []string
	for _, want := range wants {
		at, err := statestore.At(ctx, cp, want.operator, want.batch)
		if err == nil && len(at.Views) == 0 {
			err = errors.Join(at.Problem, errors.New("no schema is recorded"))
		}
		for i := 0; err == nil && i < len(at.Views); i++ {
			from := &rowsSource{cp: cp, state: at, view: &at.Views[i]}
			if key, kerr := keyOf(from, typed); kerr == nil {
				want.view, want.key = from.view.Name, key
				return want, nil
			} else if i == len(at.Views)-1 {
				err = kerr
			}
		}
		why = append(why, fmt.Sprintf("operator %d: %v", want.operator, err))
	}
	return rowsWanted{}, errors.New(strings.Join(why, " · "))
}

// found opens the rows of a key, unless a person has gone on.
func (a *App) found(msg keyFound) tea.Cmd {
	if msg.seek != a.seeks || a.waiting == nil {
		return nil
	}
	a.waiting, a.notice = nil, ""
	if msg.err != nil {
		a.notice = msg.err.Error()
		return nil
	}
	latest, err := a.fitRows(&msg.want)
	if err != nil {
		a.notice = err.Error()
		return nil
	}
	return a.push(newRowsOf(&a.session, msg.want, latest))
}
