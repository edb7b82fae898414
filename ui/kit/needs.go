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

// RoomForSteps is how many lines the steps get in h lines of w cells, one below the other with a list and what may give way:
// all of them where a list of two rows and a line remain.
func RoomForSteps(p *Panel, w, h int) int {
	const others, edges = leastList + 2 + 1, 2
	return max(min(len(p.Text(w-4)), h-others-edges), 3)
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
