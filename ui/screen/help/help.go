package help

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// model is the keys of the screen below it and those of every screen, from the key map itself.
type model struct {
	kit.Board
	s      *kit.Session
	of     kit.Screen
	Filter widget.Filter // leaves the lines with a key or a word
}

func newModel(s *kit.Session) *model {
	x := &model{s: s, of: s.Top()}
	x.SetFocus(ownID)
	return x
}

func (x *model) Title() string { return "help" }

func (x *model) Load(kit.Scope) tea.Cmd { return nil }

func (x *model) Resize(w, h int) {}

func (x *model) Typing() bool { return x.Filter.Typing }

func (x *model) SetFilter(pattern string) { x.Filter.Set(pattern) }

func (x *model) Command() string { return kit.LineOf(x.Filter.Typed(), "help") }

// ---- keys

func (x *model) Keys() []key.Binding {
	back := kit.Keys.Back
	back.SetHelp(back.Help().Key, "close")
	return kit.PanelKeys(back, kit.Keys.Find)
}

// ---- update

func (x *model) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if x.Filter.Typing {
		x.Filter.Update(msg)
		x.home()
		return nil, nil
	}
	k, ok := msg.(kit.Input)
	switch {
	case !ok:
	case kit.Pressed(k, kit.Keys.Find):
		x.Filter.Begin()
	case kit.Pressed(k, kit.Keys.Back) && x.Filter.Pattern != "":
		x.Filter.Clear()
		x.home()
	case kit.Pressed(k, kit.Keys.Back):
		return kit.Back{}, nil
	default:
		x.Handle(k)
	}
	return nil, nil
}

// home scrolls all panels back to their first lines: they have others now.
func (x *model) home() {
	for _, id := range []string{ownID, signsID, moveID, goID, doID, afterID} {
		x.ScrollHome(id)
	}
}

// ---- the lines that open it

var Spec = kit.Spec{
	Command: "help", Does: "the keys of this screen", Key: kit.Keys.Help, Anywhere: true, Once: true,
	Open: func(s *kit.Session, _ *kit.Words) (kit.Screen, error) { return newModel(s), nil },
}

// capital is a title with a capital letter before it.
func capital(title string) string {
	if title == "" {
		return ""
	}
	return strings.ToUpper(title[:1]) + title[1:]
}
