package ui

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Bookmarks: M marks the view that is shown, ' lists those that are marked, this checkpoint's first. They are
// kept from run to run where there is a Memory, else for this run.

// remembered is that a view was marked or a mark was taken away, or why it could not be remembered.
type remembered struct {
	done string
	err  error
}

// bookmarksRead are the bookmarks there are.
type bookmarksRead struct {
	marks []Bookmark
	err   error
}

// bookmark marks the view that is shown.
func (a *App) bookmark() tea.Cmd {
	line := a.here()
	if line == "" || line == "start" || a.cp == nil {
		a.notice = "this view cannot be opened again, so it is not marked"
		return nil
	}
	b := Bookmark{Location: a.Location, View: line, When: a.Now()}
	m, done := a.Memory, fmt.Sprintf("marked: %s · %s lists the bookmarks", line, a.label(keys.bookmarks))
	if _, short := m.(*runMemory); short {
		done = fmt.Sprintf("marked for this run: %s · %s lists the bookmarks", line, a.label(keys.bookmarks))
	}
	return guard(0, func() tea.Msg { return remembered{done, m.Mark(b)} })
}

// openBookmarks reads the bookmarks, to offer them.
func (a *App) openBookmarks() tea.Cmd {
	m := a.Memory
	return guard(0, func() tea.Msg {
		marks, err := m.Bookmarks()
		return bookmarksRead{marks, err}
	})
}

// offerBookmarks offers the bookmarks of this checkpoint, and after them those of others.
func (a *App) offerBookmarks(msg bookmarksRead) tea.Cmd {
	if msg.err != nil {
		a.notice = "not all bookmarks could be read: " + msg.err.Error()
	}
	marks := slices.Clone(msg.marks)
	slices.SortStableFunc(marks, func(x, y Bookmark) int { return cmp.Compare(a.otherCheckpoint(x), a.otherCheckpoint(y)) })
	m := &menu{title: "BOOKMARKS", none: "There is none yet. " + a.label(keys.bookmark) + " marks the view that is shown."}
	byID := map[string]Bookmark{}
	for i, b := range marks {
		x := item{label: safe(cmp.Or(b.View, "overview")), also: safe(b.Location), id: fmt.Sprint(i), do: func() tea.Cmd { return a.goToBookmark(b) }}
		if !b.When.IsZero() {
			x.right = a.clock.age(b.When.UnixMilli())
		}
		if x.detail = "here"; a.otherCheckpoint(b) > 0 {
			x.detail = safe(b.Location)
		}
		byID[x.id] = b
		m.items = append(m.items, x)
	}
	memory := a.Memory
	m.remove = func(i item) tea.Cmd {
		b := byID[i.id]
		return guard(0, func() tea.Msg { return remembered{"forgotten: " + b.View, memory.Unmark(b)} })
	}
	return a.offer(m)
}

// otherCheckpoint is 1 for a bookmark of another checkpoint. A memory may keep locations in a form of its own.
func (a *App) otherCheckpoint(b Bookmark) int {
	here := a.Location
	if m, ok := a.Memory.(interface{ Lasting(location string) string }); ok {
		here = m.Lasting(here)
	}
	if b.Location == here {
		return 0
	}
	return 1
}

func (a *App) goToBookmark(b Bookmark) tea.Cmd {
	if a.otherCheckpoint(b) == 0 {
		return a.visit(cmp.Or(b.View, "overview"))
	}
	if a.OpenAt != nil {
		a.Options.View = b.View
		return a.openAt(b.Location)
	}
	a.notice = fmt.Sprintf("that is another checkpoint: tidemark %q --view %q opens it", b.Location, b.View)
	return nil
}

// runMemory remembers bookmarks for one run.
type runMemory struct {
	mu    sync.Mutex
	marks []Bookmark // the last one first
}

func (m *runMemory) Recents() ([]Recent, error) { return nil, nil }

func (m *runMemory) Visit(Recent) error { return nil }

func (m *runMemory) Bookmarks() ([]Bookmark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.marks), nil
}

func (m *runMemory) Mark(b Bookmark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks = append([]Bookmark{b}, slices.DeleteFunc(m.marks, b.same)...)
	return nil
}

func (m *runMemory) Unmark(b Bookmark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks = slices.DeleteFunc(m.marks, b.same)
	return nil
}

// same reports whether two bookmarks are of one view.
func (b Bookmark) same(other Bookmark) bool {
	return b.Location == other.Location && b.View == other.View
}
