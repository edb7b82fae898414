package widget

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
)

// Input is a line that a person types, edited by the text input of Bubbles: its cursor moves by letters and words. The
// zero Input is empty. Only what can be seen gets into the line: a paste brings no control characters and no line breaks.
type Input struct {
	Typing bool             // the line has the keys
	line   *textinput.Model // nil where nothing was ever typed
}

// longest is how many characters a line may have.
const longest = 2000

// cursorSign stands where the next letter goes.
const cursorSign = "▏"

// newLine is an empty text input. It asks nothing of the machine: its own paste would run a program for the clipboard.
func newLine() *textinput.Model {
	m := textinput.New()
	m.Prompt, m.CharLimit = "", longest
	m.KeyMap.Paste = key.NewBinding()
	m.SetVirtualCursor(false)
	m.Focus()
	return &m
}

// Begin gives the line the keys.
func (i *Input) Begin() {
	i.Typing = true
	if i.line == nil {
		i.line = newLine()
	}
}

// Set puts a text into the line, the cursor behind it, and takes the keys from it.
func (i *Input) Set(text string) {
	*i = Input{line: newLine()}
	i.line.SetValue(visible(text))
	i.line.CursorEnd()
}

// Clear empties the line and takes the keys from it.
func (i *Input) Clear() { *i = Input{} }

// Update takes a key or a paste while Typing. Enter keeps the text, esc drops it; backspace on an empty line leaves it
// too.
func (i *Input) Update(msg tea.Msg) {
	switch m := msg.(type) {
	case tea.PasteMsg:
		m.Content = visible(m.Content)
		msg = m
	case tea.KeyPressMsg:
		switch name := m.String(); {
		case name == "enter":
			i.Typing = false
			return
		case name == "esc" || name == "backspace" && i.Typed() == "":
			i.Clear()
			return
		}
		m.Text = visible(m.Text)
		msg = m
	default:
		return
	}
	if i.line == nil {
		i.line = newLine()
	}
	*i.line, _ = i.line.Update(msg) // a cursor that does not blink asks for nothing
}

// visible is text without what cannot be seen.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, text)
}

// Typed is what has been typed, as typed.
func (i *Input) Typed() string {
	if i.line == nil {
		return ""
	}
	return i.line.Value()
}

// AtEnd reports whether the next letter goes behind all others.
func (i *Input) AtEnd() bool {
	return i.line == nil || i.line.Position() == len([]rune(i.line.Value()))
}

// Text is what has been typed; while Typing a mark shows where the next letter goes.
func (i *Input) Text() string {
	before, after := i.around()
	if i.Typing {
		return before + cursorSign + after
	}
	return before + after
}

// around is what stands before the cursor and what stands behind it.
func (i *Input) around() (before, after string) {
	if i.line == nil {
		return "", ""
	}
	all := []rune(i.line.Value())
	at := i.line.Position()
	return phrase.Printable(string(all[:at])), phrase.Printable(string(all[at:]))
}

// TextIn is Text with the mark in no more than w cells and the cell of the mark. A long text is cut in its middle, or where
// the cursor is not at its end, at both sides of the cursor.
func (i *Input) TextIn(w int) string {
	before, after := i.around()
	if phrase.Width(before)+phrase.Width(after) <= w {
		return before + cursorSign + after
	}
	if after == "" {
		return phrase.Middle(before, w) + cursorSign
	}
	after = phrase.Cut(after, max(w/2, w-phrase.Width(before)))
	return cutStart(before, w-phrase.Width(after)) + cursorSign + after
}

// cutStart is s in no more than w cells; what is cut off its start shows as an ellipsis.
func cutStart(s string, w int) string {
	runes := []rune(s)
	for n := range runes {
		if text := "…" + string(runes[n:]); n > 0 && phrase.Width(text) <= w {
			return text
		} else if n == 0 && phrase.Width(s) <= w {
			return s
		}
	}
	return ""
}
