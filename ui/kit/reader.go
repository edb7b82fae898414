package kit

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// Reader is a screen that is only read: it scrolls, it is searched, and it is left again.
type Reader struct {
	scroll int
	Filter widget.Filter // what is searched
	at     int           // the line of the hit that n goes on from; -1 for none
	drawn  []string      // as they were last drawn, without styles
	late   bool          // a hit is looked for as soon as there are lines
	h      int           // lines of the screen, as last drawn
}

// ReaderKeys are the keys of every text, after those of its own.
func ReaderKeys(own ...key.Binding) []key.Binding {
	find := Keys.Find
	find.SetHelp("/", "find")
	return append(append(own, find, Keys.Next, Keys.Previous), Moving()...)
}

func (x *Reader) Load(Scope) tea.Cmd { return nil }

func (x *Reader) Resize(w, h int) {}

func (x *Reader) Typing() bool { return x.Filter.Typing }

func (x *Reader) SetFilter(pattern string) {
	x.Filter.Set(pattern)
	x.seek(x.scroll, 1)
}

func (x *Reader) Update(msg tea.Msg) (Action, tea.Cmd) {
	if x.Filter.Typing {
		x.Filter.Update(msg)
		x.seek(x.scroll, 1)
		return nil, nil
	}
	k, ok := msg.(Input)
	c := widget.Cursor{At: x.scroll, Height: max(x.h-1, 1)}
	switch {
	case !ok:
	case Pressed(k, Keys.Find):
		x.Filter.Begin()
	case Pressed(k, Keys.Next):
		x.seek(x.at+1, 1)
	case Pressed(k, Keys.Previous):
		x.seek(x.at-1, -1)
	case Pressed(k, Keys.Back) && x.Filter.Pattern != "":
		x.Filter.Clear()
	case Pressed(k, Keys.Back):
		return Back{}, nil
	case Moved(k, &c, max(len(x.drawn)-x.h+1, 1)):
		x.scroll = c.At
	}
	return nil, nil
}

// seek goes to the next line with a hit, from one on, round the end.
func (x *Reader) seek(from, way int) {
	n := len(x.drawn)
	x.at, x.late = from, n == 0
	if x.Filter.Pattern == "" || x.Filter.Err != nil || n == 0 {
		return
	}
	for i := range n {
		at := ((from+i*way)%n + n) % n
		if x.drawn[at] != "" && x.Filter.Wants(x.drawn[at]) {
			x.at = at
			if at < x.scroll || at >= x.scroll+x.h-2 {
				x.scroll = max(min(at-x.h/3, n-x.h), 0)
			}
			return
		}
	}
}

// Show draws the part of a text that is in sight, its hits marked, and above it what is searched.
func (x *Reader) Show(s *Session, lines []string, h int) []string {
	t := &s.Theme
	x.drawn, x.h = make([]string, len(lines)), h
	for i := range lines {
		x.drawn[i] = Unstyled(lines[i])
	}
	var head []string
	if x.Filter.Typing || x.Filter.Pattern != "" {
		if x.late {
			x.seek(x.at, 1)
		}
		head = []string{" " + FilterLine(t, &x.Filter, x.hits(s))}
		lines = slices.Clone(lines)
		for i := range lines {
			lines[i] = x.marked(t, i, lines[i])
		}
		h--
	}
	x.scroll = max(min(x.scroll, len(lines)-h), 0)
	return append(head, Scrolled(lines, x.scroll, h, s, true)...)
}

// hits says how many lines have one.
func (x *Reader) hits(s *Session) string {
	n := int64(0)
	for _, l := range x.drawn {
		if l != "" && x.Filter.Wants(l) {
			n++
		}
	}
	return fmt.Sprintf("in %s; %s next, %s before", phrase.Units(n, "lines"), s.Label(Keys.Next), s.Label(Keys.Previous))
}

// marked is line i with its hits marked; the one that n goes on from has a sign before it.
func (x *Reader) marked(t *Theme, i int, line string) string {
	if x.Filter.Pattern == "" || x.Filter.Err != nil || x.drawn[i] == "" || !x.Filter.Wants(x.drawn[i]) {
		return line
	}
	var b strings.Builder
	rest := x.drawn[i]
	if i == x.at && strings.HasPrefix(rest, " ") {
		b.WriteString("▸")
		rest = rest[1:]
	}
	for {
		from, to, ok := x.Filter.Hit(rest)
		if !ok {
			return b.String() + rest
		}
		b.WriteString(rest[:from] + Mark(t, rest[from:to]))
		rest = rest[to:]
	}
}
