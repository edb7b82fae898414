package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// Ways from anywhere to a screen.

// jump goes to a screen that exists once: back to where it is open already, else on top, so that esc comes back here.
func (a *App) jump(c *Spec) tea.Cmd {
	for i := len(a.stack) - 1; i >= 0; i-- {
		if a.stack[i].title() == c.title {
			return a.popTo(i)
		}
	}
	if a.Open == nil {
		if x := a.chooser(); x != nil && x.folder() != "" && c.title == first.title && a.top().screen == x { // the folder itself
			return a.do(openChoice{a.OpenAt(x.folder()), true})
		}
		return nil
	}
	return a.push(c.make(&a.session))
}

// rowOf is the row whose key is pressed, and its argument where the key stands for one; nil for another key.
func (a *App) rowOf(msg tea.KeyPressMsg) (*Spec, *words) {
	for i := range specs {
		c := &specs[i]
		if !pressed(msg, c.key) {
			continue
		}
		w := &words{}
		if c.nth {
			w.list = []word{{text: msg.String()}}
		}
		return c, w
	}
	return nil, nil
}

// byKey does a row by its key: at once, where a line would have to wait for the checkpoint.
func (a *App) byKey(c *Spec, w *words) tea.Cmd {
	if c.make != nil {
		return a.jump(c)
	}
	if c.open != nil && !c.anywhere && a.Open == nil {
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
	worst, ok := a.verdict.Worst()
	if !ok {
		a.notice = "there is no finding"
		if a.examining || a.opening {
			a.notice = "there is no finding so far"
		}
		return nil
	}
	n := a.verdict.Tally()[worst]
	at := a.walked % n
	a.walked++
	return a.command(findingLine(&a.verdict, at) + " sort worst")
}

// goHome goes back to the start screen.
func (a *App) goHome() tea.Cmd {
	if x, ok := a.stack[0].screen.(chooser); !ok || x.folder() != "" {
		a.notice = "there is no start screen: a location was given on the command line"
		return nil
	}
	return a.popTo(0)
}

// pasted hands a paste to the screen that wants it, or opens the one that it is for.
func (a *App) pasted(msg tea.PasteMsg) tea.Cmd {
	if t, ok := a.top().screen.(typist); ok && t.typing() {
		return a.tell(a.top(), msg)
	}
	for i := range specs {
		if specs[i].paste == nil {
			continue
		}
		if s := specs[i].paste(&a.session, msg.Content); s != nil && s.title() != a.top().title() {
			return a.push(s)
		}
	}
	return a.tell(a.top(), msg)
}

const crumbSeparator = " › "

// crumb is a title on the way to the top screen, and how many screens lie below its own.
type crumb struct {
	title string
	level int
}

// trail is the way to the top screen: the titles of the stack from the overview on.
func (a *App) trail() []crumb {
	var way []crumb
	for i, l := range a.stack {
		if l.title() == "overview" {
			way = way[:0]
		}
		way = append(way, crumb{l.title(), i})
	}
	return way
}

// trailIn is the way in no more than w cells: where it is longer its middle is left out, so that the screen that
// is looked at is always named.
func (a *App) trailIn(w int) []crumb {
	way := a.trail()
	for width(way) > w && len(way) > 2 {
		if way[1].title != "…" {
			way[1].title = "…"
		} else if len(way) > 3 {
			way = slices.Delete(way, 2, 3)
		} else {
			break
		}
	}
	last := &way[len(way)-1]
	last.title = widget.Middle(last.title, max(w-width(way)+widget.Width(last.title), 1))
	return way
}

// width is how many cells a way takes.
func width(way []crumb) int { return widget.Width(joined(way)) }

// joined is a way in one line.
func joined(way []crumb) string {
	titles := make([]string, len(way))
	for i, c := range way {
		titles[i] = c.title
	}
	return strings.Join(titles, crumbSeparator)
}
