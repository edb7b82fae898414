package kit

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"tidemark/ui/kit/widget"
)

// Keys are the keys that mean the same everywhere. The handlers, the footer and the help screen all
// read them from here.
var Keys = struct {
	Up, Down, pageUp, pageDown, halfUp, halfDown, Top, Bottom key.Binding
	Left, Right, Enter, Back                                  key.Binding
	Find, Next, Previous                                      key.Binding
	Overview, Batches, Findings, State, Drift, Tree           key.Binding
	Worst, Question, Command, Palette                         key.Binding
	Pane, Hex, Sort, View, Older, Newer                       key.Binding
	Lookup, Partition, AtBatch, Compare, Tally, Plan          key.Binding
	Sources, Mark, Follow                                     key.Binding
	Again, Mouse, Open, Replay, Output                        key.Binding
	Copy, Export                                              key.Binding
	Backward, Forward, Bookmark, Bookmarks                    key.Binding
	Clock, Reread, Stop, Redraw, Suspend, Help, Quit          key.Binding
}{
	Up:        Bind("↑ k", "up", "up", "k"),
	Down:      Bind("↓ j", "down", "down", "j"),
	pageUp:    Bind("pgup", "a page up", "pgup", "ctrl+b"),
	pageDown:  Bind("pgdn", "a page down", "pgdown", "ctrl+f", "space"),
	halfUp:    Bind("ctrl+u", "half a page up", "ctrl+u"),
	halfDown:  Bind("ctrl+d", "half a page down", "ctrl+d"),
	Top:       Bind("g", "to the first", "g", "home"),
	Bottom:    Bind("G", "to the last", "G", "end"),
	Left:      Bind("<", "columns to the left", "<", ",", "shift+left"),
	Right:     Bind("> <", "more columns", ">", ".", "shift+right"),
	Enter:     Bind("enter", "open", "enter", "l", "right"),
	Back:      Bind("esc", "back", "esc", "backspace", "h", "left"),
	Find:      Bind("/", "filter", "/"),
	Next:      Bind("n", "next match", "n"),
	Previous:  Bind("N", "match before", "N"),
	Overview:  Bind("O", "overview", "O"),
	Batches:   Bind("B", "batches", "B"),
	Findings:  Bind("F", "findings", "F"),
	State:     Bind("S", "state", "S"),
	Drift:     Bind("D", "drift", "D"),
	Tree:      Bind("T", "tree", "T"),
	Worst:     Bind("!", "next of the worst", "!"),
	Question:  Bind("1 2 3", "why that answer", "1", "2", "3"),
	Command:   Bind(":", "go to a batch, file or screen", ":"),
	Palette:   Bind("ctrl+k", "find anything that can be done", "ctrl+k"),
	Pane:      Bind("tab", "other pane", "tab", "shift+tab"),
	Hex:       Bind("x", "bytes / decoded", "x"),
	Sort:      Bind("s", "order", "s"),
	View:      Bind("v", "other view", "v"),
	Older:     Bind("←", "batch before", "left"),
	Newer:     Bind("→", "batch after", "right"),
	Lookup:    Bind("K", "find key", "K"),
	Partition: Bind("p", "partition", "p"),
	AtBatch:   Bind("b", "batch", "b"),
	Compare:   Bind("=", "compare", "="),
	Tally:     Bind("c", "count rows", "c"),
	Plan:      Bind("P", "plan to a new checkpoint", "P"),
	Sources:   Bind("u", "sources over time", "u"),
	Mark:      Bind("space", "mark", "space"),
	Follow:    Bind("f", "follow a running query", "f"),
	Again:     Bind("a", "another trace", "a"),
	Mouse:     Bind("m", "mouse on / off", "m"),
	Backward:  Bind("[", "view before", "["),
	Forward:   Bind("]", "view after", "]"),
	Bookmark:  Bind("M", "mark this view", "M"),
	Bookmarks: Bind("'", "bookmarks", "'"),
	Open:      Bind("o", "open a location", "o"),
	Replay:    Bind("R", "what is read again", "R"),
	Output:    Bind("W", "what was written", "W"),
	Copy:      Bind("y", "copy", "y"),
	Export:    Bind("e", "write to a file", "e"),
	Clock:     Bind("t", "UTC / local time", "t"),
	Reread:    Bind("r", "read again", "r"),
	Stop:      Bind("ctrl+c", "stop reading, keep what arrived; twice: quit", "ctrl+c"),
	Redraw:    Bind("ctrl+l", "draw anew", "ctrl+l"),
	Suspend:   Bind("ctrl+z", "suspend", "ctrl+z"),
	Help:      Bind("?", "help", "?"),
	Quit:      Bind("q", "back, or quit", "q"),
}

// Bind makes a binding of some keys, and of its mark, which tells it from others (keymap.go).
func Bind(label, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(append(keys, markPrefix+label)...), key.WithHelp(label, does))
}

// Moving are the keys of every list.
func Moving() []key.Binding { return slices.Clone(movingKeys) }

var movingKeys = []key.Binding{Keys.Up, Keys.Down, Keys.pageUp, Keys.pageDown, Keys.halfUp, Keys.halfDown, Keys.Top, Keys.Bottom}

// unhinted are the keys of isMoving.
var unhinted = append(Moving(), Keys.Left, Keys.Next, Keys.Previous)

// IsMoving reports whether a key only moves: the footer leaves those to the help screen. From match to match: the
// line of what is searched names the keys.
func IsMoving(b key.Binding) bool {
	label := b.Help().Key
	return slices.ContainsFunc(unhinted, func(m key.Binding) bool { return m.Help().Key == label })
}

// Moved lets a cursor in a list of n answer to the keys of every list, and to the mouse.
func Moved(in Input, c *widget.Cursor, n int) bool {
	h := max(c.Height, 1)
	switch in := in.(type) {
	case Scroll:
		c.Move(in.Rows, n)
		return true
	case Select:
		c.Go(in.Row, n)
		return true
	}
	switch {
	case Pressed(in, Keys.Up):
		c.Move(-1, n)
	case Pressed(in, Keys.Down):
		c.Move(1, n)
	case Pressed(in, Keys.pageUp):
		c.Move(-h, n)
	case Pressed(in, Keys.pageDown):
		c.Move(h, n)
	case Pressed(in, Keys.halfUp):
		c.Move(-(h+1)/2, n)
	case Pressed(in, Keys.halfDown):
		c.Move((h+1)/2, n)
	case Pressed(in, Keys.Top):
		c.Go(0, n)
	case Pressed(in, Keys.Bottom):
		c.Go(n-1, n)
	default:
		return false
	}
	return true
}
