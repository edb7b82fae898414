package kit

import (
	"context"
	"fmt"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"
)

// ScreenID addresses what is read to the screen that asked. The app itself is 0.
type ScreenID int64

// Chunk is a run of values read in the background for one screen.
type Chunk[T any] struct {
	To    ScreenID // the screen that asked; a page for a closed screen is dropped
	Items []T
	Err   error
	Next  tea.Cmd // reads the following page; nil after the last
}

func (p Chunk[T]) Address() ScreenID { return p.To }

// Broke is a command that panicked: one bad file must not end the program.
type Broke struct {
	to  ScreenID
	Err error
}

func (b Broke) Address() ScreenID { return b.to }

// Addressed is a message for one screen.
type Addressed interface{ Address() ScreenID }

const (
	chunkSize = 256                   // items in a page at most, and items read ahead of it
	ChunkTime = 40 * time.Millisecond // how long a page that has something waits for more
)

// piece is one item of a sequence on its way into a page.
type piece[T any] struct {
	item T
	err  error
}

// Stream turns a sequence into pages: it is read in the background, one page ahead. life is the
// context of the screen that reads: when it ends, so does the reading, wherever it is. (A load that
// was canceled by a key has a context of its own within seq, and its last page still arrives.)
// A panic of the sequence is the error of its last page.
func Stream[T any](life context.Context, to ScreenID, seq iter.Seq2[T, error]) tea.Cmd {
	return StreamPaced(life, to, seq, ChunkTime)
}

// StreamPaced is stream with another time that a page waits for more; the first one comes as soon as ever.
func StreamPaced[T any](life context.Context, to ScreenID, seq iter.Seq2[T, error], every time.Duration) tea.Cmd {
	return func() tea.Msg {
		pieces := make(chan piece[T], chunkSize)
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
					send(piece[T]{err: BrokeDown(p)})
				}
			}()
			for item, err := range seq {
				if !send(piece[T]{item, err}) {
					return
				}
			}
		}()
		return collect(to, pieces, ChunkTime, every)()
	}
}

// collect waits for one piece and takes what follows soon after it; the next pages wait for as long as then.
func collect[T any](to ScreenID, pieces <-chan piece[T], wait, then time.Duration) tea.Cmd {
	return func() tea.Msg {
		p := Chunk[T]{To: to}
		first, ok := <-pieces
		soon := time.After(wait)
		for ok {
			if first.err != nil {
				p.Err = first.err
			} else {
				p.Items = append(p.Items, first.item)
			}
			if len(p.Items) == chunkSize {
				p.Next = collect(to, pieces, then, then)
				return p
			}
			select {
			case first, ok = <-pieces:
			case <-soon:
				p.Next = collect(to, pieces, then, then)
				return p
			}
		}
		return p
	}
}

// Guard is a command that cannot bring the program down.
func Guard(to ScreenID, run func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = Broke{to, BrokeDown(p)}
			}
		}()
		return run()
	}
}

func BrokeDown(p any) error {
	return fmt.Errorf("this part of tidemark failed; report it: %v", p)
}

// Each makes a sequence of what cannot fail.
func Each[T any](seq iter.Seq[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v := range seq {
			if !yield(v, nil) {
				return
			}
		}
	}
}
