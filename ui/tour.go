package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// tour is how far a person is in a guided tour.
type tour struct {
	chapters []kit.Chapter
	chapter  int
	step     int
}

// tourText is how many lines a step has; tourLines are those with the edges of its box.
const (
	tourText  = 2
	tourLines = tourText + 2
)

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

// byTheClockOf shows ages as they were when the example was new.
func (a *App) byTheClockOf(c *kit.Chapter) {
	a.Now = func() time.Time { return c.Now }
	a.Clock.Now = a.Now
	a.Examine.Now = c.Now
}

// tourKey takes the keys of the tour. The key of a step continues the tour and then does what it always does; taken says that
// there is nothing left to do with a key.
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
	a.notice = a.WithKeys("This was the last step · p goes back · %s quits", kit.Keys.QuitAll)
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
	a.notice = "This is the first step"
	return nil
}

// tourView draws the box of the tour: what is on the screen, and which key to press.
func (a *App) tourView(w int) []string {
	if !a.tour.on() {
		return nil
	}
	t, theme := &a.tour, &a.Theme
	steps := t.chapters[t.chapter].Steps
	key := func(key, does string) string { return theme.Accent.Styled(key) + " " + does }
	press := key("n", "next example")
	switch {
	case t.here().Key != "":
		press = key(t.here().Key, "continue")
	case t.chapter+1 == len(t.chapters):
		press = key(a.Label(kit.Keys.QuitAll), "quit")
	}
	if t.here().Key != "" {
		press += "   " + key("n", "next")
	}
	box := kit.Float{Title: fmt.Sprintf("Tour: example %d of %d, step %d of %d", t.chapter+1, len(t.chapters), t.step+1, len(steps)),
		Right: press + "   " + key("p", "back")}
	for _, l := range kit.Fill(phrase.Wrap(t.here().Text, min(w-4, kit.Measure)), tourText) {
		box.Lines = append(box.Lines, " "+l)
	}
	return strings.Split(box.Draw(theme, w), "\n")
}
