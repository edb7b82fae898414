package ui

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/storage"
	"tidemark/ui/kit"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// now is the time of every test.
var now = time.Date(2026, 11, 29, 14, 2, 7, 0, time.UTC)

// tree is a checkpoint for tests: batch 5 has no file at all, offsets/8 is cut off, 11 is not committed.
func tree() fstest.MapFS {
	fsys := fstest.MapFS{"metadata": {Data: []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`), ModTime: now.Add(-time.Hour)}}
	for id := range int64(12) {
		if id == 5 {
			continue
		}
		planned := now.Add(time.Duration(id-11)*time.Minute - 21*time.Minute)
		plan := fmt.Sprintf("v1\n{\"batchWatermarkMs\":%d,\"batchTimestampMs\":%d,\"conf\":{\"spark.sql.shuffle.partitions\":\"%d\"}}\n{\"orders\":{\"0\":%d,\"1\":%d,\"2\":%d}}",
			max(0, planned.Add(-19*time.Minute).UnixMilli()), planned.UnixMilli(), 200+200*(id/10), 1000+150*id, 800+102*id, 2010)
		if id == 8 {
			plan = plan[:70]
		}
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte(plan), ModTime: planned}
		if id < 11 {
			fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: fmt.Appendf(nil, "v1\n{\"nextBatchWatermarkMs\":%d}", planned.Add(-18*time.Minute).UnixMilli()), ModTime: planned.Add(40 * time.Second)}
		}
	}
	return fsys
}

// driver drives an app by messages, and runs the commands that it returns.
type driver struct {
	*App
	t    testing.TB
	quit bool
	late []tea.Cmd // commands that are kept back, where hold is set
	hold bool
}

func drive(t testing.TB, o kit.Options, found []checks.Event, w, h int) *driver {
	o.Now = func() time.Time { return now }
	a := New(t.Context(), o)
	a.ticking = true // no clock in tests
	a.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	if found != nil {
		a.examine = func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event] {
			return slices.Values(found)
		}
	}
	d := &driver{App: a, t: t}
	t.Cleanup(a.close)
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

func (d *driver) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.hold {
		d.late = append(d.late, cmd)
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	case tea.QuitMsg:
		d.quit = true
	default:
		d.send(msg)
	}
}

// Press presses keys by their names. A person sees a frame before each of them.
func (d *driver) press(names ...string) {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "down": tea.KeyDown, "up": tea.KeyUp, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace}
	for _, name := range names {
		k := tea.KeyPressMsg{Text: name, Code: []rune(name)[0]}
		if code, ok := special[name]; ok {
			k = tea.KeyPressMsg{Code: code}
		} else if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
			k = tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
		}
		d.frame()
		d.send(k)
	}
}

func (d *driver) screen() string { return ansi.Strip(d.View().Content) }

// crumbs are the titles on the way to the top screen, however long it is.
// crumbs are the titles of the screens that are open, from the overview on.
func (d *driver) crumbs() string {
	var titles []string
	for _, l := range d.stack {
		if l.Title() == first.Title {
			titles = nil
		}
		titles = append(titles, l.Title())
	}
	return strings.Join(titles, " › ")
}

func (d *driver) shows(want ...string) {
	d.t.Helper()
	for _, w := range want {
		if !strings.Contains(d.screen(), w) {
			d.t.Errorf("the screen does not show %q:\n%s", w, d.screen())
		}
	}
}

// openTree is Options for a tree in memory.
func openTree(fsys fs.FS) kit.Options {
	return kit.Options{Location: "s3://lake-prod/checkpoints/orders-by-shop", Open: func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		return checkpoint.Open(ctx, storage.FromFS(fsys, "s3://lake-prod/checkpoints/orders-by-shop"))
	}}
}

// known are the first events of an examination of tree, as far as a start looks.
func known(t testing.TB, fsys fs.FS) []checks.Event {
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(fsys, "x"))
	if err != nil {
		t.Fatal(err)
	}
	standing, err := cp.Standing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	facts := checks.Facts{QueryID: "1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2", Spark: spark.Version{Major: 3, Minor: 5}, Standing: standing,
		Batches: checks.Batches{FirstPlanned: 0, LastPlanned: 11, FirstCommitted: 0, LastCommitted: 10, Uncommitted: []int64{11}, MissingOffsets: []int64{5}, MissingCommits: []int64{5}},
		Sources: []checks.Source{{Index: 0, Kinds: []string{"kafka", "event-hubs"}, Parts: 3}}}
	restart := checks.Restart{Outcome: checks.Rerun, Batch: 11, Because: "offsets/11 is there, commits/11 is not", StateVersion: -1, Watermark: standing.Last.Plan.Watermark}
	for _, r := range checkpoint.Reads(standing.Before, standing.Last, nil)[0] {
		restart.Ranges = append(restart.Ranges, checks.Range{Source: 0, Range: r})
	}
	return []checks.Event{{Facts: &facts}, {Restart: &restart}}
}

var gap = &checks.Check{Code: "offset-gap", Severity: checks.Critical, Title: "a plan is missing between two others"}

var cut = &checks.Check{Code: "log-malformed", Severity: checks.High, Title: "a log file does not parse"}

var running = &checks.Check{Code: "uncommitted-batch", Question: checks.ReplaySafe, Title: "the newest batch is planned and not committed"}

// everything is a whole examination.
func everything(t testing.TB, fsys fs.FS) []checks.Event {
	words := func(f checks.Finding) *checks.Finding {
		f.Severity, f.Title = f.Check.Severity, f.Check.Title
		f.Meaning = "Batches are planned one after the other, so this plan was written and is gone, or its write was lost."
		f.NextStep = "Keep a copy of the checkpoint first. Then find out what removed the file."
		f.Avoid = "Do not write the file by hand."
		return &f
	}
	return append(known(t, fsys),
		checks.Event{Progress: &checks.Progress{Batches: 11, Of: 11}},
		checks.Event{Finding: words(checks.Finding{Check: running, Batch: 11, Where: decode.Where{File: "offsets/11"}, Evidence: "offsets/11 is there, commits/11 is not"})},
		checks.Event{Finding: words(checks.Finding{Check: cut, Batch: 8, Where: decode.Where{File: "offsets/8", Line: 2, Offset: 70}, Evidence: "the JSON ends within line 2"})},
		checks.Event{Finding: words(checks.Finding{Check: gap, Batch: 5, Where: decode.Where{File: "offsets/5"}, Evidence: "offsets/4 and offsets/6 are there, offsets/5 between them is not"})},
		checks.Event{NotRun: &checks.NotRun{Code: "sink-ahead", Question: checks.ReplaySafe, Needs: "--sink"}},
		checks.Event{Done: &checks.Done{Complete: true, Questions: []checks.Question{
			{Name: "intact", Answer: "no", Because: "found: offset-gap, log-malformed"},
			{Name: "same_query", Answer: "unknown", Because: "no spec was given: --spec FILE"},
			{Name: "replay_safe", Answer: "unknown", Because: "no sink was given: --sink LOCATION"}}}})
}

// healthy is an examination that finds nothing.
func healthy(t *testing.T, fsys fs.FS) []checks.Event {
	return append(known(t, fsys), checks.Event{Done: &checks.Done{Complete: true, Questions: []checks.Question{{Name: "intact", Answer: "yes", Because: "every file is whole"}}}})
}

// TestScreens compares every screen, in the states worth a picture, with its golden file.
func TestScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for name, draw := range pictures(t, size[0], size[1]) {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := draw(t)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

func pictures(t *testing.T, w, h int) map[string]func(*testing.T) *driver {
	full := func(t *testing.T, keys ...string) *driver {
		d := drive(t, openTree(tree()), everything(t, tree()), w, h)
		d.run(d.Init())
		d.press(keys...)
		return d
	}
	screens := map[string][]string{
		"overview-full": nil, "overview-chosen": {"j"}, "overview-batch": {"left", "left"}, "overview-missing": {"left", "left", "left", "left", "left", "left", "left"}, "batches-as-of": {"left", "left", "left", "B"}, "batches-full": {"B"}, "batches-filtered": {"B", "/", "1", "1", "enter"}, "batch-full": {"B", "enter"},
		"batch-settings": {"B", "j", "enter", "G"}, "batch-broken-entry": {"B", "j", "j", "j", "enter", "G"}, "findings-full": {"F"}, "findings-filtered": {"F", "/", "c", "u", "t"},
		"findings-not-run": {"F", "G"}, "tree-full": {"T", "j", "j", "enter", "j"}, "file-decoded": {"B", "enter", "enter"}, "file-text": {"F", "j", "enter", "x"},
		"file-bytes": {"F", "j", "enter", "x", "x"}, "file-gone": {"F", "enter"}, "question-1": {"1"}, "help": {"B", "?"},
	}
	out := map[string]func(*testing.T) *driver{}
	for name, keys := range screens {
		out[name] = func(t *testing.T) *driver { return full(t, keys...) }
	}
	out["overview-loading"] = func(t *testing.T) *driver { return drive(t, openTree(tree()), nil, w, h) }
	out["overview-so-far"] = func(t *testing.T) *driver {
		d := drive(t, openTree(tree()), nil, w, h)
		events := everything(t, tree())
		d.hold = true
		d.run(d.Init())
		d.send(opened{to: d.reading.ID, cp: mustOpen(t, tree())})
		d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: events[:4], Next: func() tea.Msg { return nil }})
		return d
	}
	out["overview-healthy"] = func(t *testing.T) *driver {
		d := drive(t, openTree(tree()), healthy(t, tree()), w, h)
		d.run(d.Init())
		return d
	}
	empty := openTree(fstest.MapFS{})
	out["batches-empty"] = func(t *testing.T) *driver {
		d := drive(t, empty, []checks.Event{{Facts: &checks.Facts{}}, {Restart: &checks.Restart{Outcome: checks.Unknown, Batch: -1}}, {Done: &checks.Done{Complete: true}}}, w, h)
		d.run(d.Init())
		d.press("B")
		return d
	}
	out["overview-unreachable"] = func(t *testing.T) *driver {
		o := openTree(tree())
		o.Open = func(context.Context) (*checkpoint.Checkpoint, error) {
			return nil, fmt.Errorf("403 on ListObjectsV2 s3://lake-prod/checkpoints/orders-by-shop: %w", fs.ErrPermission)
		}
		d := drive(t, o, nil, w, h)
		d.run(d.Init())
		return d
	}
	out["start"] = func(t *testing.T) *driver {
		return drive(t, kit.Options{Choices: []kit.Choice{{Label: "a gap in the plans", Detail: "built in"}, {Label: "orders", Detail: "found here", Location: "./orders"}}}, nil, w, h)
	}
	return out
}

func mustOpen(t testing.TB, fsys fs.FS) *checkpoint.Checkpoint {
	cp, err := checkpoint.Open(t.Context(), storage.FromFS(fsys, "s3://lake-prod/checkpoints/orders-by-shop"))
	if err != nil {
		t.Fatal(err)
	}
	return cp
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	lines := strings.Split(got, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got = strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", "screens", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the screen has changed (-want +got); go test ./ui -update writes it anew:\n%s", diff)
	}
}

// wellFormed holds what is true of every frame: its lines are as many as the terminal has, none is
// wider, and nothing in it can drive the terminal but colors.
func wellFormed(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Errorf("%d lines, want %d", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Errorf("line %d takes %d cells, more than %d: %q", i, n, w, l)
		}
		for _, r := range withoutColours(l) {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0xfffd {
				t.Fatalf("line %d holds %U: %q", i, r, l)
			}
		}
	}
}

// withoutColours takes out what sets colors, and nothing else.
func withoutColours(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
		if end < 0 || rest[end] != 'm' {
			b.WriteString("\x1b[")
			s = rest
			continue
		}
		s = rest[end+1:]
	}
}

// selected is the drawn line of the selected row, without the sign before it; "" for none.
func (d *driver) selected() string {
	for _, l := range strings.Split(d.screen(), "\n") {
		if _, rest, ok := strings.Cut(l, "▸"); ok {
			rest, _, _ = strings.Cut(rest, "│")
			return strings.TrimSpace(strings.TrimRight(rest, " ┃"))
		}
	}
	return ""
}

// at is the place that the footer names.
func (d *driver) at() string { return d.top().Screen.(kit.Placed).Place() }

// rows are the rows of the table on top as they are copied, cells between tabs: the cursor goes over all of them.
func (d *driver) rows() (all []string) {
	d.t.Helper()
	for before := ""; ; d.press("j") {
		if len(all) == 0 {
			d.press("g")
		}
		if before == d.screen() {
			return all
		}
		before = d.screen()
		for _, c := range d.copyables() {
			if c.Label == "row" {
				text, _, err := c.Text(d.t.Context())
				if err != nil {
					d.t.Fatal(err)
				}
				all = append(all, text)
			}
		}
		if len(all) == 0 {
			return nil
		}
	}
}
