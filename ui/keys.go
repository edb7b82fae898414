package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// Ways from anywhere to a screen.

// jump goes to a screen that exists once: back to where it is open already. That of a tab replaces what is open above the
// first screen, and comes back as it was left; the others open on top, so that esc comes back here.
func (a *App) jump(c *kit.Spec) tea.Cmd {
	for i := len(a.stack) - 1; i >= 0; i-- {
		if a.stack[i].Title() == c.Title {
			return a.popTo(i)
		}
	}
	if _, own := (&layer{spec: c}).home(); own && a.Open != nil {
		return a.replace(c)
	}
	if a.Open == nil {
		if x := a.chooser(); x != nil && x.Folder() != "" && c.Title == first.Title && a.top().Screen == x { // the folder itself
			return a.do(kit.OpenChoice{Choice: a.OpenAt(x.Folder()), AsIs: true})
		}
		return nil
	}
	return a.push(c.New(&a.Session), c)
}

// replace opens the screen of a tab right above the first one.
func (a *App) replace(c *kit.Spec) tea.Cmd {
	base := slices.IndexFunc(a.stack, func(l *layer) bool { return l.Title() == first.Title })
	if base < 0 {
		return a.push(c.New(&a.Session), c)
	}
	for len(a.stack) > base+1 {
		a.pop()
	}
	if l := a.unpark(c); l != nil {
		a.stack = append(a.stack, l)
		l.Resize(a.w, a.bodyHeight())
		return a.tell(l, kit.Uncovered{})
	}
	return a.push(c.New(&a.Session), c)
}

// rowOf is the row whose key is pressed, and its argument where the key stands for one; nil for another key.
func (a *App) rowOf(in kit.Input) (*kit.Spec, *kit.Words) {
	for i := range specs {
		c := &specs[i]
		if !kit.Pressed(in, c.Key) {
			continue
		}
		w := &kit.Words{}
		if c.Nth {
			w.List = []kit.Word{{Text: strconv.Itoa(kit.Nth(in, c.Key) + 1)}}
		}
		return c, w
	}
	return nil, nil
}

// byKey does a row by its key: at once, where a line would have to wait for the checkpoint.
func (a *App) byKey(c *kit.Spec, w *kit.Words) tea.Cmd {
	if c.New != nil {
		return a.jump(c)
	}
	if c.Open != nil && !c.Anywhere && a.Open == nil {
		return nil
	}
	cmd, err := a.run(c, w)
	if err != nil {
		a.notice = err.Error()
	}
	return cmd
}

// nextWorst goes to the next finding of the worst severity there is.
func (a *App) nextWorst() tea.Cmd {
	worst, ok := a.Verdict.Worst()
	if !ok {
		a.notice = "no findings"
		if a.Examining || a.Opening {
			a.notice = "no findings so far"
		}
		return nil
	}
	n := a.Verdict.Tally()[worst]
	at := a.walked % n
	a.walked++
	return a.command(kit.FindingLine(&a.Verdict, at) + " sort worst")
}

// goHome goes back to the start screen.
func (a *App) goHome() tea.Cmd {
	if x, ok := a.stack[0].Screen.(kit.Chooser); !ok || x.Folder() != "" {
		a.notice = "no start screen: the command line named a location"
		return nil
	}
	return a.popTo(0)
}

// pasted hands a paste to the screen that wants it, or opens the one that it is for.
func (a *App) pasted(msg tea.PasteMsg) tea.Cmd {
	if t, ok := a.top().Screen.(kit.Typist); ok && t.Typing() {
		return a.tell(a.top(), msg)
	}
	for i := range specs {
		if specs[i].Paste == nil {
			continue
		}
		if s := specs[i].Paste(&a.Session, msg.Content); s != nil && s.Title() != a.top().Title() {
			return a.push(s, &specs[i])
		}
	}
	return a.tell(a.top(), msg)
}

// key answers to the keys of everywhere; the others go to the top screen.
func (a *App) key(msg tea.KeyPressMsg) tea.Cmd {
	in := a.Input(msg)
	if a.eats(msg, in) {
		return nil
	}
	a.notice = ""
	if kit.Pressed(in, kit.Keys.Stop) {
		return a.stopOrQuit()
	}
	a.quitAsk, a.waiting = false, nil
	if a.menu != nil {
		return a.choose(msg)
	}
	if a.saving.IsOpen() {
		return a.heardFile(msg)
	}
	if a.asking.IsOpen() {
		return a.heardAnswer(msg)
	}
	if a.prompt.Typing {
		return a.prompted(msg)
	}
	if t, ok := a.top().Screen.(kit.Typist); ok && t.Typing() {
		return a.tell(a.top(), msg)
	}
	if cmd, taken := a.tourKey(msg); taken {
		return cmd
	}
	return a.press(in)
}

// eats reports whether a key is one of a filter that was begun where there is no list: letters must not act as keys then. enter
// and esc end it.
func (a *App) eats(msg tea.KeyPressMsg, in kit.Input) bool {
	if !a.eating || kit.Pressed(in, kit.Keys.Stop) {
		a.eating = false
		return false
	}
	if name := msg.String(); name == "enter" || name == "esc" {
		a.eating, a.notice = false, ""
	}
	return true
}

// press does what a press stands for.
func (a *App) press(in kit.Input) tea.Cmd {
	if c, w := a.rowOf(in); c != nil {
		return a.byKey(c, w)
	}
	switch {
	case kit.Pressed(in, kit.Keys.Stop):
		return a.stopOrQuit()
	case kit.Pressed(in, kit.Keys.QuitAll):
		return tea.Quit
	case kit.Pressed(in, kit.Keys.Quit):
		if len(a.stack) == 1 {
			return tea.Quit
		}
		return a.do(kit.Back{})
	case kit.Pressed(in, kit.Keys.Follow):
		return a.followKey()
	case kit.Pressed(in, kit.Keys.Worst):
		return a.nextWorst()
	case kit.Pressed(in, kit.Keys.Command):
		a.openPrompt("")
	case kit.Pressed(in, kit.Keys.Backward):
		return a.travel(true)
	case kit.Pressed(in, kit.Keys.Forward):
		return a.travel(false)
	case kit.Pressed(in, kit.Keys.Palette):
		return a.openPalette()
	case kit.Pressed(in, kit.Keys.Mouse):
		a.toggleMouse()
	case kit.Pressed(in, kit.Keys.Copy):
		return a.offerCopies(false)
	case kit.Pressed(in, kit.Keys.Export):
		return a.offerCopies(true)
	case kit.Pressed(in, kit.Keys.Clock):
		a.Clock.Local = !a.Clock.Local
		for _, l := range a.stack {
			l.Resize(a.w, a.bodyHeight())
		}
	case kit.Pressed(in, kit.Keys.Reread):
		if a.Open != nil {
			return a.read()
		}
		return a.load(a.top())
	case kit.Pressed(in, kit.Keys.Find) && !a.canFilter():
		a.eating, a.notice = true, "Nothing to filter here · esc continues"
	case kit.Pressed(in, kit.Keys.Redraw):
		return tea.ClearScreen
	case kit.Pressed(in, kit.Keys.Suspend):
		if !jobControl() {
			a.notice = "no shell to suspend to"
			return nil
		}
		return tea.Suspend
	default:
		return a.tell(a.top(), in)
	}
	return nil
}

// canFilter reports whether the top screen has something to filter.
func (a *App) canFilter() bool {
	_, ok := a.top().Screen.(kit.Filterer)
	return ok
}

// stopOrQuit stops what is read; what has arrived stays. Pressed again, it quits.
func (a *App) stopOrQuit() tea.Cmd {
	if a.quitAsk {
		return tea.Quit
	}
	a.quitAsk = true
	if a.follow.on && !a.busy() {
		a.unfollow()
		a.notice = a.WithKeys("stopped following · ctrl+c again quits · %s follows again", kit.Keys.Follow)
		return nil
	}
	if !a.busy() {
		a.notice = "nothing is being read · ctrl+c again quits"
		return nil
	}
	a.notice = a.WithKeys("stopped, and kept what was read · ctrl+c again quits · %s reads again", kit.Keys.Reread)
	if a.follow.on {
		a.unfollow()
	}
	if a.stopReading != nil {
		a.stopReading()
	}
	a.top().stop()
	return nil
}
