package ui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// keys are the keys that mean the same everywhere. The handlers, the footer and the help screen all
// read them from here.
var keys = struct {
	up, down, pageUp, pageDown, halfUp, halfDown, top, bottom key.Binding
	left, right, enter, back                                  key.Binding
	find, next, previous                                      key.Binding
	overview, batches, findings, state, drift, tree           key.Binding
	worst, question, command, palette                         key.Binding
	pane, hex, sort, view, older, newer                       key.Binding
	lookup, partition, atBatch, compare, tally, plan          key.Binding
	sources, mark, follow                                     key.Binding
	again, mouse, open, replay, output                        key.Binding
	copy, export                                              key.Binding
	backward, forward, bookmark, bookmarks                    key.Binding
	clock, reread, stop, redraw, suspend, help, quit          key.Binding
}{
	up:        bind("↑ k", "up", "up", "k"),
	down:      bind("↓ j", "down", "down", "j"),
	pageUp:    bind("pgup", "a page up", "pgup", "ctrl+b"),
	pageDown:  bind("pgdn", "a page down", "pgdown", "ctrl+f", "space"),
	halfUp:    bind("ctrl+u", "half a page up", "ctrl+u"),
	halfDown:  bind("ctrl+d", "half a page down", "ctrl+d"),
	top:       bind("g", "to the first", "g", "home"),
	bottom:    bind("G", "to the last", "G", "end"),
	left:      bind("<", "columns to the left", "<", ",", "shift+left"),
	right:     bind("> <", "more columns", ">", ".", "shift+right"),
	enter:     bind("enter", "open", "enter", "l", "right"),
	back:      bind("esc", "back", "esc", "backspace", "h", "left"),
	find:      bind("/", "filter", "/"),
	next:      bind("n", "next match", "n"),
	previous:  bind("N", "match before", "N"),
	overview:  bind("O", "overview", "O"),
	batches:   bind("B", "batches", "B"),
	findings:  bind("F", "findings", "F"),
	state:     bind("S", "state", "S"),
	drift:     bind("D", "drift", "D"),
	tree:      bind("T", "tree", "T"),
	worst:     bind("!", "next of the worst", "!"),
	question:  bind("1 2 3", "why that answer", "1", "2", "3"),
	command:   bind(":", "go to a batch, file or screen", ":"),
	palette:   bind("ctrl+k", "find anything that can be done", "ctrl+k"),
	pane:      bind("tab", "other pane", "tab", "shift+tab"),
	hex:       bind("x", "bytes / decoded", "x"),
	sort:      bind("s", "order", "s"),
	view:      bind("v", "other view", "v"),
	older:     bind("←", "batch before", "left"),
	newer:     bind("→", "batch after", "right"),
	lookup:    bind("K", "find key", "K"),
	partition: bind("p", "partition", "p"),
	atBatch:   bind("b", "batch", "b"),
	compare:   bind("=", "compare", "="),
	tally:     bind("c", "count rows", "c"),
	plan:      bind("P", "plan to a new checkpoint", "P"),
	sources:   bind("u", "sources over time", "u"),
	mark:      bind("space", "mark", "space"),
	follow:    bind("f", "follow a running query", "f"),
	again:     bind("a", "another trace", "a"),
	mouse:     bind("m", "mouse on / off", "m"),
	backward:  bind("[", "view before", "["),
	forward:   bind("]", "view after", "]"),
	bookmark:  bind("M", "mark this view", "M"),
	bookmarks: bind("'", "bookmarks", "'"),
	open:      bind("o", "open a location", "o"),
	replay:    bind("R", "what is read again", "R"),
	output:    bind("W", "what was written", "W"),
	copy:      bind("y", "copy", "y"),
	export:    bind("e", "write to a file", "e"),
	clock:     bind("t", "UTC / local time", "t"),
	reread:    bind("r", "read again", "r"),
	stop:      bind("ctrl+c", "stop reading, keep what arrived; twice: quit", "ctrl+c"),
	redraw:    bind("ctrl+l", "draw anew", "ctrl+l"),
	suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
	help:      bind("?", "help", "?"),
	quit:      bind("q", "back, or quit", "q"),
}

// bind makes a binding of some keys, and of its mark: what keys of a person's own become (keymap.go).
func bind(label, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(append(keys, markPrefix+label)...), key.WithHelp(label, does))
}

// everywhere are the keys that the app answers to on every screen.
func (s *session) everywhere() (all []key.Binding) {
	for _, c := range screenRows(s.specs) {
		all = append(all, c.key)
	}
	return append(all, keys.worst, keys.question, keys.command, keys.palette, keys.backward, keys.forward, keys.bookmark, keys.bookmarks,
		keys.copy, keys.export, keys.clock, keys.mouse, keys.reread, keys.follow, keys.stop, keys.redraw, keys.suspend, keys.help, keys.quit, keys.back)
}

// moving are the keys of every list.
func moving() []key.Binding { return slices.Clone(movingKeys) }

var movingKeys = []key.Binding{keys.up, keys.down, keys.pageUp, keys.pageDown, keys.halfUp, keys.halfDown, keys.top, keys.bottom}

// unhinted are the keys of isMoving.
var unhinted = append(moving(), keys.left, keys.next, keys.previous)

// isMoving reports whether a key only moves: the footer leaves those to the help screen. From match to match: the
// line of what is searched names the keys.
func isMoving(b key.Binding) bool {
	label := b.Help().Key
	return slices.ContainsFunc(unhinted, func(m key.Binding) bool { return m.Help().Key == label })
}

// pressed reports whether msg is one of the keys of a binding: by its letter, or on a keyboard that is
// not Latin by the place of the key.
func pressed(msg tea.KeyPressMsg, b key.Binding) bool {
	if key.Matches(msg, b) {
		return true
	}
	l, ok := latin(msg)
	return ok && key.Matches(l, b)
}

// moved lets a cursor in a list of n answer to the keys of every list.
func moved(msg tea.KeyPressMsg, c *widget.Cursor, n int) bool {
	h := max(c.Height, 1)
	switch {
	case pressed(msg, keys.up):
		c.Move(-1, n)
	case pressed(msg, keys.down):
		c.Move(1, n)
	case pressed(msg, keys.pageUp):
		c.Move(-h, n)
	case pressed(msg, keys.pageDown):
		c.Move(h, n)
	case pressed(msg, keys.halfUp):
		c.Move(-(h+1)/2, n)
	case pressed(msg, keys.halfDown):
		c.Move((h+1)/2, n)
	case pressed(msg, keys.top):
		c.Go(0, n)
	case pressed(msg, keys.bottom):
		c.Go(n-1, n)
	default:
		return false
	}
	return true
}
