package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/storage"
	"tidemark/ui/kit"
)

// below is a folder with two checkpoints in it.
func below() fstest.MapFS {
	all := fstest.MapFS{}
	for _, dir := range []string{"orders", "team/refunds"} {
		for name, file := range tree() {
			all[dir+"/"+name] = file
		}
	}
	return all
}

// at is how a place of a tree is opened.
func at(fsys fs.FS, root string) func(string) kit.Choice {
	return func(location string) kit.Choice {
		return kit.Choice{Location: location, Open: func(ctx context.Context) (*checkpoint.Checkpoint, error) {
			s := storage.FromFS(fsys, root)
			if dir := strings.TrimPrefix(strings.TrimPrefix(location, root), "/"); dir != "" {
				s = storage.Sub(s, dir)
			}
			return checkpoint.Open(ctx, s)
		}}
	}
}

// finds yields what it is told to.
func finds(all ...kit.Found) kit.Finder {
	return func(context.Context, string) iter.Seq2[kit.Found, error] {
		return func(yield func(kit.Found, error) bool) {
			for _, f := range all {
				if !yield(f, nil) {
					return
				}
			}
		}
	}
}

// diary is a memory for tests.
type diary struct {
	recents []kit.Recent
	visits  []string
	err     error
}

func (m *diary) Recents() ([]kit.Recent, error) { return m.recents, m.err }

func (m *diary) Visit(r kit.Recent) error {
	m.visits = append(m.visits, strings.TrimSpace(r.Location+" "+r.Verdict))
	return m.err
}

func (m *diary) Bookmarks() ([]kit.Bookmark, error) { return nil, nil }

func (m *diary) Mark(kit.Bookmark) error { return nil }

func (m *diary) Unmark(kit.Bookmark) error { return nil }

// chooser are Options for a start screen with all that can be on it.
func chooserOptions() kit.Options {
	fsys := below()
	open := at(fsys, "/mnt/cp")
	found := func(name string, state checks.State, short string) kit.Found {
		c := open("/mnt/cp/" + name)
		c.Label = name
		return kit.Found{Choice: c, Summary: kit.Summary{State: state, Short: short, Does: "the query " + short}, Looked: 4}
	}
	return kit.Options{
		Here: "/mnt/cp", OpenAt: open, Choices: []kit.Choice{{Label: "offset-gap", Detail: "the query cannot start: a file of the offset log is missing", Location: "demo: offset-gap"}},
		Memory: &diary{recents: []kit.Recent{{Location: "s3://lake-prod/checkpoints/orders-by-shop", When: now.Add(-2 * time.Hour), Verdict: "critical"}, {Location: "/mnt/cp/orders", When: now.Add(-50 * time.Hour), Verdict: "ok"}, {Location: "s3://lake-prod/checkpoints", When: now.Add(-70 * time.Hour), Verdict: "folder"}}},
		Find:   finds(kit.Found{Looked: 1}, found("orders", "", ""), found("orders", checks.Safe, "starts batch 12"), found("team/refunds", "", "")),
	}
}

// TestPlaces draws the start screen and the list of a folder, while they are looked for and after.
func TestPlaces(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		start := func(o kit.Options) *driver {
			d := drive(t, o, everything(t, tree()), size[0], size[1])
			d.run(d.Init())
			return d
		}
		folder := func(o kit.Options) *driver {
			o.Location, o.Open = "/mnt/cp", o.OpenAt("/mnt/cp").Open
			return start(o)
		}
		left := chooserOptions()
		left.Find = finds(kit.Found{Looked: 2000, Left: true, Unread: "secret: 403 AccessDenied"})
		for name, draw := range map[string]func() *driver{
			"places-start":  func() *driver { d := start(chooserOptions()); d.press("j"); return d },
			"places-typed":  func() *driver { d := start(chooserOptions()); d.press("o", "s", "3", ":"); return d },
			"places-folder": func() *driver { return folder(chooserOptions()) },
			"places-left":   func() *driver { return folder(left) },
			"places-ascii":  func() *driver { o := chooserOptions(); o.ASCII = true; return start(o) },
		} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := draw()
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// TestFolderTellsCopies: two checkpoints of one query name each other, in the list and next to it.
func TestFolderTellsCopies(t *testing.T) {
	o := chooserOptions()
	found := func(name, same string) kit.Found {
		c := o.OpenAt("/mnt/cp/" + name)
		c.Label = name
		return kit.Found{Choice: c, Summary: kit.Summary{State: checks.Safe, Short: "starts batch 12"}, Looked: 4, Same: same}
	}
	o.Find = finds(found("orders", ""), found("team/orders", "orders"), found("orders", "team/orders"))
	o.Location, o.Open = "/mnt/cp", o.OpenAt("/mnt/cp").Open
	d := drive(t, o, everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.shows("2 CHECKPOINTS", "same query as", "Same query as team/orders: one is a copy.", "Never start both")
	for name, same := range map[string]string{"orders": "team/orders", "team/orders": "orders"} {
		if !strings.Contains(d.rowOf("starts batch 12", " "+name+" "), same) {
			t.Errorf("the row of %s does not name %s:\n%s", name, same, d.screen())
		}
	}
}

// TestFolderShowsWhatIsBelow: a parent folder lists its checkpoints; one is opened and left again, and the page on
// what the folder itself is stays within reach.
func TestFolderShowsWhatIsBelow(t *testing.T) {
	o := chooserOptions()
	memory := o.Memory.(*diary)
	o.Location, o.Open = "/mnt/cp", o.OpenAt("/mnt/cp").Open
	d := drive(t, o, everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.shows("2 CHECKPOINTS", "✓ 1 safe", "Safe to restart 1", "✓ starts batch 12", "orders", "Being checked 1", "team/refunds", "… being checked", "This location 1")
	for _, step := range []struct{ key, crumbs, location string }{
		{"enter", "overview", "/mnt/cp/orders"}, {"B", "overview › batches", "/mnt/cp/orders"}, {"esc", "overview", "/mnt/cp/orders"}, {"esc", "folder", "/mnt/cp"},
		{"B", "folder", "/mnt/cp"}, {"?", "folder › help", "/mnt/cp"}, {"esc", "folder", "/mnt/cp"}, {"esc", "folder", "/mnt/cp"},
		{"O", "overview", "/mnt/cp"}, {"esc", "folder", "/mnt/cp"}, {"j", "folder", "/mnt/cp"}, {"enter", "overview", "/mnt/cp/team/refunds"}, {"q", "folder", "/mnt/cp"},
	} {
		d.press(step.key)
		if d.crumbs() != step.crumbs || d.Location != step.location {
			t.Fatalf("after %q: %q at %s, want %q at %s", step.key, d.crumbs(), d.Location, step.crumbs, step.location)
		}
	}
	if want := []string{"/mnt/cp folder", "/mnt/cp/orders", "/mnt/cp/orders critical", "/mnt/cp/team/refunds", "/mnt/cp/team/refunds critical"}; !slices.Equal(memory.visits, want) {
		t.Errorf("remembered %q, want %q", memory.visits, want)
	}
	d.press("q")
	if !d.quit {
		t.Error("q on the list does not quit")
	}
}

// TestEmptyFolderIsNoList: where no folder is in it, the page on what it is says more than an empty list.
func TestEmptyFolderIsNoList(t *testing.T) {
	o := chooserOptions()
	o.Location, o.Open = "/x", at(fstest.MapFS{"readme": {}}, "/x")("/x").Open
	d := drive(t, o, []checks.Event{{Done: &checks.Done{Complete: true}}}, 120, 40)
	d.run(d.Init())
	if d.crumbs() != "overview" {
		t.Errorf("%s", d.screen())
	}
}

// TestOpenAnother: a typed location and the line ":open" lead there from everywhere.
func TestOpenAnother(t *testing.T) {
	d := drive(t, chooserOptions(), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("o")
	d.send(tea.PasteMsg{Content: "/mnt/cp/orders"})
	d.press("enter")
	d.shows("DO NOT RESTART YET", "/mnt/cp/orders")
	d.press("B")
	d.run(d.command("open /mnt/cp/team/refunds"))
	if d.crumbs() != "overview" || d.Location != "/mnt/cp/team/refunds" {
		t.Errorf("%s at %s", d.crumbs(), d.Location)
	}
	d.press("esc")
	d.shows("2 CHECKPOINTS", "Examples 1")
	d.press("o", "enter")
	d.shows("type a location, or press esc")
	d.press("esc")
	d.hides("type a location")
	d.shows("o open a location")
}

// TestSearchIsStopped: ctrl+c ends the search and keeps what it has found; r begins it anew.
func TestSearchIsStopped(t *testing.T) {
	o := chooserOptions()
	full := o.Find
	o.Find = func(ctx context.Context, root string) iter.Seq2[kit.Found, error] {
		return func(yield func(kit.Found, error) bool) {
			for f := range full(ctx, root) {
				yield(f, nil)
			}
			<-ctx.Done()
			yield(kit.Found{}, ctx.Err())
		}
	}
	d := drive(t, o, nil, 120, 40)
	first := d.App.Init()
	d.hold = true
	for _, msg := range flatten(first) {
		d.send(msg)
	}
	d.shows("… 2 CHECKPOINTS", "so far, 4 folders searched", "orders", "ctrl+c stop")
	d.press("ctrl+c")
	d.hold = false
	for _, c := range d.late {
		d.run(c)
	}
	d.shows("not everything was searched", "The search ended early", "orders")
}

// TestNothingIsLookedForBeforeTheFirstFrame.
func TestNothingIsLookedForBeforeTheFirstFrame(t *testing.T) {
	o := chooserOptions()
	asked := 0
	full := o.Find
	o.Find = func(ctx context.Context, root string) iter.Seq2[kit.Found, error] { asked++; return full(ctx, root) }
	d := drive(t, o, nil, 120, 40)
	d.shows("NO CHECKPOINTS", "Examples 1")
	if m := o.Memory.(*diary); len(m.visits) > 0 {
		t.Error("something was remembered")
	}
}

// TestForgetfulIsToldOnce: a home that cannot be written costs nothing but a word.
func TestForgetfulIsToldOnce(t *testing.T) {
	o := openTree(tree())
	o.Memory = &diary{err: errors.New("mkdir /home/x/.local: read-only file system")}
	d := drive(t, o, everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.shows("opened checkpoints are not remembered: mkdir", "DO NOT RESTART YET")
	d.press("j", "r")
	if strings.Contains(d.screen(), "not remembered") {
		t.Error("it is told again")
	}
}

// TestSelectionStays on its row while others arrive above it.
func TestSelectionStays(t *testing.T) {
	d := drive(t, chooserOptions(), nil, 120, 40)
	d.press("G")
	if !strings.Contains(d.selected(), "› offset-gap") {
		t.Fatalf("the last row is no example: %q", d.selected())
	}
	d.run(d.Init())
	if got := d.selected(); !strings.Contains(got, "› offset-gap") {
		t.Errorf("%q is selected", got)
	}
	d.press("/", "r", "e", "f", "u", "enter")
	if got := d.selected(); !strings.Contains(got, "team/refunds") {
		t.Errorf("the filter selects %q", got)
	}
}

// rowOf is the first line of the screen with all texts; "" for none.
func (d *driver) rowOf(texts ...string) string {
	for line := range strings.Lines(d.screen()) {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
			return line
		}
	}
	return ""
}

// TestPlacesAreGrouped: the worst checkpoints come first, each group under a head that the cursor passes over; s sorts by the
// next column, and what a row shows is found.
func TestPlacesAreGrouped(t *testing.T) {
	o := chooserOptions()
	o.Memory = &diary{}
	found := func(name string, state checks.State, short string, age time.Duration) kit.Found {
		c := o.OpenAt("/mnt/cp/" + name)
		c.Label = name
		return kit.Found{Choice: c, Summary: kit.Summary{State: state, Short: short, Newest: now.Add(-age).UnixMilli()}, Looked: 4}
	}
	o.Find = finds(found("a/checkpoint", checks.Safe, "starts batch 3", 40*24*time.Hour), found("c/checkpoint", checks.Stop, "fails at batch 7", 300*24*time.Hour),
		found("b/checkpoint", checks.OnlyIf, "re-runs batch 9", time.Hour))
	d := drive(t, o, everything(t, tree()), 80, 24)
	d.run(d.Init())
	d.shows("✗ 1 do not restart yet   ! 1 only if   ✓ 1 safe", "Do not restart yet 1", "Restart only if … 1", "Safe to restart 1", "1/4")
	order := func(want ...string) {
		t.Helper()
		d.press("g")
		for i, name := range want {
			if got := d.selected(); !strings.Contains(got, name) {
				t.Errorf("row %d is %q, want %s", i+1, got, name)
			}
			d.press("j")
		}
	}
	order("fails at batch 7", "re-runs batch 9", "starts batch 3", "offset-gap")
	d.press("k")
	if got := d.selected(); !strings.Contains(got, "starts batch 3") {
		t.Errorf("up over a head goes to %q", got)
	}
	d.press("s")
	order("starts batch 3", "re-runs batch 9", "fails at batch 7", "offset-gap")
	d.press("s")
	order("re-runs batch 9", "starts batch 3", "fails at batch 7", "offset-gap")
	filter := func(typed string) {
		d.press("/", "ctrl+u")
		d.letters(typed)
		d.press("enter")
	}
	for typed, want := range map[string]string{"300 d": "fails at batch 7", "only if": "re-runs batch 9", "/mnt/cp/a": "starts batch 3"} {
		filter(typed)
		if got := d.selected(); !strings.Contains(got, want) {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	filter("refuses")
	d.shows("Nothing matches", "0 of 4", "esc")
	d.hides("▸")
}

// TestPartOffersTheCheckpoint: a location inside a checkpoint, also one that cannot be opened, offers the checkpoint around it, and
// itself second. What could be read is only asked once.
func TestPartOffersTheCheckpoint(t *testing.T) {
	for name, fails := range map[string]error{"a folder of it": nil, "a file of it": errors.New("not an archive")} {
		t.Run(name, func(t *testing.T) {
			o := chooserOptions()
			o.Location = "/mnt/cp/orders/offsets"
			o.Open = o.OpenAt(o.Location).Open
			if fails != nil {
				o.Open = func(context.Context) (*checkpoint.Checkpoint, error) { return nil, fails }
			}
			o.Around = func(_ context.Context, location string) string {
				if location != "/mnt/cp/orders/offsets" {
					t.Errorf("it is asked for %s", location)
				}
				return "/mnt/cp/orders"
			}
			d := drive(t, o, everything(t, tree()), 80, 24)
			d.run(d.Init())
			d.shows("NOT A CHECKPOINT", "part of the checkpoint /mnt/cp/orders", "▸› open the checkpoint", "› open without choosing")
			d.press("j", "enter")
			if d.crumbs() != "overview" || d.Location != o.Location {
				t.Errorf("itself: %s at %s", d.crumbs(), d.Location)
			}
			d.press("esc", "k", "enter")
			if d.crumbs() != "overview" || d.Location != "/mnt/cp/orders" {
				t.Errorf("the checkpoint: %s at %s", d.crumbs(), d.Location)
			}
			d.shows("DO NOT RESTART YET")
		})
	}
}
