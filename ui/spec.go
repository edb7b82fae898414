package ui

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
)

// Spec is one row of the list of what the explorer can do: most rows open a screen, the others return an action.
// A screen is a folder with its spec, and one line of the list.
type Spec struct {
	command string // the word that its line begins with; "" where the line is the argument alone
	args    string // what may follow: "N", "[OPERATOR] KEY"; "" for nothing
	need    bool   // without an argument there is nothing to do
	does    string
	title   string      // of the screen that exists once: it is gone back to where it is open; "" for one each time
	key     key.Binding // the key that does the same; its zero value for none
	nth     bool        // the nth key of the binding stands for the argument n
	hint    int         // its place among the keys of screens, from 1, which the footer names everywhere; 0: after those, in help only

	anywhere bool   // it needs no checkpoint
	whole    bool   // the rest of the line is one argument, slashes and blanks included
	moment   bool   // it takes "batch N", the batch that is looked at
	once     bool   // it is not opened on top of itself
	also     []Spec // other commands that open the same screen, in the order after this one

	// make makes the screen that its key opens; nil where only a line opens it.
	make func(s *session) screen
	// open makes the screen that a line asks for; nil: make, then set.
	open func(s *session, w *words) (screen, error)
	// do returns the action of a row that is no screen; nil for one that is.
	do func(s *session, w *words) (action, error)
	// find returns a search, run in the background, for the line to open; finding says what is searched.
	find    func(s *session, w *words) (func(ctx context.Context) (line string, err error), error)
	finding string
	// paste makes the screen that a pasted text is for; nil where the text is for another.
	paste func(s *session, text string) screen

	// ready returns why a line cannot be done yet; nil: it always can.
	ready func(s *session, w *words) error
	// check returns what is wrong with the arguments, as far as that shows without a checkpoint; nil: nothing does.
	check func(w *words) error
	// complete returns what may follow the command: after the words before it, beginning with text; nil for nothing.
	complete func(s *session, before []string, text string) []candidate
}

// What a screen and a row ask of the app, beside back and reload.
type (
	// goLine opens what a line asks for. with is what the asking screen knows beside the line; nil for nothing.
	goLine struct {
		line string
		with any
	}
	// home goes back to the screen on which a checkpoint was chosen.
	home struct{}
)

// fileAt is the payload of goLine for a file: its place, whatever its name, and its size; -1 where it is not known.
type fileAt struct {
	decode.Where
	size int64
}

// goFile opens a file at a place.
func goFile(where decode.Where, size int64) goLine {
	return goLine{"file " + quote(where.String()), fileAt{where, size}}
}

// shown is the payload of goLine for batches that a screen shows: they are opened even where they have no file.
type shown struct{}

// goBatch opens a batch.
func goBatch(id int64) goLine { return goLine{fmt.Sprintf("batch %d", id), shown{}} }

// findingLine is the line that opens finding i of a verdict: by its code, and by its number where it is not the
// first of that code.
func findingLine(v *checks.Verdict, i int) string {
	nth := 0
	for j := range i + 1 {
		if v.Findings[j].Code == v.Findings[i].Code {
			nth++
		}
	}
	line := "finding " + quote(v.Findings[i].Code)
	if nth > 1 {
		line += " " + strconv.Itoa(nth)
	}
	return line
}

// chooser is a screen on which a checkpoint is chosen: there is one while none is open.
type chooser interface {
	screen
	// folder is the location that was asked for and is no checkpoint; "" on the start screen.
	folder() string
	// summary is the line in place of the verdict.
	summary(w int) string
}

// errNotYet is that a line asks for what is still being read.
var errNotYet = errors.New("that is still being read")

// notThere is why something that an examination tells is not known.
func (s *session) notThere(what string) error {
	if s.opening || s.examining {
		return errNotYet
	}
	return fmt.Errorf("the reading ended before %s was known; %s reads again", what, s.firstKey(keys.reread))
}

// hasState is ready for what needs the state stores.
func hasState(s *session, _ *words) error {
	if s.state == nil {
		return s.notThere("state")
	}
	return nil
}

// oneTooMany is the error for a word that nothing is made of.
func oneTooMany(command string, w *words) error {
	if len(w.list) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %q is one word too many", command, w.peek())
}

// wantBatch returns an error where a line asks for a batch that has no file. A screen may ask for it all the same.
func (s *session) wantBatch(w *words, id int64) error {
	if _, ok := w.with.(shown); ok {
		return nil
	}
	return s.hasBatch(id)
}

// hasBatch returns an error where there is no file of a batch.
func (s *session) hasBatch(id int64) error {
	if s.cp.Offsets.Find(id) == nil && s.cp.Commits.Find(id) == nil {
		return fmt.Errorf("there is no file of batch %d, neither in offsets nor in commits", id)
	}
	return nil
}

// checkBatch, checkStore and checkPlace check the first argument of a line.
func checkBatch(w *words) (err error) {
	if len(w.list) > 0 {
		_, err = batchNumber(w.next())
	}
	return err
}

func checkStore(w *words) (err error) {
	if len(w.list) > 0 && w.peek() != "sort" && w.peek() != "batch" {
		_, err = parseStore(w.next())
	}
	return err
}

func checkPlace(w *words) error {
	_, err := validPlace(w.next())
	return err
}

// screenRows are the rows of screens that have a key, in the order of their keys: those that the footer names first.
func screenRows(specs []Spec) []Spec {
	rows := slices.DeleteFunc(slices.Clone(specs), func(c Spec) bool { return c.title == "" || !c.key.Enabled() })
	slices.SortStableFunc(rows, func(a, b Spec) int {
		return cmp.Or(cmp.Compare(min(a.hint, 1), min(b.hint, 1))*-1, cmp.Compare(a.hint, b.hint))
	})
	return rows
}

// always does the same whatever stands on the line.
func always(act action) func(*session, *words) (action, error) {
	return func(*session, *words) (action, error) { return act, nil }
}
