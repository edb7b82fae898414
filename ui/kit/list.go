package kit

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

// List is a table that can be filtered, as a panel of a board: what most screens have in common. It answers to the keys that
// mean the same on all of them; what is in the table, and which panels are around it, is theirs.
type List struct {
	Board
	Table  widget.Table
	Filter widget.Filter
	Name   string // the title of its panel
}

// ListID is the panel of a list's table.
const ListID = "list"

// ListEvent is what a list made of a message.
type ListEvent byte

const (
	NotForList    ListEvent = iota // nothing: it is for the screen
	ListMoved                      // another part is in sight: columns, lines, another panel
	RowSelected                    // another row is selected
	FilterChanged                  // the filter has changed: the rows are to be arranged again
	SortChosen                     // the head of a column was chosen: Column of the board
	ListLeft                       // back was pressed, and there is nothing in the list to go back from
)

// ListKeys are the keys that a list answers to, those for the footer first.
func ListKeys(own ...key.Binding) []key.Binding {
	return append(append(own, Keys.Find, Keys.Pane, Keys.Right, Keys.Next, Keys.Previous, Keys.Left), Moving()...)
}

// FilterKeys are the keys of a list whose columns all fit, those for the footer first.
func FilterKeys(own ...key.Binding) []key.Binding {
	return append(append(own, Keys.Find, Keys.Pane, Keys.Next, Keys.Previous), Moving()...)
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
	k, ok := msg.(Input)
	switch {
	case !ok:
		return NotForList
	case Pressed(k, Keys.Find):
		l.SetFocus(ListID)
		l.Filter.Begin()
		return FilterChanged
	case Pressed(k, Keys.Right):
		l.Table.Pan(1, l.tableWidth())
		return ListMoved
	case Pressed(k, Keys.Left):
		l.Table.Pan(-1, l.tableWidth())
		return ListMoved
	case Pressed(k, Keys.Back) && l.Filter.Pattern != "":
		l.Filter.Clear()
		return FilterChanged
	case Pressed(k, Keys.Back):
		return ListLeft
	case Pressed(k, Keys.Next):
		l.Table.Move(1, n)
		return l.picked()
	case Pressed(k, Keys.Previous):
		l.Table.Move(-1, n)
		return l.picked()
	}
	if l.movesTable(k) && Moved(k, &l.Table.Cursor, n) { // with the rows of now, not those of the last frame
		return l.picked()
	}
	switch l.Board.Handle(k) {
	case BoardMoved:
		return ListMoved
	case BoardSort:
		return SortChosen
	case BoardRow:
		if l.Focus() == ListID {
			return l.picked()
		}
		return ListMoved
	}
	return NotForList
}

// movesTable reports whether an input is for the table: it has the keys, or the mouse is on it.
func (l *List) movesTable(in Input) bool {
	switch in := in.(type) {
	case Scroll:
		return in.Panel == ListID || in.Panel == "" && l.Focus() == ListID
	case Select:
		if in.Panel == ListID {
			l.SetFocus(ListID)
		}
		return l.Focus() == ListID && (in.Panel == ListID || in.Panel == "")
	}
	return l.Focus() == ListID || l.panel(l.Focus()) == nil
}

// tableWidth is how many cells the rows of the table had when they were drawn last.
func (l *List) tableWidth() int {
	if at := l.panel(ListID); at != nil {
		return at.w - 2
	}
	return 0
}

// picked scrolls the words on the selected row back to their start.
func (l *List) picked() ListEvent {
	l.ScrollHome(aboutID)
	return RowSelected
}

const aboutID = "about"

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

// Panel is the list as a panel: its title, and at the right what is said of it, or the filter and how many rows it leaves of all.
func (l *List) Panel(t *Theme, rows widget.Rows, right string) *Panel {
	p := &Panel{ID: ListID, Title: l.Name, Right: t.Dim.Styled(right), Rows: TableRows(&l.Table, rows)}
	if l.Filtering() {
		p.Right = FilterEdge(t, &l.Filter, l.Table.Order.Len(rows.Len()), rows.Len())
	}
	return p
}

// FilterEdge is a filter in the edge of the panel that it is about: what is typed, and how many rows it leaves of all; or what
// is wrong with it.
func FilterEdge(t *Theme, f *widget.Filter, left, of int) string {
	line := t.Dim.Styled("filter ") + t.Accent.Styled(Safe(f.Text()))
	switch form := f.Form(); {
	case f.Err != nil:
		return line + " " + t.Warn.Styled("! not a regular expression: "+Safe(f.Err.Error()))
	case f.Typing && f.Typed() == "":
		return line + t.Dim.Styled("  text · !text without it · -f letters in order · -r regex")
	case form != "":
		line += t.Dim.Styled(" " + form)
	}
	return line + " " + t.Dim.Styled(fmt.Sprintf("%s of %s", phrase.Count(int64(left)), phrase.Count(int64(of))))
}
