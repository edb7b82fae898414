package kit

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// Input is what a person asks of a screen: with a key (Press), or with the mouse (Scroll, Select, OpenRow, FocusPanel, SortBy). What is
// typed into a line comes as the key itself instead (Typist).
type Input interface {
	// does reports whether it asks for what a binding stands for.
	does(mark string) bool
}

type (
	// Press is a pressed key, or a choice from the palette: the bindings that it stands for. A key stands for several
	// where screens use it differently.
	Press struct{ marks []bound }
	// Scroll moves by rows in a panel, "" for the one in focus; up where they are negative.
	Scroll struct {
		Panel string
		Rows  int
	}
	// Select selects a row of a panel, "" for the one in focus: its place in the list as it is shown.
	Select struct {
		Panel string
		Row   int
	}
	// FocusPanel gives the keys to a panel.
	FocusPanel struct{ Panel string }
	// SortBy orders the rows of a panel by a column.
	SortBy struct {
		Panel  string
		Column int
	}
	// OpenRow opens the selected row.
	OpenRow struct{}
)

// bound is a binding by its mark, and which of its keys was pressed, from 0.
type bound struct {
	mark string
	nth  int
}

func (p Press) does(mark string) bool {
	for i := range p.marks {
		if p.marks[i].mark == mark {
			return true
		}
	}
	return false
}

func (Scroll) does(string) bool { return false }

func (Select) does(string) bool { return false }

func (FocusPanel) does(string) bool { return false }

func (SortBy) does(string) bool { return false }

func (OpenRow) does(mark string) bool { return mark == MarkOf(Keys.Enter) }

// Nth returns which of the keys of a binding was pressed, from 0; 0 where none was.
func Nth(in Input, b key.Binding) int {
	p, _ := in.(Press)
	i := slices.IndexFunc(p.marks, func(x bound) bool { return x.mark == MarkOf(b) })
	if i < 0 {
		return 0
	}
	return p.marks[i].nth
}

// PressOf is the press that a binding stands for, whatever its keys are.
func PressOf(b key.Binding) Input { return Press{[]bound{{mark: MarkOf(b)}}} }

// Pressed reports whether an input asks for what a binding stands for; nil asks for nothing.
func Pressed(in Input, b key.Binding) bool { return in != nil && b.Enabled() && in.does(MarkOf(b)) }

// Input returns what a pressed key stands for: by its name, or on a keyboard that is not Latin by the place of the key.
func (s *Session) Input(msg tea.KeyPressMsg) Input { return s.Keymap.press(msg) }

// UsualInput is Input by the usual keys: in menus, whose keys nobody changes.
func UsualInput(msg tea.KeyPressMsg) Input { return usualKeymap.press(msg) }

var usualKeymap = makeKeymap(nil, namedKeys())

// Types reports whether a pressed key is a letter, on a keyboard that is not Latin by the place of the key.
func Types(msg tea.KeyPressMsg, letter string) bool {
	if msg.String() == letter {
		return true
	}
	l, ok := latin(msg)
	return ok && l.String() == letter
}

// Boarded is a screen that is made of panels.
type Boarded interface {
	// Layers are its panels as they were drawn last, on a screen whose first cell is at x and y.
	Layers(x, y int) []*lipgloss.Layer
	// Click and Drag return what the mouse asks for at a cell of a panel; nil for nothing.
	Click(panel string, x, y int) Input
	Drag(panel string, x, y int) Input
}
