package ui

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"tidemark/ui/kit"
)

// Bookmarks: m marks the view that is shown, ' lists the marked views, those of this checkpoint first. A Memory keeps them from
// run to run; without one they are kept for this run.

// remembered is that a view was marked or a mark was taken away, or why it could not be remembered.
type remembered struct {
	done string
	err  error
}

// bookmarksRead are the bookmarks there are.
type bookmarksRead struct {
	marks []kit.Bookmark
	err   error
}

// bookmark marks the view that is shown.
func (a *App) bookmark() tea.Cmd {
	line := a.here()
	if line == "" || line == "start" || a.Checkpoint == nil {
		a.notice = "This view cannot be opened again, so it is not bookmarked"
		return nil
	}
	b := kit.Bookmark{Location: a.Location, View: line, When: a.Now()}
	m, done := a.Memory, fmt.Sprintf("bookmarked: %s · %s lists bookmarks", line, a.Label(kit.Keys.Bookmarks))
	if _, short := m.(*runMemory); short {
		done = fmt.Sprintf("bookmarked for this run: %s · %s lists bookmarks", line, a.Label(kit.Keys.Bookmarks))
	}
	return kit.Guard(0, func() tea.Msg { return remembered{done, m.Mark(b)} })
}

// openBookmarks reads the bookmarks, to offer them.
func (a *App) openBookmarks() tea.Cmd {
	m := a.Memory
	return kit.Guard(0, func() tea.Msg {
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
	slices.SortStableFunc(marks, func(x, y kit.Bookmark) int { return cmp.Compare(a.otherCheckpoint(x), a.otherCheckpoint(y)) })
	m := &menu{title: "Bookmarks", none: "No bookmarks yet. " + a.Label(kit.Keys.Bookmark) + " bookmarks this view."}
	byID := map[string]kit.Bookmark{}
	for i, b := range marks {
		x := item{label: kit.Safe(cmp.Or(b.View, "overview")), also: kit.Safe(b.Location), id: fmt.Sprint(i), do: func() tea.Cmd { return a.goToBookmark(b) }}
		if !b.When.IsZero() {
			x.right = a.Clock.Age(b.When.UnixMilli())
		}
		if x.detail = "here"; a.otherCheckpoint(b) > 0 {
			x.detail = kit.Safe(b.Location)
		}
		byID[x.id] = b
		m.items = append(m.items, x)
	}
	memory := a.Memory
	m.remove = func(i item) tea.Cmd {
		b := byID[i.id]
		return kit.Guard(0, func() tea.Msg { return remembered{"bookmark deleted: " + b.View, memory.Unmark(b)} })
	}
	return a.offer(m)
}

// otherCheckpoint is 1 for a bookmark of another checkpoint. A memory may keep locations in its own form.
func (a *App) otherCheckpoint(b kit.Bookmark) int {
	here := a.Location
	if m, ok := a.Memory.(interface{ Lasting(location string) string }); ok {
		here = m.Lasting(here)
	}
	if b.Location == here {
		return 0
	}
	return 1
}

func (a *App) goToBookmark(b kit.Bookmark) tea.Cmd {
	if a.otherCheckpoint(b) == 0 {
		return a.visit(cmp.Or(b.View, "overview"))
	}
	if a.OpenAt != nil {
		a.Options.View = b.View
		return a.openAt(b.Location)
	}
	a.notice = fmt.Sprintf("This is another checkpoint: open it with tidemark %q --view %q", b.Location, b.View)
	return nil
}

// runMemory remembers bookmarks for one run.
type runMemory struct {
	mu    sync.Mutex
	marks []kit.Bookmark // the last one first
}

func (m *runMemory) Recents() ([]kit.Recent, error) { return nil, nil }

func (m *runMemory) Visit(kit.Recent) error { return nil }

func (m *runMemory) Bookmarks() ([]kit.Bookmark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.marks), nil
}

func (m *runMemory) Mark(b kit.Bookmark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks = append([]kit.Bookmark{b}, slices.DeleteFunc(m.marks, b.Same)...)
	return nil
}

func (m *runMemory) Unmark(b kit.Bookmark) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.marks = slices.DeleteFunc(m.marks, b.Same)
	return nil
}
