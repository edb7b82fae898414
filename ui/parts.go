package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tidemark/ui/widget"
)

// Small pieces that several screens draw.

func ruler(w int) string { return strings.Repeat("─", max(w, 0)) }

func indent1(lines []string) []string {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return lines
}

// scrolled is the part of a text that h lines show after skip lines; its last line says how much
// follows, and how to get there.
func scrolled(lines []string, skip, h int, t *theme, inside bool) []string {
	if h <= 0 {
		return nil
	}
	skip = max(min(skip, len(lines)-h), 0)
	if len(lines)-skip <= h {
		return lines[skip:]
	}
	shown := append([]string{}, lines[skip:skip+h-1]...)
	how := "tab, then ↓"
	if inside {
		how = "↓"
	}
	return append(shown, t.dim.Styled(fmt.Sprintf("… %s (%s)", plural(int64(len(lines)-skip-h+1), "more line"), how)))
}

// fact is a name and what it is.
func fact(t *theme, name, text string, w int) string {
	return t.dim.Styled(widget.Fit(name, 11)) + " " + widget.Cut(text, max(w-12, 0))
}

// unstyled is text without its styles: within reverse video they are hard to read.
func unstyled(s string) string { return ansi.Strip(s) }

// text is a screen that is only read: it scrolls, and is left again.
type text struct{ scroll int }

func (x *text) load(scope) tea.Cmd { return nil }

func (x *text) resize(w, h int) {}

func (x *text) update(msg tea.Msg) (action, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case pressed(k, keys.back):
		return back{}, nil
	case pressed(k, keys.down):
		x.scroll++
	case pressed(k, keys.up):
		x.scroll = max(x.scroll-1, 0)
	}
	return nil, nil
}
