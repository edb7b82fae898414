package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tidemark/ui/kit"
)

func TestHistoryGoesBackAndForward(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("[")
	d.shows("no earlier view")
	d.press("B", "j", "j", "enter", "enter", "esc", "esc", "F", "/")
	d.letters("json")
	d.press("enter", "enter")
	visited := []string{
		"overview",
		"overview | batches 9",
		"overview | batches 9 | batch 9",
		"overview | batches 9 | batch 9 | offsets/9:3@132",
		"overview | batches 9 | batch 9",
		"overview | batches 9",
		"overview | findings /json",
		"overview | findings /json | offsets/8:2@70",
	}
	at := len(visited) - 1
	check := func(key string) {
		t.Helper()
		if got := strings.Join(d.seen().lines, " | "); got != visited[at] {
			t.Fatalf("after %s: %q, want %q", key, got, visited[at])
		}
	}
	check("all")
	for range 2 {
		for ; at > 0; check("[") {
			d.press("[")
			at--
		}
		d.press("[")
		check("[ at the first")
		for ; at < len(visited)-1; check("]") {
			d.press("]")
			at++
		}
		d.press("]")
		d.shows("no later view")
	}
	d.press("[", "[", "T")
	d.press("]")
	d.shows("no later view")
}

func TestHistoryBringsTheMomentBack(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("left", "left", "left", "B", "O", "G", "F")
	if d.AsOf != -1 {
		t.Fatalf("batch %d is looked at, want now", d.AsOf)
	}
	d.press("[", "[")
	if d.AsOf != 9 || d.crumbs() != "overview › batches" {
		t.Errorf("back on %q batch %d is looked at, want 9", d.crumbs(), d.AsOf)
	}
	d.press("]", "]")
	if d.AsOf != -1 || d.crumbs() != "overview › findings" {
		t.Errorf("forward on %q batch %d is looked at, want now", d.crumbs(), d.AsOf)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
	d.run(d.Init())
	for range 2 * keptViews {
		d.press("F", "O")
	}
	if n := len(d.history.back); n != keptViews {
		t.Errorf("%d views are kept, want %d", n, keptViews)
	}
	for range keptViews + 5 {
		d.press("[")
	}
	if n := len(d.history.forward); n != keptViews || len(d.stack) > 2 {
		t.Errorf("%d views are ahead, want %d; %d screens are open", n, keptViews, len(d.stack))
	}
}

func TestHistoryOfOneCheckpointSaysNothingOfAnother(t *testing.T) {
	o := openTree(tree())
	d := drive(t, kit.Options{Choices: []kit.Choice{{Label: "a", Location: "./a", Open: o.Open}, {Label: "b", Location: "./b", Open: o.Open}}}, everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("enter", "B", "enter", "O", "esc", "j", "enter")
	d.shows("./b")
	d.press("[")
	d.shows("no earlier view")
}

// ---- bookmarks

func TestBookmarksOfARun(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("'")
	d.shows("No bookmarks yet. m bookmarks this view.")
	d.press("esc", "B", "j", "j", "enter", "m")
	d.shows("bookmarked for this run: batch 9 · ' lists bookmarks")
	d.press("F", "j", "m", "m", "O", "'")
	d.shows("finding log-malformed", "batch 9")
	if n := len(d.menu.items); n != 2 {
		t.Errorf("%d bookmarks, want 2: a view is marked once", n)
	}
	d.press("down", "enter")
	if d.crumbs() != "overview › batch 9" {
		t.Errorf("the bookmark goes to %q", d.crumbs())
	}
	d.press("'", "ctrl+x", "esc", "'")
	if n := len(d.menu.items); n != 1 || d.menu.items[0].label != "batch 9" {
		t.Errorf("after one was forgotten there are %d", n)
	}
}

// shelf is a Memory for tests.
type shelf struct {
	runMemory
	fail error
}

func (s *shelf) Mark(b kit.Bookmark) error {
	if s.fail != nil {
		return s.fail
	}
	return s.runMemory.Mark(b)
}

// Lasting is a form of locations of its own.
func (s *shelf) Lasting(location string) string { return "kept:" + location }

func (s *shelf) Bookmarks() ([]kit.Bookmark, error) {
	marks, _ := s.runMemory.Bookmarks()
	return marks, s.fail
}

func TestBookmarksFromRunToRun(t *testing.T) {
	o := openTree(tree())
	m := &shelf{}
	m.runMemory.Mark(kit.Bookmark{Location: "kept:" + o.Location, View: "batch 3", When: now.Add(-2 * 3600e9)})
	m.runMemory.Mark(kit.Bookmark{Location: "s3://other/\x1b[2Jx", View: "state 0/3", When: now})
	o.Memory = m
	d := drive(t, o, everything(t, tree()), 140, 40)
	d.run(d.Init())
	d.press("'")
	golden(t, "bookmarks-140x40.txt", d.screen())
	wellFormed(t, d.View().Content, 140, 40)
	if d.menu.items[0].label != "batch 3" {
		t.Errorf("%q stands first, want those of this checkpoint", d.menu.items[0].label)
	}
	d.press("enter")
	if d.crumbs() != "overview › batch 3" {
		t.Errorf("the bookmark goes to %q", d.crumbs())
	}
	m.fail = errors.New("read-only file system")
	d.press("m")
	d.shows("the bookmark was not saved: read-only file system")
	d.press("'")
	if d.menu == nil || len(d.menu.items) != 2 {
		t.Error("what could be read is not offered")
	}
}

func TestBookmarksScreen(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
		d.run(d.Init())
		d.press("'")
		golden(t, fmt.Sprintf("bookmarks-none-%dx%d.txt", size[0], size[1]), d.screen())
	}
}

// TestBookmarksOfAnotherCheckpoint opens it, and the view in it.
func TestBookmarksOfAnotherCheckpoint(t *testing.T) {
	o := openTree(tree())
	m := &runMemory{}
	m.Mark(kit.Bookmark{Location: "./other", View: "batch 3", When: now})
	o.Memory = m
	o.OpenAt = func(location string) kit.Choice { return kit.Choice{Label: location, Location: location, Open: o.Open} }
	d := drive(t, o, everything(t, tree()), 140, 40)
	d.run(d.Init())
	d.press("B", "'")
	d.shows("./other")
	d.press("enter")
	if d.crumbs() != "overview › batch 3" || d.Location != "./other" {
		t.Errorf("it goes to %q of %q", d.crumbs(), d.Location)
	}
	d.press("[", "[")
	d.shows("no earlier view")
}
