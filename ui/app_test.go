package ui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/storage"
	"tidemark/ui/kit"
)

func TestFirstFrameBeforeAnyReading(t *testing.T) {
	var opens atomic.Int32
	o := openTree(tree())
	inner := o.Open
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) { opens.Add(1); return inner(ctx) }
	d := drive(t, o, nil, 80, 24)
	d.hold = true
	d.run(d.Init())
	d.shows("STILL READING", "s3://lake-prod")
	if opens.Load() != 0 {
		t.Error("the checkpoint was opened before the first frame")
	}
}

func TestKeysGoEverywhereAndBack(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.shows("DO NOT RESTART YET", "Three questions", "offset-gap")
	for _, step := range []struct{ key, crumbs string }{
		{"B", "overview › batches"}, {"enter", "overview › batches › batch 11"}, {"left", "overview › batches › batch 10"}, {"right", "overview › batches › batch 11"},
		{"enter", "overview › batches › batch 11 › offsets/11"}, {"backspace", "overview › batches › batch 11"}, {"h", "overview › batches"},
		{"F", "overview › findings"}, {"B", "overview › batches"}, {"S", "overview › state"}, {"esc", "overview"}, {"T", "overview › tree"}, {"O", "overview"},
		{"1", "overview › question 1"}, {"1", "overview › question 1"}, {"esc", "overview"}, {"esc", "overview"}, {"?", "overview › help"}, {"?", "overview › help"}, {"q", "overview"},
		{"enter", "overview › findings"}, {"h", "overview"},
	} {
		d.press(step.key)
		if got := d.crumbs(); got != step.crumbs {
			t.Fatalf("after %q: %q, want %q", step.key, got, step.crumbs)
		}
	}
	if d.quit {
		t.Fatal("a key that goes back has quit")
	}
	d.press("q")
	if !d.quit {
		t.Error("q on the first screen does not quit")
	}
	d = drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	if d.press("B", "enter", "Q"); !d.quit {
		t.Error("Q does not quit from within a batch")
	}
}

func TestStopKeepsWhatArrivedAndTwiceQuits(t *testing.T) {
	events := everything(t, tree())
	stopped := make(chan struct{})
	o := openTree(tree())
	d := drive(t, o, nil, 80, 24)
	d.examine = func(ctx context.Context, _ *checkpoint.Checkpoint, _ examine.Options) iter.Seq[checks.Event] {
		return func(yield func(checks.Event) bool) {
			for _, e := range events[:5] {
				yield(e)
			}
			<-ctx.Done()
			yield(checks.Event{Done: &checks.Done{Err: ctx.Err()}})
			close(stopped)
		}
	}
	d.hold = true
	d.run(d.Init())
	open := d.late
	d.late = nil
	for _, c := range open {
		for _, msg := range flatten(c) {
			d.send(msg)
		}
	}
	first := firstPage(t, d.late)
	d.late = nil
	d.send(first)
	d.shows("log-malformed", "ctrl+c stop")
	d.press("ctrl+c")
	d.shows("stopped")
	if d.quit {
		t.Fatal("the first ctrl+c quits")
	}
	d.hold = false
	d.run(first.Next)
	<-stopped
	d.shows("DO NOT RESTART YET", "a log file does not parse", "log-malformed")
	if !d.Verdict.Done || d.Verdict.Complete {
		t.Error("a stopped examination is not done, or counts as complete")
	}
	d.press("ctrl+c", "ctrl+c")
	if !d.quit {
		t.Error("ctrl+c twice does not quit")
	}
}

// flatten runs a command and what it is made of.
func flatten(c tea.Cmd) []tea.Msg {
	if c == nil {
		return nil
	}
	msg := c()
	if b, ok := msg.(tea.BatchMsg); ok {
		var out []tea.Msg
		for _, c := range b {
			out = append(out, flatten(c)...)
		}
		return out
	}
	return []tea.Msg{msg}
}

func firstPage(t *testing.T, cmds []tea.Cmd) kit.Chunk[checks.Event] {
	for _, c := range cmds {
		for _, msg := range flatten(c) {
			if p, ok := msg.(kit.Chunk[checks.Event]); ok {
				return p
			}
		}
	}
	t.Fatal("no page of events")
	return kit.Chunk[checks.Event]{}
}

func TestReadAgain(t *testing.T) {
	fsys := tree()
	d := drive(t, openTree(fsys), everything(t, fsys), 120, 40)
	d.run(d.Init())
	d.press("B")
	if at := d.selected(); !strings.HasPrefix(at, "11") || !strings.Contains(at, "no") {
		t.Errorf("batch 11 is shown as %q", at)
	}
	fsys["commits/11"] = &fstest.MapFile{Data: []byte("v1\n{}")}
	d.press("r")
	if at := d.selected(); !strings.HasPrefix(at, "11") || !strings.Contains(at, "✓ yes") {
		t.Errorf("batch 11 is shown as %q after it was committed", at)
	}
	if d.crumbs() != "overview › batches" {
		t.Errorf("reading again leaves the screen: %q", d.crumbs())
	}
}

func TestReadAgainThatFailsKeepsWhatWasThere(t *testing.T) {
	o := openTree(tree())
	inner, fail := o.Open, false
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		if fail {
			return nil, errors.New("connection reset")
		}
		return inner(ctx)
	}
	d := drive(t, o, everything(t, tree()), 120, 40)
	d.run(d.Init())
	fail = true
	d.press("r")
	d.shows("could not be read again", "offset-gap", "DO NOT RESTART YET")
}

func TestPagesForClosedScreensAreDropped(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B")
	d.hold = true
	d.press("enter")
	screen := d.top()
	if len(d.late) == 0 {
		t.Fatal("the batch asks for nothing")
	}
	d.press("esc")
	if screen.Life.Err() == nil {
		t.Error("leaving a screen does not end its reading")
	}
	d.hold = false
	before := strings.Join(screen.View(120, 30), "\n")
	for _, c := range d.late {
		d.run(c)
	}
	if after := strings.Join(screen.View(120, 30), "\n"); after != before {
		t.Errorf("a closed screen took in batches:\n%s", after)
	}
}

func TestOtherKeyboards(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.send(tea.KeyPressMsg{Code: 'и', Text: "И", BaseCode: 'b', ShiftedCode: 'И', Mod: tea.ModShift}) // B on a Russian keyboard
	if d.crumbs() != "overview › batches" {
		t.Errorf("shift and the key B: %q", d.crumbs())
	}
	d.send(tea.KeyPressMsg{Code: 'о', Text: "о", BaseCode: 'j'})
	if at := d.selected(); !strings.HasPrefix(at, "10 ") {
		t.Errorf("the key j moves to %q, want batch 10", at)
	}
}

func TestPanicsCostOnlyWhatTheySpoil(t *testing.T) {
	t.Run("while opening", func(t *testing.T) {
		o := openTree(tree())
		o.Open = func(context.Context) (*checkpoint.Checkpoint, error) { panic("opening") }
		d := drive(t, o, nil, 80, 24)
		d.run(d.Init())
		d.shows("report it: opening")
	})
	t.Run("while examining", func(t *testing.T) {
		d := drive(t, openTree(tree()), nil, 120, 40)
		events := everything(t, tree())
		d.examine = func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event] {
			return func(yield func(checks.Event) bool) {
				for _, e := range events[:4] {
					yield(e)
				}
				panic("examining")
			}
		}
		d.run(d.Init())
		d.shows("uncommitted-batch", "NO VERDICT", "NO VERDICT")
		if d.Verdict.Err == nil || !strings.Contains(d.Verdict.Err.Error(), "examining") {
			t.Errorf("the verdict ends with %v", d.Verdict.Err)
		}
	})
	t.Run("in a screen", func(t *testing.T) {
		d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
		d.run(d.Init())
		d.run(d.push(brokenScreen{d.top().Screen}, nil))
		d.shows("report it: drawing", "DO NOT RESTART YET")
		d.press("x")
		d.shows("report it: a key")
		d.press("q")
		d.shows("Three questions")
	})
	t.Run("in a command", func(t *testing.T) {
		d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
		d.run(kit.Guard(d.top().ID, func() tea.Msg { panic("reading") }))
		d.shows("report it: reading")
	})
}

type brokenScreen struct{ kit.Screen }

func (brokenScreen) Update(msg tea.Msg) (kit.Action, tea.Cmd) { panic("a key") }

func (brokenScreen) View(w, h int) []string { panic("drawing") }

func TestLongCheckpointReadsOnlyWhatIsSeen(t *testing.T) {
	fsys := fstest.MapFS{}
	for id := range 3000 {
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("v1\n{\"batchTimestampMs\":%d}\n{\"orders\":{\"0\":%d}}", 1700000000000+id*1000, id))}
		fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{}")}
	}
	const columns = 60 // of a plot of a long log
	m := &metered{Store: storage.FromFS(fsys, "x")}
	o := openTree(fsys)
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) { return checkpoint.Open(ctx, m) }
	d := drive(t, o, []checks.Event{{Done: &checks.Done{Complete: true}}}, 120, 40)
	d.run(d.Init())
	before := m.offsets.Load()
	d.press("B")
	if n := m.offsets.Load() - before; n == 0 || n > columns+1 {
		t.Errorf("%d batches were read for a plot of %d columns", n, columns)
	}
	before = m.offsets.Load()
	d.press("G")
	d.shows("▸     0", "? → 0")
	if n := m.offsets.Load() - before; n > columns+1 {
		t.Errorf("%d batches were read for a second plot", n)
	}
}

func TestHelpShowsEveryKey(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 60)
	d.run(d.Init())
	for _, from := range []string{"O", "B", "F", "S", "T"} {
		d.press(from)
		own := d.top().Keys()
		d.press("?")
		for _, k := range append(own, d.Everywhere()...) {
			if !strings.Contains(d.screen(), " "+k.Help().Key+" ") {
				t.Errorf("help on %s does not name %s, %s", from, k.Help().Key, k.Help().Desc)
			}
		}
		for _, k := range own {
			if k.Enabled() && !kit.IsMoving(k) && !slices.Contains([]string{"←", "→", "tab", "esc", "> <"}, k.Help().Key) {
				d.shows(k.Help().Desc)
			}
		}
		d.press("esc")
	}
	d.press("?")
	d.shows("No key changes, moves or deletes anything in a checkpoint.")
}

func TestTimesInLocalTime(t *testing.T) {
	old := time.Local
	time.Local = time.FixedZone("X", 2*3600)
	t.Cleanup(func() { time.Local = old })
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B")
	d.shows("13:41:07Z")
	d.press("t")
	d.shows("15:41:07")
}

func TestStartScreenOpensAChoice(t *testing.T) {
	o := openTree(tree())
	d := drive(t, kit.Options{Choices: []kit.Choice{{Label: "a"}, {Label: "b", Location: "./b", Open: o.Open}}}, everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.shows("CHOOSE A CHECKPOINT")
	d.press("B", "1", "!", "r", "j", "enter")
	d.shows("DO NOT RESTART YET", "./b")
	d.press("esc")
	d.shows("CHOOSE A CHECKPOINT")
}

// TestHeaderSaysWhoReads where there is room for it.
func TestHeaderSaysWhoReads(t *testing.T) {
	for width, want := range map[int]bool{80: false, 160: true} {
		o := openTree(tree())
		o.Identity = func(location string) string { return "profile prod, AKIA…WXYZ" }
		d := drive(t, o, everything(t, tree()), width, 30)
		d.run(d.Init())
		head, _, _ := strings.Cut(d.screen(), "\n")
		if got := strings.Contains(head, "identity profile prod, AKIA…WXYZ"); got != want {
			t.Errorf("%d cells: %s", width, head)
		}
		if !strings.Contains(head, "orders-by-shop") {
			t.Errorf("%d cells: the location has given way: %s", width, head)
		}
	}
}
