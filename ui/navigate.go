package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// Ways from anywhere to a screen.

// jump goes to a screen: back to where it is open already, else on top, so that esc comes back here.
func (a *App) jump(to string) tea.Cmd {
	for i := len(a.stack) - 1; i >= 0; i-- {
		if a.stack[i].title() == to {
			return a.popTo(i)
		}
	}
	if a.Open == nil {
		if x := a.chooser(); to == "overview" && x.own && a.top().screen == x { // the folder itself
			return a.do(begin{a.OpenAt(x.root), true})
		}
		return nil
	}
	return a.push(screens[to](&a.session))
}

// jumpOf is the screen that a key jumps to; "" for another key.
func (a *App) jumpOf(msg tea.KeyPressMsg) string {
	for _, j := range a.jumps {
		if pressed(msg, j.Binding) {
			return j.name
		}
	}
	return ""
}

// jumpKeys are the keys of the commands that open a screen, by its title.
func jumpKeys() []namedKey {
	var all []namedKey
	for _, c := range commands() {
		if screens[c.name] != nil {
			all = append(all, namedKey{c.name, c.key})
		}
	}
	return all
}

// screens are those that a capital letter opens, by title.
var screens = map[string]func(*session) screen{
	"overview": func(s *session) screen { return newOverview(s) },
	"batches":  func(s *session) screen { return newTimeline(s) },
	"findings": func(s *session) screen { return newFindings(s) },
	"state":    func(s *session) screen { return newState(s) },
	"drift":    func(s *session) screen { return newDrift(s) },
	"tree":     func(s *session) screen { return newFiles(s) },
	"sources":  func(s *session) screen { return newSources(s) },
	"replay":   func(s *session) screen { return newReplay(s) },
	"output":   func(s *session) screen { return newOutput(s) },
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
	cmd := a.jump("findings")
	a.top().screen.(*findings).choose(at)
	return cmd
}

func (a *App) openQuestion(i int) tea.Cmd {
	if i < 0 || i >= len(questionNames) || a.Open == nil {
		return nil
	}
	title := questionNames[i].title
	if a.top().title() == title {
		return nil
	}
	return a.push(newQuestion(&a.session, i))
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
