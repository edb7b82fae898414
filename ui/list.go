package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/widget"
)

// list is a table that can be filtered, and beside it, on a narrow terminal below it, the words on its
// selected row: what the screens of findings, state and rows have in common. It answers to the keys that
// mean the same on all of them; what is in the table and in the words is theirs.
type list struct {
	table        widget.Table
	filter       widget.Filter
	across, down int // how many of 20 parts of the screen the table has where the words are beside it, and where below; 20 across: they always are below

	inside bool // the words have the keys
	scroll int  // lines of the words that are scrolled away
	w, h   int  // of the screen
	lines  int  // of the table, its head among them
}

// heard is what a list made of a message.
type heard byte

const (
	unheard heard = iota // nothing: it is for the screen
	looked               // another part is in sight: columns, lines, the other pane
	picked               // another row is selected
	sifted               // the filter has changed: the rows are to be arranged anew
	left                 // back was pressed, and there is nothing in the list to go back from
)

// listKeys are the keys that a list answers to, those for the footer first.
func listKeys(own ...key.Binding) []key.Binding {
	return append(append(own, keys.find, keys.pane, keys.right, keys.next, keys.previous, keys.left), moving()...)
}

func (l *list) typing() bool { return l.filter.Typing }

// sought reports whether a filter is typed or set.
func (l *list) sought() bool { return l.filter.Typing || l.filter.Pattern != "" }

// hear lets a list of n rows answer to a message.
func (l *list) hear(msg tea.Msg, n int) heard {
	if l.filter.Typing {
		l.filter.Update(msg)
		return sifted
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
		return unheard
	case pressed(k, keys.find):
		l.inside = false
		l.filter.Begin()
		return sifted
	case pressed(k, keys.pane):
		l.inside = !l.inside && n > 0
	case pressed(k, keys.right):
		l.table.Pan(1, l.tableWidth())
	case pressed(k, keys.left):
		l.table.Pan(-1, l.tableWidth())
	case pressed(k, keys.back):
		return l.back()
	case pressed(k, keys.next):
		return l.pick(func() { l.table.Move(1, n) })
	case pressed(k, keys.previous):
		return l.pick(func() { l.table.Move(-1, n) })
	case l.inside && pressed(k, keys.down):
		l.scroll++
	case l.inside && pressed(k, keys.up):
		l.scroll = max(l.scroll-1, 0)
	case l.inside && moved(k, &widget.Cursor{}, n): // the words have no page and no end to go to
	case moved(k, &l.table.Cursor, n):
		return l.pick(func() {})
	default:
		return unheard
	}
	return looked
}

// answer is hear for a screen that only arranges its rows anew when they are sifted, and has keys of its own.
func (l *list) answer(msg tea.Msg, n int, arrange func(), press func(tea.KeyPressMsg) action) (heard, action) {
	did := l.hear(msg, n)
	switch did {
	case sifted:
		arrange()
	case left:
		return did, back{}
	case unheard:
		if k, ok := msg.(tea.KeyPressMsg); ok {
			return did, press(k)
		}
	}
	return did, nil
}

func (l *list) pick(move func()) heard {
	move()
	l.scroll = 0
	return picked
}

// back goes back one step: out of the words, then out of the filter, then out of the screen.
func (l *list) back() heard {
	switch {
	case l.inside:
		l.inside = false
		return looked
	case l.filter.Pattern != "":
		l.filter.Clear()
		return sifted
	}
	return left
}

// beside reports whether the words stand beside the table.
func (l *list) beside() bool { return l.w >= wide && l.across < 20 }

// lay gives a list of n rows its place on a screen, below a head of some lines.
func (l *list) lay(w, h, head, n int) {
	l.w, l.h = w, h
	l.lines = max(h-head, 2)
	if !l.beside() {
		l.lines = max(min(l.lines*l.down/20, n+1), 2)
	}
	l.table.Height = max(l.lines-1, 1)
	l.table.Go(l.table.At, n)
}

// tableWidth is how many cells the table has: all of them where the words stand below it.
func (l *list) tableWidth() int {
	if l.beside() {
		return l.w * l.across / 20
	}
	return l.w
}

// words are how many cells and lines the words have, below a head of some lines.
func (l *list) words(head int) (w, h int) {
	if l.beside() {
		return l.w - l.tableWidth() - 4, l.h - head
	}
	return l.w - 2, max(l.h-head-l.lines-1, 0)
}

// view draws the head, the table with rows, and the words on the selected row.
func (l *list) view(t *theme, head []string, rows widget.Rows, words func(w, h int) []string) []string {
	table := l.table
	table.Look.Blurred = l.inside
	w, h := l.words(len(head))
	if l.beside() {
		body := widget.Beside(table.View(rows, l.tableWidth(), h), l.tableWidth(), t.dim.Styled(" │ "), words(w, h), h)
		return append(head, body...)
	}
	lines := append(head, table.View(rows, l.w, l.lines)...)
	lines = append(lines, t.dim.Styled(ruler(l.w)))
	return append(lines, indent1(words(w, l.h-len(lines)))...)
}
