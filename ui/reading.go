package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// text is a screen that is only read: it scrolls, it is searched, and it is left again.
type text struct {
	scroll int
	filter widget.Filter // what is searched
	at     int           // the line of the hit that n goes on from; -1 for none
	drawn  []string      // as they were last drawn, without styles
	late   bool          // a hit is looked for as soon as there are lines
	h      int           // lines of the screen, as last drawn
}

// textKeys are the keys of every text, after those of its own.
func textKeys(own ...key.Binding) []key.Binding {
	find := keys.find
	find.SetHelp("/", "find")
	return append(append(own, find, keys.next, keys.previous), moving()...)
}

func (x *text) load(scope) tea.Cmd { return nil }

func (x *text) resize(w, h int) {}

func (x *text) typing() bool { return x.filter.Typing }

func (x *text) sift(pattern string) {
	x.filter.Set(pattern)
	x.seek(x.scroll, 1)
}

func (x *text) update(msg tea.Msg) (action, tea.Cmd) {
	if x.filter.Typing {
		x.filter.Update(msg)
		x.seek(x.scroll, 1)
		return nil, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	c := widget.Cursor{At: x.scroll, Height: max(x.h-1, 1)}
	switch {
	case !ok:
	case pressed(k, keys.find):
		x.filter.Begin()
	case pressed(k, keys.next):
		x.seek(x.at+1, 1)
	case pressed(k, keys.previous):
		x.seek(x.at-1, -1)
	case pressed(k, keys.back) && x.filter.Pattern != "":
		x.filter.Clear()
	case pressed(k, keys.back):
		return back{}, nil
	case moved(k, &c, max(len(x.drawn)-x.h+1, 1)):
		x.scroll = c.At
	}
	return nil, nil
}

// seek goes to the next line with a hit, from one on, round the end.
func (x *text) seek(from, way int) {
	n := len(x.drawn)
	x.at, x.late = from, n == 0
	if x.filter.Pattern == "" || x.filter.Err != nil || n == 0 {
		return
	}
	for i := range n {
		at := ((from+i*way)%n + n) % n
		if x.drawn[at] != "" && x.filter.Wants(x.drawn[at]) {
			x.at = at
			if at < x.scroll || at >= x.scroll+x.h-2 {
				x.scroll = max(min(at-x.h/3, n-x.h), 0)
			}
			return
		}
	}
}

// show draws the part of a text that is in sight, its hits marked, and above it what is searched.
func (x *text) show(s *session, lines []string, h int) []string {
	t := &s.theme
	x.drawn, x.h = make([]string, len(lines)), h
	for i := range lines {
		x.drawn[i] = unstyled(lines[i])
	}
	var head []string
	if x.filter.Typing || x.filter.Pattern != "" {
		if x.late {
			x.seek(x.at, 1)
		}
		head = []string{" " + filterLine(t, &x.filter, x.hits(s))}
		lines = slices.Clone(lines)
		for i := range lines {
			lines[i] = x.marked(t, i, lines[i])
		}
		h--
	}
	x.scroll = max(min(x.scroll, len(lines)-h), 0)
	return append(head, scrolled(lines, x.scroll, h, s, true)...)
}

// hits says how many lines have one.
func (x *text) hits(s *session) string {
	n := int64(0)
	for _, l := range x.drawn {
		if l != "" && x.filter.Wants(l) {
			n++
		}
	}
	return fmt.Sprintf("in %s; %s next, %s before", plural(n, "line"), s.label(keys.next), s.label(keys.previous))
}

// marked is line i with its hits marked; the one that n goes on from has a sign before it.
func (x *text) marked(t *theme, i int, line string) string {
	if x.filter.Pattern == "" || x.filter.Err != nil || x.drawn[i] == "" || !x.filter.Wants(x.drawn[i]) {
		return line
	}
	var b strings.Builder
	rest := x.drawn[i]
	if i == x.at && strings.HasPrefix(rest, " ") {
		b.WriteString("▸")
		rest = rest[1:]
	}
	for {
		from, to, ok := x.filter.Hit(rest)
		if !ok {
			return b.String() + rest
		}
		b.WriteString(rest[:from] + mark(t, rest[from:to]))
		rest = rest[to:]
	}
}
