package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// tour is where somebody stands in a tour.
type tour struct {
	chapters []kit.Chapter
	chapter  int
	step     int
}

// tourLines are those above the footer: what is said, and what to press.
const tourLines = 4

func (t *tour) on() bool { return len(t.chapters) > 0 }

func (t *tour) here() *kit.Step { return &t.chapters[t.chapter].Steps[t.step] }

// tourHeight is how many lines the tour takes of a screen.
func (a *App) tourHeight() int {
	if !a.tour.on() {
		return 0
	}
	return tourLines
}

// beginChapter opens the checkpoint of a chapter, by its clock.
func (a *App) beginChapter(n int) tea.Cmd {
	c := &a.tour.chapters[n]
	a.tour.chapter, a.tour.step = n, 0
	for len(a.stack) > 1 {
		a.pop()
	}
	a.closeCheckpoint(c.Location)
	a.Options.Open, a.Options.Poll = c.Open, c.Poll
	a.byTheClockOf(c)
	return a.read()
}

// byTheClockOf has ages told as they were when the example was new.
func (a *App) byTheClockOf(c *kit.Chapter) {
	a.Now = func() time.Time { return c.Now }
	a.Clock.Now = a.Now
	a.Examine.Now = c.Now
}

// tourKey takes the keys of the tour, and goes on where the key of its step is pressed, which then does
// what it does. taken says that there is nothing left to do with it.
func (a *App) tourKey(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	t := &a.tour
	if !t.on() {
		return nil, false
	}
	switch key := msg.String(); {
	case key == "n":
		return a.tourOn(), true
	case key == "p":
		return a.tourBack(), true
	case t.here().Key != "" && key == t.here().Key:
		t.step++
	}
	return nil, false
}

func (a *App) tourOn() tea.Cmd {
	t := &a.tour
	switch {
	case t.step+1 < len(t.chapters[t.chapter].Steps):
		t.step++
		return a.command(t.here().View)
	case t.chapter+1 < len(t.chapters):
		return a.beginChapter(t.chapter + 1)
	}
	a.notice = "that was the tour · q leaves, p goes a step back"
	return nil
}

func (a *App) tourBack() tea.Cmd {
	t := &a.tour
	switch {
	case t.step > 0:
		t.step--
		return a.command(t.here().View)
	case t.chapter > 0:
		return a.beginChapter(t.chapter - 1)
	}
	a.notice = "the tour begins here"
	return nil
}

// tourView draws the lines of the tour.
func (a *App) tourView(w int) []string {
	if !a.tour.on() {
		return nil
	}
	t := &a.tour
	steps := t.chapters[t.chapter].Steps
	head := fmt.Sprintf("TOUR %d of %d, step %d of %d  ", t.chapter+1, len(t.chapters), t.step+1, len(steps))
	press := "n shows the next example"
	switch {
	case t.here().Key != "":
		press = "press " + t.here().Key + " to go on"
	case t.chapter+1 == len(t.chapters):
		press = "that was the tour: q leaves"
	}
	lines := []string{a.Theme.Dim.Styled(strings.Repeat("╌", w))}
	text := phrase.Wrap(t.here().Text, w-2)
	for i := range 2 {
		if i < len(text) {
			lines = append(lines, " "+a.Theme.Strong.Styled(text[i]))
		} else {
			lines = append(lines, "")
		}
	}
	return append(lines, " "+a.Theme.Strong.Styled(head)+a.Theme.Accent.Styled(press)+a.Theme.Dim.Styled("   n on   p back"))
}
