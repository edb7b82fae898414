package kit

import (
	"context"
	"iter"
	"time"

	"tidemark/checkpoint"
	"tidemark/internal/checks/examine"
)

// Finder searches for checkpoints below a location: it yields each as soon as it is found, and again when it is checked;
// between them how far it is. It ends soon after ctx does.
type Finder func(ctx context.Context, location string) iter.Seq2[Found, error]

// Found is one step of a search.
type Found struct {
	Choice         // of a checkpoint; its Location is empty where the step is none
	Summary        // of it
	Same    string // another checkpoint of the same query that was found; "" where there is none so far
	Looked  int    // folders that were listed so far
	Unread  string // a folder that could not be listed, and why
	Left    bool   // there was more than was searched
}

// A guided tour: a few lines above the footer that say what is on the screen, and which key shows the
// next thing. That key does what it always does; n goes on without it, and p a step back.

// Chapter is the tour of one checkpoint.
type Chapter struct {
	Choice
	Now   time.Time // the clock while it is shown, so that ages fit the example
	Steps []Step
}

// Step is one screen of a chapter.
type Step struct {
	View string // the line after ":" that opens the screen
	Text string // what is on it
	Key  string // the key that leads to the next step; "" at the last one of a chapter
}

// Options are what the explorer is told by the command line.
type Options struct {
	Location string // for the header, as typed, without credentials
	// Open opens the checkpoint. It is called in the background after the first frame is drawn,
	// and again for a re-read. nil: the start screen offers Choices.
	Open func(context.Context) (*checkpoint.Checkpoint, error)
	// Poll opens it for a round of a following, where that can do with fewer requests than Open; nil: Open.
	Poll     func(context.Context) (*checkpoint.Checkpoint, error)
	Examine  examine.Options
	Identity func(location string) string // as whom a location is read: "profile prod, AKIA…WXYZ"; nil or "": not known
	Follow   bool                         // a running query: look again every few seconds, from the first verdict on
	Traffic  func() Traffic               // what the storage has done so far; nil: not shown
	// OpenAt is how a location that a person types is opened; nil: nothing but Open and Choices.
	OpenAt func(location string) Choice
	// Around is the checkpoint that a location is a part of, such as its folder offsets; "" for none. It reads, and is called in
	// the background. nil: nobody knows.
	Around  func(ctx context.Context, location string) string
	Find    Finder              // looks for checkpoints below a location; nil: nothing is looked for
	Here    string              // where the start screen looks for checkpoints; "" for nowhere
	Tour    []Chapter           // a guided tour, which begins at Location; nil: none
	Choices []Choice            // what the start screen offers where Open is nil
	View    string              // the line after ":" that is run once the checkpoint is open; "" for the overview
	Memory  Memory              // what is remembered from run to run; nil: bookmarks of this run
	Keys    map[string][]string // keys of one's own, by the names that CheckKeys knows; nil for the usual ones

	// Reopen is the command line that opens a view of a location again, for a shell; nil: it is not offered.
	Reopen func(location, view string) string
	// Answer prepares what a person tells of one of Wants: kind is its command. What it returns is called in the background: it
	// reads what must be read to know whether the answer can be used, and returns how it changes the examination. nil: nothing can
	// be told.
	Answer func(kind, text string) (func(context.Context) (func(*examine.Options), error), error)
	// Write writes a new file that a person has named, on this machine and in no checkpoint, while location is
	// looked at. It is called in the background. nil: nothing can be written.
	Write func(location, name string, data []byte) error
	Tmux  bool // the terminal is one of tmux: what is for the one around it has to be wrapped

	ASCII     bool              // plain ASCII for symbols and lines
	NoColor   bool              // no color; bold and reverse video stay
	Light     bool              // colors for a light background
	Theme     map[string]string // the user's own styles by role; CheckTheme has passed each
	ThemeName string            // one of Themes; "" for the usual styles
	Environ   []string          // what the terminal library reads of the environment; nil: that of the process
	Mouse     bool              // the mouse scrolls and selects, until a key changes it
	Far       bool              // the terminal is at the other end of a network
	Still     bool              // nothing counts or redraws by itself more often than every two seconds
	Local     bool              // times of this machine's zone, until a key changes it
	Now       func() time.Time  // the clock; nil: time.Now
}

// Traffic is what the storage has done since the program began.
type Traffic struct {
	Listed, Requests, Bytes int64  // files and folders in listings; what was asked; of files, as received
	Retry                   string // the retry under way: "503 slow down, retry 2/5 in 0.8 s"; "" for none
}

// Choice is one line of the start screen.
type Choice struct {
	Label, Detail, Location string
	Open, Poll              func(context.Context) (*checkpoint.Checkpoint, error) // see Options
}
