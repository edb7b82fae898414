package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// The line of tabs: one a screen, in a fixed order, each with a badge. The active one is the place, not the history: inside of
// a batch it is "Batches › 2999", however one came there.

// tab is one of them as it is drawn.
type tab struct {
	spec   *kit.Spec
	label  string
	badge  kit.Badge
	active bool
}

// tabs are those of the checkpoint that is open, w cells wide; before them the one of a screen that has no tab.
func (a *App) tabs(w int) []tab {
	home, own := a.top().home()
	var all []tab
	for _, c := range tabSpecs {
		if c.Second && w < kit.TwoColumns && c.Title != home {
			continue
		}
		t := tab{spec: c, label: c.Tab, active: c.Title == home}
		if c.Badge != nil {
			t.badge = c.Badge(&a.Session)
		}
		if t.active && !own {
			t.badge = kit.Badge{}
			if t.label += " › " + a.within(); w < kit.TwoColumns {
				t.label = a.within()
			}
		}
		all = append(all, t)
	}
	if home == "" {
		all = append([]tab{{label: phrase.Capital(a.top().Title()), active: true}}, all...)
	}
	if w < kit.BareFrom {
		all = around(all)
	}
	return all
}

// home is the title of the tab that a screen belongs to, "" for none, and whether it is the screen of that tab itself.
func (l *layer) home() (title string, own bool) {
	if l.spec == nil {
		return "", false
	}
	for _, c := range tabSpecs {
		if c.Title == l.spec.Title {
			return c.Title, true
		}
	}
	return l.spec.Home, false
}

// within is what names the place of the top screen below its tab.
func (a *App) within() string {
	if s, ok := a.top().Screen.(kit.Within); ok {
		return kit.Safe(s.Within())
	}
	return kit.Safe(a.top().Title())
}

// around are the active tab and its neighbors, for a narrow terminal.
func around(all []tab) []tab {
	at := slices.IndexFunc(all, func(t tab) bool { return t.active })
	return all[max(min(at-1, len(all)-3), 0):min(max(at+2, 3), len(all))]
}

// tabSpecs are the rows of screens with a tab, in the order of the line.
var tabSpecs = func() (all []*kit.Spec) {
	for i := range specs {
		if specs[i].Tab != "" {
			all = append(all, &specs[i])
		}
	}
	return all
}()

// piece is a part of a line of the frame: what it shows, where, and what a click on it does.
type piece struct {
	x, y int
	text string
	do   func() tea.Cmd
}

// tabsLine draws the tabs, and where each is.
func (a *App) tabsLine(w, y int) (string, []piece) {
	t := &a.Theme
	var b strings.Builder
	var pieces []piece
	x := 1
	b.WriteString(" ")
	all := a.tabs(w)
	if w < kit.BareFrom {
		b.WriteString(t.Dim.Styled(t.Signs("‹")))
		x++
	}
	for _, tab := range all {
		text := a.tabText(&tab)
		if n := phrase.Width(text); x+n <= w-1 {
			p := piece{x: x, y: y, text: text}
			if c := tab.spec; c != nil {
				p.do = func() tea.Cmd { return a.byKey(c, &kit.Words{}) }
			}
			pieces = append(pieces, p)
			b.WriteString(text)
			x += n
		}
	}
	if w < kit.BareFrom {
		b.WriteString(t.Dim.Styled(t.Plain("›")))
	}
	return b.String(), pieces
}

// tabText draws one tab: its key is underlined, and the ground of the active one is colored.
func (a *App) tabText(tab *tab) string {
	t := &a.Theme
	badge := t.Signs(tab.badge.Text)
	if tab.active {
		text := tab.label
		if badge != "" {
			text += " " + badge
		}
		return t.TabOn.Styled(" " + t.Signs(text) + " ")
	}
	label := tab.label
	if tab.spec != nil {
		label = underlined(label, a.FirstKey(tab.spec.Key), t)
	}
	if badge != "" {
		badge = " " + t.Role(tab.badge.Role).Styled(badge)
	}
	return " " + label + badge + " "
}

// underlined is a label with the letter of its key underlined.
func underlined(label, key string, t *kit.Theme) string {
	i := strings.Index(strings.ToLower(label), strings.ToLower(key))
	if i < 0 || len(key) != 1 {
		return label
	}
	return label[:i] + t.TabKey.Styled(label[i:i+1]) + label[i+1:]
}
