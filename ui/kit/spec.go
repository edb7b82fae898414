package kit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// Spec is one row of the list of what the explorer can do: most rows open a screen, the others return an action.
// A screen is a folder with its spec, and one line of the list.
type Spec struct {
	Command string // the word that its line begins with; "" where the line is the argument alone
	Args    string // what may follow: "N", "[OPERATOR] KEY"; "" for nothing
	Need    bool   // without an argument there is nothing to do
	Does    string
	Title   string      // of the screen that exists once: it is gone back to where it is open; "" for one each time
	Key     key.Binding // the key that does the same; its zero value for none
	Nth     bool        // the nth key of the binding stands for the argument n

	Tab    string               // its label in the line of tabs; "" for a screen that has none
	Badge  func(*Session) Badge // what its tab says of it; nil for nothing
	Second bool                 // its tab gives way on narrow terminals
	Home   string               // the title of the tab that a screen without one belongs to; "" for none

	Anywhere bool   // it needs no checkpoint
	Whole    bool   // the rest of the line is one argument, slashes and blanks included
	Moment   bool   // it takes "batch N", the batch that is looked at
	Once     bool   // it is not opened on top of itself
	Also     []Spec // other commands that open the same screen, in the order after this one

	// make makes the screen that its key opens; nil where only a line opens it.
	New func(s *Session) Screen
	// Open makes the screen that a line asks for; nil: make, then set.
	Open func(s *Session, w *Words) (Screen, error)
	// Do returns the action of a row that is no screen; nil for one that is.
	Do func(s *Session, w *Words) (Action, error)
	// Find returns a search, run in the background, for the line to open; finding says what is searched.
	Find    func(s *Session, w *Words) (func(ctx context.Context) (line string, err error), error)
	Finding string
	// Paste makes the screen that a pasted text is for; nil where the text is for another.
	Paste func(s *Session, text string) Screen

	// Ready returns why a line cannot be done yet; nil: it always can.
	Ready func(s *Session, w *Words) error
	// Check returns what is wrong with the arguments, as far as that shows without a checkpoint; nil: nothing does.
	Check func(w *Words) error
	// Complete returns what may follow the command: after the words before it, beginning with text; nil for nothing.
	Complete func(s *Session, before []string, text string) []Candidate
}

// What a screen and a row ask of the app, beside back and reload.
type (
	// Go opens what a line asks for. with is what the asking screen knows beside the line; nil for nothing.
	Go struct {
		Line string
		With any
	}
	// Home goes back to the screen on which a checkpoint was chosen.
	Home struct{}
)

// FileAt is the payload of goLine for a file: its place, whatever its name, and its size; -1 where it is not known.
type FileAt struct {
	decode.Where
	Size int64
}

// GoFile opens a file at a place.
func GoFile(where decode.Where, size int64) Go {
	return Go{"file " + Quote(where.String()), FileAt{where, size}}
}

// Shown is the payload of goLine for batches that a screen shows: they are opened even where they have no file.
type Shown struct{}

// GoBatch opens a batch.
func GoBatch(id int64) Go { return Go{fmt.Sprintf("batch %d", id), Shown{}} }

// FindingLine is the line that opens finding i of a verdict: by its code, and by its number where it is not the
// first of that code.
func FindingLine(v *checks.Verdict, i int) string {
	nth := 0
	for j := range i + 1 {
		if v.Findings[j].Code == v.Findings[i].Code {
			nth++
		}
	}
	line := "finding " + Quote(v.Findings[i].Code)
	if nth > 1 {
		line += " " + strconv.Itoa(nth)
	}
	return line
}

// Chooser is a screen on which a checkpoint is chosen: there is one while none is open.
type Chooser interface {
	Screen
	// Folder is the location that was asked for and is no checkpoint; "" on the start screen.
	Folder() string
	// Banner is what is said in place of a verdict: a sign, and styled words.
	Banner() (sign phrase.Sign, words string)
}

// ErrNotYet is that a line asks for what is still being read.
var ErrNotYet = errors.New("still being read")

// NeedsState is ready for what needs the state stores.
func NeedsState(s *Session, _ *Words) error {
	if s.StateWords == nil {
		return s.notThere("state")
	}
	return nil
}

// OneTooMany is the error for a word that nothing is made of.
func OneTooMany(command string, w *Words) error {
	if len(w.List) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %q is one word too many", command, w.Peek())
}

// CheckBatch, checkStore and checkPlace check the first argument of a line.
func CheckBatch(w *Words) (err error) {
	if len(w.List) > 0 {
		_, err = BatchNumber(w.Next())
	}
	return err
}

func CheckStore(w *Words) (err error) {
	if len(w.List) > 0 && w.Peek() != "sort" && w.Peek() != "batch" {
		_, err = ParseStore(w.Next())
	}
	return err
}

func CheckPlace(w *Words) error {
	_, err := ValidPlace(w.Next())
	return err
}

// ScreenRows are the rows of screens that have a key: those with a tab first, in the order of the tabs.
func ScreenRows(specs []Spec) []Spec {
	rows := slices.DeleteFunc(slices.Clone(specs), func(c Spec) bool { return c.Title == "" || !c.Key.Enabled() })
	slices.SortStableFunc(rows, func(a, b Spec) int { return cmp.Compare(tabless(a), tabless(b)) })
	return rows
}

func tabless(c Spec) int {
	if c.Tab == "" {
		return 1
	}
	return 0
}

// Badge is what a tab says of its screen: a count, or the worst there is. Its zero value says nothing.
type Badge struct {
	Text string
	Role phrase.Role
}

// Badges that several tabs have.
var (
	NotChecked = Badge{"?", phrase.Dim}
	Reading    = Badge{"…", phrase.Dim}
	NoneBadge  = Badge{"none", phrase.Dim}
	Checked    = Badge{"✓", phrase.Good}
)

// SignBadge is a sign with how many there are of it.
func SignBadge(s phrase.Sign, n int) Badge { return Badge{s.Symbol + strconv.Itoa(n), s.Role} }

// Always does the same whatever stands on the line.
func Always(act Action) func(*Session, *Words) (Action, error) {
	return func(*Session, *Words) (Action, error) { return act, nil }
}

// Fits returns an error where an argument is missing, or none is taken.
func (c *Spec) Fits(w *Words) error {
	switch {
	case c.Need && len(w.List) == 0:
		return fmt.Errorf("%s: the argument is missing: %s %s", c.Command, c.Command, c.Args)
	case c.Args == "":
		return OneTooMany(c.Command, w)
	}
	return nil
}
