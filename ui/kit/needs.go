package kit

import (
	"strings"

	"tidemark/internal/page"
	"tidemark/internal/phrase"
)

// CanTell reports whether something can be told while the explorer runs.
func (s *Session) CanTell() bool { return s.Answer != nil }

// HowTo is how to tell something: by its command, or where nothing can be told by the flag of that name.
func (s *Session) HowTo(w *Wanted) string {
	if s.CanTell() {
		return ":" + w.Command + " " + w.Args
	}
	return "--" + w.Command + " " + w.Args
}

// TellStep is how to tell something, as a step.
func (s *Session) TellStep(w *Wanted) page.Step {
	if s.CanTell() {
		return page.Step{Do: w.Brief + ": press " + s.FirstKey(Keys.Enter) + ", or type " + s.HowTo(w)}
	}
	return page.Step{Do: w.Brief + ": start tidemark again with " + s.HowTo(w)}
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

// AdvicePanel is what to do about the verdict, in steps.
func (s *Session) AdvicePanel() *Panel {
	if !s.Verdict.Done {
		return s.StepsPanel(page.Steps{}, "… known when everything is read")
	}
	return s.StepsPanel(page.StepsOf(&s.Verdict.Advice), "Nothing to do.")
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
