package ui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
	"tidemark/ui/kit/widget"
)

// A menu over the lower part of the screen: things to choose from, with a letter each, or narrowed by typing.
// The palette, the bookmarks and what can be copied are menus. The app has no more than one open, and while
// it is open it has the keys.
//
//	────────────────────────────────────────────────────────────
//	GO TO, OR DO  off▏                                   2 of 87
//	▸ finding offset-gap   batch 5, critical
//	  offsets/11           a file

// ---- model

type menu struct {
	title string
	items []item
	none  string // what is said where there is nothing to choose from
	// beside makes more items of what is typed, which stand after those that match; nil for none.
	beside func(typed string) []item
	// remove forgets an item, and is asked for with ctrl+x; nil where nothing can be removed.
	remove func(i item) tea.Cmd

	line   widget.Input // what narrows the items
	shown  []item
	cursor widget.Cursor
}

// item is one thing to choose. Its texts are printable.
type item struct {
	key    string // the letter that chooses it at once; "" for none
	label  string
	detail string
	right  string // at the right edge: the key that does the same
	also   string // words that find it beside its label
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

// narrow shows the items that what is typed finds, best first: all in their order where nothing is typed.
func (m *menu) narrow() {
	m.shown, m.cursor.At, m.cursor.Top = m.items, 0, 0
	if typed := strings.TrimSpace(m.line.Typed()); typed != "" {
		m.shown = matching(m.items, typed)
		if m.beside != nil {
			m.shown = append(m.shown, m.beside(typed)...)
		}
	}
}

// matching are the items that a text finds: first those whose label holds it, at the start of a word before
// elsewhere, then those whose other words hold it, then those whose label has its letters in that order.
func matching(items []item, text string) []item {
	lower := strings.ToLower(text)
	ranks := [4][]item{}
	var rest []item
	var labels []string
	for _, x := range items {
		label := strings.ToLower(x.label)
		switch at := strings.Index(label, lower); {
		case at == 0 || at > 0 && strings.ContainsAny(label[at-1:at], " :/-_") || strings.Contains(label, " "+lower):
			ranks[0] = append(ranks[0], x)
		case at > 0:
			ranks[1] = append(ranks[1], x)
		case strings.Contains(strings.ToLower(x.detail+" "+x.also), lower):
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
func (a *App) menuRows() int { return max(a.bodyHeight()*3/5-2, 3) }

// menuView draws the open menu in w cells: as few lines as it needs.
func (a *App) menuView(w int) []string {
	t, m := &a.Theme, a.menu
	count := fmt.Sprintf("%d of %d", len(m.shown), len(m.items))
	if len(m.shown) == len(m.items) {
		count = fmt.Sprint(len(m.items))
	}
	head := " " + t.Strong.Styled(m.title)
	if m.line.Typing || m.line.Typed() != "" {
		head += "  " + t.Strong.Styled(m.line.Text())
	}
	lines := []string{t.Dim.Styled(kit.Ruler(w)), phrase.Fit(head, w-len(count)-2) + " " + t.Dim.Styled(count)}
	if len(m.shown) == 0 {
		return append(lines, "   "+phrase.Cut(m.nothing(), w-4))
	}
	rows := a.menuRows()
	m.cursor.Height = rows
	m.cursor.Go(m.cursor.At, len(m.shown))
	from, to := m.cursor.Window(len(m.shown), rows)
	label, right := 8, 0
	for i := range m.items {
		label, right = max(label, min(phrase.Width(m.items[i].label), w*2/5)), max(right, min(phrase.Width(m.items[i].right), 14))
	}
	for i := from; i < to; i++ {
		lines = append(lines, m.row(t, i, label, right, w))
	}
	return lines
}

func (m *menu) nothing() string {
	if len(m.items) == 0 && m.none != "" {
		return m.none
	}
	return "Nothing is found by these letters. backspace takes one away, esc leaves."
}

// Keys are the keys of a menu, but for the one that leaves it.
func (m *menu) keys() []key.Help {
	hints := []key.Help{{Key: "enter", Desc: "choose"}, {Key: "↑ ↓", Desc: "move"}}
	if m.line.Typing {
		hints = append(hints, key.Help{Key: "a–z", Desc: "narrow"})
	} else {
		hints = append(hints, key.Help{Key: "letter", Desc: "choose at once"}, key.Help{Key: "/", Desc: "narrow"})
	}
	if m.remove != nil && len(m.items) > 0 {
		hints = append(hints, key.Help{Key: "ctrl+x", Desc: "forget"})
	}
	return hints
}

// row draws item i: its letter, what it is, and the key that does the same.
func (m *menu) row(t *kit.Theme, i, label, right, w int) string {
	x := &m.shown[i]
	lead := "  "
	if i == m.cursor.At {
		lead = "▸ "
	}
	if m.lettered() {
		lead += t.Accent.Styled(phrase.Fit(x.key, 2)) + " "
	}
	room := w - phrase.Width(lead) - label - right - 4
	text := lead + phrase.Fit(phrase.Middle(x.label, label), label) + "  " + phrase.Fit(x.detail, max(room, 0)) + " " + t.Dim.Styled(phrase.FitRight(x.right, right))
	if i == m.cursor.At {
		return t.Selection.Styled(phrase.Fit(kit.Unstyled(text), w))
	}
	return text
}

// over puts lines over the end of a body of h lines.
func over(body, lines []string, h int) []string {
	lines = lines[:min(len(lines), h)]
	return append(kit.Fill(body, h)[:h-len(lines):h-len(lines)], lines...)
}
