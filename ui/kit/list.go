package kit

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit/widget"
)

// List is a table that can be filtered, and beside it, on a narrow terminal below it, the words on its
// selected row: what the screens of findings, state and rows have in common. It answers to the keys that
// mean the same on all of them; what is in the table and in the words is theirs.
type List struct {
	Table  widget.Table
	Filter widget.Filter
	// how many of 20 parts of the screen the table has where the words are beside it, and where below; 20 across: they always are below
	Across, Down int

	Inside bool // the words have the keys
	Scroll int  // lines of the words that are scrolled away
	W, H   int  // of the screen
	lines  int  // of the table, its head among them
	zone   Zone // of the rows, as they were drawn last
}

// ListEvent is what a list made of a message.
type ListEvent byte

const (
	NotForList    ListEvent = iota // nothing: it is for the screen
	ListMoved                      // another part is in sight: columns, lines, the other pane
	RowSelected                    // another row is selected
	FilterChanged                  // the filter has changed: the rows are to be arranged anew
	ListLeft                       // back was pressed, and there is nothing in the list to go back from
)

// ListKeys are the keys that a list answers to, those for the footer first.
func ListKeys(own ...key.Binding) []key.Binding {
	return append(append(own, Keys.Find, Keys.Pane, Keys.Right, Keys.Next, Keys.Previous, Keys.Left), Moving()...)
}

func (l *List) Typing() bool { return l.Filter.Typing }

// Filtering reports whether a filter is typed or set.
func (l *List) Filtering() bool { return l.Filter.Typing || l.Filter.Pattern != "" }

// Handle lets a list of n rows answer to a message.
func (l *List) Handle(msg tea.Msg, n int) ListEvent {
	if l.Filter.Typing {
		l.Filter.Update(msg)
		return FilterChanged
	}
	switch m := msg.(type) {
	case Scroll:
		if l.Inside {
			l.Scroll = max(l.Scroll+m.Rows, 0)
			return ListMoved
		}
	case Select:
		l.Inside = false
	case OpenRow: // of the table, whatever has the keys
		l.Inside = false
	}
	k, ok := msg.(Input)
	switch {
	case !ok:
		return NotForList
	case Pressed(k, Keys.Find):
		l.Inside = false
		l.Filter.Begin()
		return FilterChanged
	case Pressed(k, Keys.Pane):
		l.Inside = !l.Inside && n > 0
	case Pressed(k, Keys.Right):
		l.Table.Pan(1, l.TableWidth())
	case Pressed(k, Keys.Left):
		l.Table.Pan(-1, l.TableWidth())
	case Pressed(k, Keys.Back):
		return l.back()
	case Pressed(k, Keys.Next):
		return l.pick(func() { l.Table.Move(1, n) })
	case Pressed(k, Keys.Previous):
		return l.pick(func() { l.Table.Move(-1, n) })
	case l.Inside && Pressed(k, Keys.Down):
		l.Scroll++
	case l.Inside && Pressed(k, Keys.Up):
		l.Scroll = max(l.Scroll-1, 0)
	case l.Inside && Moved(k, &widget.Cursor{}, n): // the words have no page and no end to go to
	case Moved(k, &l.Table.Cursor, n):
		return l.pick(func() {})
	default:
		return NotForList
	}
	return ListMoved
}

// Answer handles a message for a screen that only arranges its rows again when the filter changes, and has keys of its own.
func (l *List) Answer(msg tea.Msg, n int, arrange func(), press func(Input) Action) (ListEvent, Action) {
	did := l.Handle(msg, n)
	switch did {
	case FilterChanged:
		arrange()
	case ListLeft:
		return did, Back{}
	case NotForList:
		if k, ok := msg.(Input); ok {
			return did, press(k)
		}
	}
	return did, nil
}

func (l *List) pick(move func()) ListEvent {
	move()
	l.Scroll = 0
	return RowSelected
}

// back goes back one step: out of the words, then out of the filter, then out of the screen.
func (l *List) back() ListEvent {
	switch {
	case l.Inside:
		l.Inside = false
		return ListMoved
	case l.Filter.Pattern != "":
		l.Filter.Clear()
		return FilterChanged
	}
	return ListLeft
}

// beside reports whether the words stand beside the table.
func (l *List) beside() bool { return l.W >= WideFrom && l.Across < 20 }

// Layout gives a list of n rows its place on a screen, below a head of some lines.
func (l *List) Layout(w, h, head, n int) {
	l.W, l.H = w, h
	l.lines = max(h-head, 2)
	if !l.beside() {
		l.lines = max(min(l.lines*l.Down/20, n+1), 2)
	}
	l.Table.Height = max(l.lines-1, 1)
	l.Table.Go(l.Table.At, n)
}

// TableWidth is how many cells the table has: all of them where the words stand below it.
func (l *List) TableWidth() int {
	if l.beside() {
		return l.W * l.Across / 20
	}
	return l.W
}

// Words are how many cells and lines the words have, below a head of some lines.
func (l *List) Words(head int) (w, h int) {
	if l.beside() {
		return l.W - l.TableWidth() - 4, l.H - head
	}
	return l.W - 2, max(l.H-head-l.lines-1, 0)
}

// View draws the head, the table with rows, and the words on the selected row.
func (l *List) View(t *Theme, head []string, rows widget.Rows, words func(w, h int) []string) []string {
	table := l.Table
	table.Palette.Blurred = l.Inside
	w, h := l.Words(len(head))
	l.zone = l.rowsAt(len(head), h, table.Order.Len(rows.Len()))
	if l.beside() {
		body := widget.Beside(table.View(rows, l.TableWidth(), h), l.TableWidth(), t.Dim.Styled(" │ "), words(w, h), h)
		return append(head, body...)
	}
	lines := append(head, table.View(rows, l.W, l.lines)...)
	lines = append(lines, t.Dim.Styled(Ruler(l.W)))
	return append(lines, Indent1(words(w, l.H-len(lines)))...)
}

// rowsAt is where the rows of n are drawn, below a head of some lines; h are the lines of a table with the words beside.
func (l *List) rowsAt(head, h, n int) Zone {
	lines := l.lines
	if l.beside() {
		lines = h
	}
	from, to := l.Table.Window(n, lines-1)
	return Zone{head + 1, l.TableWidth(), from, to}
}

// RowAt returns the row at a cell and a line of the screen.
func (l *List) RowAt(x, y int) (row int, selected, ok bool) {
	row, ok = l.zone.RowAt(x, y)
	return row, row == l.Table.At, ok
}
