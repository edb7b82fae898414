package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
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
func jumpOf(msg tea.KeyPressMsg) string {
	for _, c := range commands() {
		if _, ok := screens[c.name]; ok && pressed(msg, c.key) {
			return c.name
		}
	}
	return ""
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

// crumbs are the titles of the stack.
func (a *App) crumbs() string {
	titles, _ := a.trail()
	return strings.Join(titles, crumbSeparator)
}

// trail is what the crumbs name: the titles of the stack from one on.
func (a *App) trail() (titles []string, first int) {
	for _, l := range a.stack {
		titles = append(titles, l.title())
	}
	first = max(slices.Index(titles, "overview"), 0)
	return titles[first:], first
}
