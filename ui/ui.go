// Package ui is the explorer: findings and facts of a checkpoint on a screen.
//
// App is the only Bubble Tea model. It owns a stack of screens, one file each, and draws the frame
// around the top one. Reading happens in commands (stream.go): a screen never waits.
package ui

import (
	"context"
	"errors"
	"time"

	"tidemark/checkpoint"
	"tidemark/checks"
)

// Options are what the explorer is told by the command line.
type Options struct {
	Location string // for the header, as typed, without credentials
	// Open opens the checkpoint. It is called in the background after the first frame is drawn,
	// and again for a re-read. nil: the start screen offers Choices.
	Open    func(context.Context) (*checkpoint.Checkpoint, error)
	Examine checks.Options
	Traffic func() Traffic // what the storage has done so far; nil: not shown
	Choices []Choice       // what the start screen offers where Open is nil

	ASCII   bool             // plain ASCII for symbols and lines
	NoColor bool             // no colour; bold and reverse video stay
	Light   bool             // colours for a light background
	Now     func() time.Time // the clock; nil: time.Now
}

// Traffic is what the storage has done since the program began.
type Traffic struct {
	Requests, Bytes int64
	Retry           string // the retry under way: "503 slow down, retry 2/5 in 0.8 s"; "" for none
}

// Choice is one line of the start screen.
type Choice struct {
	Label, Detail, Location string
	Open                    func(context.Context) (*checkpoint.Checkpoint, error)
}

// Run shows the explorer on the terminal until the user quits.
func Run(ctx context.Context, o Options) error {
	return errors.New("the explorer is not built in")
}
