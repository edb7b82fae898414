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
	Clock, Reread, Stop, Redraw, Suspend, Help, Quit, QuitAll key.Binding
}{
	Up:        Bind("↑ k", "up", "up", "k"),
	Down:      Bind("↓ j", "down", "down", "j"),
	pageUp:    Bind("pgup", "a page up", "pgup", "ctrl+b"),
	pageDown:  Bind("pgdn", "a page down", "pgdown", "ctrl+f"),
	halfUp:    Bind("ctrl+u", "half a page up", "ctrl+u"),
	halfDown:  Bind("ctrl+d", "half a page down", "ctrl+d"),
	Top:       Bind("g", "to the first", "g", "home"),
	Bottom:    Bind("G", "to the last", "G", "end"),
	Left:      Bind("<", "columns to the left", "<", ",", "shift+left"),
	Right:     Bind("> <", "more columns", ">", ".", "shift+right"),
	Enter:     Bind("enter", "open", "enter", "l"),
	Back:      Bind("esc", "out, one level up", "esc", "backspace", "h"),
	Find:      Bind("/", "filter", "/"),
	Next:      Bind("n", "next match or row", "n"),
	Previous:  Bind("N", "previous match or row", "N"),
	Overview:  Bind("O", "Overview", "O"),
	Batches:   Bind("B", "Batches", "B"),
	Findings:  Bind("F", "Findings", "F"),
	State:     Bind("S", "State", "S"),
	Drift:     Bind("D", "Drift", "D"),
	Tree:      Bind("T", "Tree", "T"),
	Worst:     Bind("!", "next worst finding", "!"),
	Question:  Bind("1 2 3", "why this answer", "1", "2", "3"),
	Command:   Bind(":", "go to a batch, file or screen", ":"),
	Palette:   Bind("ctrl+k", "find any command", "ctrl+k"),
	Pane:      Bind("tab", "panel", "tab", "shift+tab"),
	Hex:       Bind("x", "bytes / decoded", "x"),
	Sort:      Bind("s", "sort", "s"),
	View:      Bind("v", "other view", "v"),
	Older:     Bind("←", "one batch back", "left"),
	Newer:     Bind("→", "one batch forward", "right"),
	Lookup:    Bind("K", "find a key", "K"),
	Partition: Bind("p", "partition", "p"),
	AtBatch:   Bind("b", "batch", "b"),
	Compare:   Bind("=", "compare", "="),
	Tally:     Bind("c", "count rows", "c"),
	Plan:      Bind("P", "migration plan", "P"),
	Sources:   Bind("U", "Sources", "U"),
	Mark:      Bind("space", "mark", "space"),
	Follow:    Bind("f", "follow a running query", "f"),
	Again:     Bind("a", "another trace", "a"),
	Mouse:     Bind("M", "mouse on or off", "M"),
	Backward:  Bind("[", "history back", "["),
	Forward:   Bind("]", "history forward", "]"),
	Bookmark:  Bind("m", "bookmark this view", "m"),
	Bookmarks: Bind("'", "bookmarks", "'"),
	Open:      Bind("o", "open a location", "o"),
	Replay:    Bind("R", "Replay", "R"),
	Output:    Bind("W", "Writes", "W"),
	Copy:      Bind("y", "copy", "y"),
	Export:    Bind("e", "export to a file", "e"),
	Clock:     Bind("t", "UTC or local time", "t"),
	Reread:    Bind("r", "read again", "r"),
	Stop:      Bind("ctrl+c", "stop reading, keep what arrived; twice: quit", "ctrl+c"),
	Redraw:    Bind("ctrl+l", "redraw", "ctrl+l"),
	Suspend:   Bind("ctrl+z", "suspend", "ctrl+z"),
	Help:      Bind("?", "help", "?"),
	Quit:      Bind("q", "out, or quit on the overview", "q"),
	QuitAll:   Bind("Q", "quit", "Q"),
}

// Bind makes a binding of some keys, and of its mark, which tells it from others (keymap.go).
func Bind(label, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(append(keys, markPrefix+label)...), key.WithHelp(label, does))
}

// Moving are the keys of every list.
func Moving() []key.Binding { return slices.Clone(movingKeys) }

var movingKeys = []key.Binding{Keys.Up, Keys.Down, Keys.pageUp, Keys.pageDown, Keys.halfUp, Keys.halfDown, Keys.Top, Keys.Bottom}

// unhinted are the keys of isMoving.
var unhinted = append(Moving(), Keys.Left, Keys.Right, Keys.Next, Keys.Previous)

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
