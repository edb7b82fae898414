package widget

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// Filter is the line in which a person types what to look for.
type Filter struct {
	Typing  bool   // the line has the keys
	Pattern string // what is looked for, lower case; "" for everything
	typed   []rune
}

// longest is how many characters a pattern may have.
const longest = 2000

// Begin gives the line the keys.
func (f *Filter) Begin() { f.Typing = true }

// Set looks for text, as if it had been typed and kept.
func (f *Filter) Set(text string) {
	f.Clear()
	f.insert(text)
	f.Pattern = strings.ToLower(string(f.typed))
}

// Clear forgets the pattern.
func (f *Filter) Clear() { *f = Filter{} }

// Update takes a key or a paste while Typing. Enter keeps the pattern, esc drops it; backspace on an
// empty line leaves it too.
func (f *Filter) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		f.insert(msg.Content)
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "enter":
			f.Typing = false
		case key == "esc" || (key == "backspace" && len(f.typed) == 0):
			f.Clear()
		case key == "backspace" || key == "ctrl+h":
			f.typed = f.typed[:len(f.typed)-1]
		case key == "ctrl+u" || key == "ctrl+w":
			f.typed = nil
		default:
			f.insert(msg.Text)
		}
	}
	f.Pattern = strings.ToLower(string(f.typed))
}

func (f *Filter) insert(s string) {
	for _, r := range s {
		if unicode.IsGraphic(r) && len(f.typed) < longest {
			f.typed = append(f.typed, r)
		}
	}
}

// Typed is what has been typed, as typed.
func (f *Filter) Typed() string { return string(f.typed) }

// Text is what has been typed, as typed; while Typing a mark shows where the next letter goes.
func (f *Filter) Text() string {
	if f.Typing {
		return "/" + string(f.typed) + "▏"
	}
	return "/" + string(f.typed)
}

// Wants reports whether s holds the pattern, whatever the case of its letters.
func (f *Filter) Wants(s string) bool {
	return f.Pattern == "" || strings.Contains(strings.ToLower(s), f.Pattern)
}
