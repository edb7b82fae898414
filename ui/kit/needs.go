package kit

import (
	"slices"
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// What a screen lacks because it was not given: the sink, the spec, the positions of the sources.

// Has reports whether the explorer has a command.
func (s *Session) Has(command string) bool {
	return slices.ContainsFunc(s.Specs, func(c Spec) bool { return c.Command == command })
}

// HowTo is how to give what a flag stands for: by the command of the same name where the explorer has one, else by the flag.
func (s *Session) HowTo(command, args string) string {
	if s.Has(command) {
		return ":" + command + " " + args
	}
	return "--" + command + " " + args
}

// StepsPanel is what to do, in steps. It says what none says if there are no steps.
func (s *Session) StepsPanel(steps page.Steps, none string) *Panel {
	t := &s.Theme
	return &Panel{ID: StepsID, Title: "What to do", Rank: 1, Text: func(w int) []string {
		if len(steps.Items) == 0 && steps.Never == "" {
			return StyledLines(t.Dim, phrase.Wrap(none, w))
		}
		return t.Draw(min(w, Measure), steps)
	}}
}

// RoomForSteps gives a list and the steps below it their least lines of h, with w cells: the list a third for its head and its
// n rows, the steps all they need where a line is left to what is between them.
func RoomForSteps(list, steps *Panel, n, w, h int) {
	const edges = 2
	list.Least = max(min(n+1, h/3), 3)
	steps.Least = max(min(len(steps.Text(w-4)), h-list.Least-2*edges-1), 3)
}

// StepsID is the panel of what to do.
const StepsID = "steps"

// Measure is how many cells a line of sentences has at most: longer ones are hard to read.
const Measure = 100

// StepsText is the steps as they are copied, a line each.
func StepsText(steps page.Steps) string {
	return strings.Join(page.Layout{Width: whole}.Blocks(steps), "\n")
}

// whole is how wide a text is laid out that is pasted elsewhere: its paragraphs stay on one line.
const whole = 1 << 20
