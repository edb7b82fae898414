package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// A menu floats over the screen: things to choose from, with a letter each, or filtered by typing. The palette, the bookmarks and
// what can be copied are menus. One at most is open, and then it has the keys.
//
//	╭─ Go to, or do ──────────────────────────── 2 of 87 ─╮
//	│ > off▏                                              │
//	│▸finding offset-gap   batch 5, critical              │
//	│ offsets/11           a file                         │
//	╰─────────────────────────────────────────────────────╯

// ---- model

type menu struct {
	title string
	items []item
	none  string // what is said if there is nothing to choose from
	hint  string // below the items: what may be typed; "" for nothing
	// more makes items of what is typed, after those that match; nil for none.
	more func(typed string) []item
	// remove forgets an item, with ctrl+x; nil if nothing can be removed.
	remove func(i item) tea.Cmd

	line   widget.Input // what narrows the items
	shown  []item
	cursor widget.Cursor
}

// item is one thing to choose. Its texts are printable.
type item struct {
	key    string // the letter that chooses it at once; "" for none
	label  string
	line   string // the line of the prompt that does the same: ":rows 0/1"; "" for none
	detail string // shown if there is no line
	right  string // at the right edge: the key that does the same
	also   string // words that find it, too
	id     string // what it stands for, where its menu needs to know
	do     func() tea.Cmd
}

// lettered reports whether items are chosen by letters: then typing narrows only after "/".
func (m *menu) lettered() bool {
	for i := range m.items {
		if m.items[i].key != "" {
			return true
		}
	}
	return false
}

// offer opens a menu.
func (a *App) offer(m *menu) tea.Cmd {
	if !m.lettered() {
		m.line.Begin()
	}
	m.narrow()
	a.menu = m
	return nil
}

// narrow shows the items that match what is typed, best first: all in their order if nothing is typed.
func (m *menu) narrow() {
	m.shown, m.cursor.At, m.cursor.Top = m.items, 0, 0
	if typed := strings.TrimSpace(m.line.Typed()); typed != "" {
		m.shown = matching(m.items, typed)
		if m.more != nil {
			m.shown = append(m.shown, m.more(typed)...)
		}
	}
}

// matching are the items that a text finds: first those whose command begins with it or whose label has it, at the start of a
// word before elsewhere, then those whose other words have it, then those whose label has its letters in that order.
func matching(items []item, text string) []item {
	lower := strings.ToLower(text)
	ranks := [4][]item{}
	var rest []item
	var labels []string
	for _, x := range items {
		label := strings.ToLower(x.label)
		command, typed := strings.TrimPrefix(strings.ToLower(x.line), ":"), strings.TrimPrefix(lower, ":")
		switch at := strings.Index(label, lower); {
		case x.line != "" && strings.HasPrefix(command, typed) || at == 0 || at > 0 && strings.ContainsAny(label[at-1:at], " :/-_") || strings.Contains(label, " "+lower):
			ranks[0] = append(ranks[0], x)
		case at > 0:
			ranks[1] = append(ranks[1], x)
		case strings.Contains(strings.ToLower(x.line+" "+x.detail+" "+x.also), lower):
			ranks[2] = append(ranks[2], x)
		default:
			rest, labels = append(rest, x), append(labels, x.label)
		}
	}
	for _, match := range fuzzy.Find(text, labels) {
		ranks[3] = append(ranks[3], rest[match.Index])
	}
	return slices.Concat(ranks[:]...)
}

// ---- update

// choose lets the open menu answer to a key or a paste.
func (a *App) choose(msg tea.Msg) tea.Cmd {
	m := a.menu
	k, isKey := msg.(tea.KeyPressMsg)
	if !isKey {
		m.typed(msg)
		return nil
	}
	m.cursor.Height = a.menuRows()
	switch name := k.String(); name {
	case "enter":
		if m.cursor.At < len(m.shown) {
			return a.takeItem(m.shown[m.cursor.At])
		}
	case "down", "ctrl+n", "tab":
		m.cursor.Move(1, len(m.shown))
	case "up", "ctrl+p", "shift+tab":
		m.cursor.Move(-1, len(m.shown))
	case "pgdown":
		m.cursor.Move(m.cursor.Height, len(m.shown))
	case "pgup":
		m.cursor.Move(-m.cursor.Height, len(m.shown))
	case "ctrl+x", "delete":
		return m.forget()
	case "esc":
		a.menu = nil
	default:
		if m.line.Typing {
			return a.typedInMenu(k)
		}
		return a.letter(k)
	}
	return nil
}

// takeItem closes the menu and does an item.
func (a *App) takeItem(i item) tea.Cmd {
	a.menu = nil
	return i.do()
}

// typedInMenu narrows by one more letter; backspace where nothing is typed closes the menu.
func (a *App) typedInMenu(k tea.KeyPressMsg) tea.Cmd {
	m := a.menu
	if k.String() == "backspace" && m.line.Typed() == "" {
		a.menu = nil
		return nil
	}
	m.typed(k)
	return nil
}

func (m *menu) typed(msg tea.Msg) {
	if m.line.Typing {
		m.line.Update(msg)
		m.narrow()
	}
}

// letter chooses an item by its letter, or moves, or leaves.
func (a *App) letter(k tea.KeyPressMsg) tea.Cmd {
	m := a.menu
	for _, i := range m.items {
		if i.key != "" && kit.Types(k, i.key) {
			return a.takeItem(i)
		}
	}
	switch in := kit.UsualInput(k); {
	case kit.Pressed(in, kit.Keys.Find):
		m.line.Begin()
	case kit.Pressed(in, kit.Keys.Back) || kit.Pressed(in, kit.Keys.Quit):
		a.menu = nil
	default:
		kit.Moved(in, &m.cursor, len(m.shown))
	}
	return nil
}

// forget removes the selected item.
func (m *menu) forget() tea.Cmd {
	if m.remove == nil || m.cursor.At >= len(m.shown) {
		return nil
	}
	gone, at := m.shown[m.cursor.At], m.cursor.At
	for i := range m.items {
		if m.items[i].id == gone.id {
			m.items = append(m.items[:i:i], m.items[i+1:]...)
			break
		}
	}
	m.narrow()
	m.cursor.Go(at, len(m.shown))
	return m.remove(gone)
}

// ---- view

// menuRows is how many items are in sight at most.
func (a *App) menuRows() int { return max(min(a.bodyHeight()*3/5-2, 14), 3) }

// menuFloat is the open menu w cells wide.
func (a *App) menuFloat(w int) kit.Float {
	t, m := &a.Theme, a.menu
	f := kit.Float{Title: m.title, Right: t.Dim.Styled(fmt.Sprintf("%d of %d", len(m.shown), len(m.items)))}
	if m.head() > 0 {
		f.Lines = append(f.Lines, " "+t.Accent.Styled(">")+" "+t.Strong.Styled(m.line.TextIn(w-6)), "")
	}
	if len(m.shown) == 0 {
		f.Lines = append(f.Lines, kit.Indent1(phrase.Wrap(m.nothing(), w-4))...)
		return f
	}
	rows := a.menuRows()
	m.cursor.Height = rows
	m.cursor.Go(m.cursor.At, len(m.shown))
	from, to := m.cursor.Window(len(m.shown), rows)
	label, right := 8, 0
	for i := range m.items {
		label, right = max(label, min(phrase.Width(m.items[i].label), w/2)), max(right, min(phrase.Width(m.items[i].right), 8))
	}
	for i := from; i < to; i++ {
		f.Lines = append(f.Lines, m.row(t, i, label, right, w-2))
	}
	if m.hint != "" && a.h >= kit.Roomy {
		f.Lines = append(append(f.Lines, ""), kit.Indent1(kit.StyledLines(t.Dim, phrase.Wrap(m.hint, w-4)))...)
	}
	return f
}

// head is how many lines are above the items.
func (m *menu) head() int {
	if m.line.Typing || m.line.Typed() != "" {
		return 2
	}
	return 0
}

func (m *menu) nothing() string {
	if len(m.items) == 0 && m.none != "" {
		return m.none
	}
	return "Nothing matches. backspace deletes a letter, esc closes."
}

// keys are the keys of a menu, but for the one that leaves it.
func (m *menu) keys() []hint {
	hints := []hint{{"enter", "run", nil}, {"↑ ↓", "choose", nil}}
	if m.line.Typing {
		hints = append(hints, hint{"a–z", "filter", nil})
	} else {
		hints = append(hints, hint{"a–z", "run at once", nil}, hint{"/", "filter", nil})
	}
	if m.remove != nil && len(m.items) > 0 {
		hints = append(hints, hint{"ctrl+x", "delete", nil})
	}
	return hints
}

// row draws item i: its letter, what it is, and the key that does the same.
func (m *menu) row(t *kit.Theme, i, label, right, w int) string {
	x := &m.shown[i]
	lead := ""
	if m.lettered() {
		lead = t.Accent.Styled(phrase.Fit(x.key, 2)) + " "
	}
	room := w - 2 - phrase.Width(lead) - label - right - 3
	shown := phrase.Fit(phrase.Middle(x.label, label), label)
	text := lead + m.marked(t, shown) + "  " + t.Dim.Styled(phrase.Fit(cmp.Or(x.line, x.detail), max(room, 0))) + " " + t.Accent.Styled(phrase.FitRight(x.right, right))
	p := t.Palette()
	return p.Row(text, w, i == m.cursor.At)
}

// marked is a label with what is typed in another color.
func (m *menu) marked(t *kit.Theme, label string) string {
	typed := strings.TrimSpace(m.line.Typed())
	at := strings.Index(strings.ToLower(label), strings.ToLower(typed))
	if typed == "" || at < 0 || at+len(typed) > len(label) {
		return label
	}
	return label[:at] + t.Accent.Styled(label[at:at+len(typed)]) + label[at+len(typed):]
}
