package widget

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
)

// press is a press of a key by its name, or of a letter.
func press(name string) tea.KeyPressMsg {
	switch name {
	case "left":
		return tea.KeyPressMsg{Code: tea.KeyLeft}
	case "home":
		return tea.KeyPressMsg{Code: tea.KeyHome}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func TestInputEdits(t *testing.T) {
	for _, c := range []struct{ keys, typed, text string }{
		{"a b c", "abc", "abc▏"},
		{"a b c left left x", "axbc", "ax▏bc"},
		{"a b home x", "xab", "x▏ab"},
		{"a b left backspace", "b", "▏b"},
		{"a b left ctrl+u", "b", "▏b"},
		{"a b left ctrl+k", "a", "a▏"},
		{"a ctrl+v", "a", "a▏"},
		{"日 本 left x", "日x本", "日x▏本"},
	} {
		var i Input
		i.Begin()
		for _, k := range strings.Fields(c.keys) {
			i.Update(press(k))
		}
		if i.Typed() != c.typed || i.Text() != c.text {
			t.Errorf("%s: typed %q, text %q, want %q, %q", c.keys, i.Typed(), i.Text(), c.typed, c.text)
		}
	}
	var i Input
	i.Set("batch offsets")
	i.Begin()
	if i.Update(press("ctrl+w")); i.Typed() != "batch " {
		t.Errorf("ctrl+w leaves %q", i.Typed())
	}
}

// TestInputTakesOnlyWhatCanBeSeen: a paste, and a text that is put in, bring no control character and no mark that
// turns the direction, and no more than fits.
func TestInputTakesOnlyWhatCanBeSeen(t *testing.T) {
	var i Input
	i.Begin()
	i.Update(tea.PasteMsg{Content: "a\x1b[31m\r\n\tb\u202ec\x00"})
	if want := "a[31mbc"; i.Typed() != want {
		t.Errorf("pasted: %q, want %q", i.Typed(), want)
	}
	i.Update(tea.PasteMsg{Content: strings.Repeat("x", 3*longest)})
	if n := len(i.Typed()); n != longest {
		t.Errorf("the line has %d characters, want %d", n, longest)
	}
	if i.Set("a\x1bb\u2066"); i.Typed() != "ab" || i.Typing {
		t.Errorf("put in: %q, typing %v", i.Typed(), i.Typing)
	}
}

// TestInputFits: a long line keeps its cursor in sight, and its width.
func TestInputFits(t *testing.T) {
	for _, long := range []string{strings.Repeat("word ", 30), strings.Repeat("日本", 40)} {
		for back := 0; back < 150; back += 7 {
			for _, w := range []int{1, 2, 7, 20, 60} {
				var i Input
				i.Set(long)
				i.Begin()
				for range back {
					i.Update(press("left"))
				}
				text := i.TextIn(w)
				if n := phrase.Width(text); n > w+1 || strings.Count(text, cursorSign) != 1 {
					t.Errorf("%d back in %d cells: %d cells, %q", back, w, n, text)
				}
			}
		}
	}
}
