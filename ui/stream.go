package ui

import (
	"context"
	"fmt"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"
)

// screenID addresses what is read to the screen that asked. The app itself is 0.
type screenID int64

// page is a run of values read in the background for one screen.
type page[T any] struct {
	to    screenID // the screen that asked; a page for a closed screen is dropped
	items []T
	err   error
	next  tea.Cmd // reads the following page; nil after the last
}

func (p page[T]) address() screenID { return p.to }

// broke is a command that panicked: one bad file must not end the program.
type broke struct {
	to  screenID
	err error
}

func (b broke) address() screenID { return b.to }

// addressed is a message for one screen.
type addressed interface{ address() screenID }

const (
	pageSize = 256                   // items in a page at most, and items read ahead of it
	pageTime = 40 * time.Millisecond // how long a page that has something waits for more
)

// piece is one item of a sequence on its way into a page.
type piece[T any] struct {
	item T
	err  error
}

// stream turns a sequence into pages: it is read in the background, one page ahead. life is the
// context of the screen that reads: when it ends, so does the reading, wherever it is. (A load that
// was cancelled by a key has a context of its own within seq, and its last page still arrives.)
// A panic of the sequence is the error of its last page.
func stream[T any](life context.Context, to screenID, seq iter.Seq2[T, error]) tea.Cmd {
	return streamPaced(life, to, seq, pageTime)
}

// streamPaced is stream with another time that a page waits for more; the first one comes as soon as ever.
func streamPaced[T any](life context.Context, to screenID, seq iter.Seq2[T, error], every time.Duration) tea.Cmd {
	return func() tea.Msg {
		pieces := make(chan piece[T], pageSize)
		go func() {
			defer close(pieces)
			send := func(p piece[T]) bool {
				select {
				case pieces <- p:
					return true
				case <-life.Done():
					return false
				}
			}
			defer func() {
				if p := recover(); p != nil {
					send(piece[T]{err: brokeDown(p)})
				}
			}()
			for item, err := range seq {
				if !send(piece[T]{item, err}) {
					return
				}
			}
		}()
		return collect(to, pieces, pageTime, every)()
	}
}

// collect waits for one piece and takes what follows soon after it; the next pages wait for as long as then.
func collect[T any](to screenID, pieces <-chan piece[T], wait, then time.Duration) tea.Cmd {
	return func() tea.Msg {
		p := page[T]{to: to}
		first, ok := <-pieces
		soon := time.After(wait)
		for ok {
			if first.err != nil {
				p.err = first.err
			} else {
				p.items = append(p.items, first.item)
			}
			if len(p.items) == pageSize {
				p.next = collect(to, pieces, then, then)
				return p
			}
			select {
			case first, ok = <-pieces:
			case <-soon:
				p.next = collect(to, pieces, then, then)
				return p
			}
		}
		return p
	}
}

// guard is a command that cannot bring the program down.
func guard(to screenID, run func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = broke{to, brokeDown(p)}
			}
		}()
		return run()
	}
}

func brokeDown(p any) error {
	return fmt.Errorf("this part of tidemark broke down, please report it: %v", p)
}

// each makes a sequence of what cannot fail.
func each[T any](seq iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v := range seq {
			if !yield(v, nil) {
				return
			}
		}
	}
}
