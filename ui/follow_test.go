package ui

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/output"
)

// living is a checkpoint in memory that changes between two looks, and a clock that is moved by hand. The
// checks are the real ones.
type living struct {
	*driver
	fsys    fstest.MapFS
	clock   time.Time
	timers  []time.Duration // that were asked for
	opens   int
	whenOn  func() // runs at the next opening, before anything is listed
	checked int    // how often all was examined
}

func live(t *testing.T, fsys fstest.MapFS, w, h int) *living {
	l := &living{fsys: fsys, clock: now}
	o := openTree(fsys)
	o.Open = func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		l.opens++
		if on := l.whenOn; on != nil {
			l.whenOn = nil
			on()
		}
		still := maps.Clone(l.fsys) // what one look lists does not change under it
		return openTree(still).Open(ctx)
	}

	l.driver = drive(t, o, nil, w, h)
	l.Now = func() time.Time { return l.clock }
	l.after = func(d time.Duration, _ tea.Msg) tea.Cmd { l.timers = append(l.timers, d); return nil }
	real := l.examine
	l.examine = func(ctx context.Context, cp *checkpoint.Checkpoint, o examine.Options) iter.Seq[checks.Event] {
		l.checked++
		return real(ctx, cp, o)
	}
	l.run(l.Init())
	return l
}

// wait lets time pass and the timer go off.
func (l *living) wait(d time.Duration) {
	l.clock = l.clock.Add(d)
	l.send(beat{l.follow.turn})
}

// batch plans a batch after the newest one, and commits it where asked.
func (l *living) batch(id int64, commit bool) {
	l.fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{ModTime: l.clock, Data: fmt.Appendf(nil, "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{}}\n{\"orders\":{\"0\":%d}}", l.clock.UnixMilli(), 100*id)}
	if commit {
		l.fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{ModTime: l.clock, Data: []byte("v1\n{\"nextBatchWatermarkMs\":0}")}
	}
}

// quiet is a query of 80 batches, all committed, in which nothing is wrong.
func quiet() fstest.MapFS {
	l := living{fsys: fstest.MapFS{"metadata": tree()["metadata"]}}
	for id := range int64(80) {
		l.clock = now.Add(time.Duration(id-80) * time.Minute)
		l.batch(id, true)
	}
	return l.fsys
}

func TestFollow(t *testing.T) {
	l := live(t, quiet(), 140, 40)
	if len(l.timers) != 0 {
		t.Fatal("there is a timer before anything is followed")
	}
	l.press("B")
	for range 40 {
		l.press("j")
	}
	if at := l.selected(); !strings.HasPrefix(at, "39 ") {
		t.Fatalf("the cursor is at %q", at)
	}
	under := lineWith(l.screen(), "▸")
	l.press("f")
	l.shows("following, reads again in")
	for id := int64(80); id < 85; id++ {
		l.batch(id, true)
		l.wait(longWait)
	}
	if at := l.selected(); !strings.HasPrefix(at, "39 ") {
		t.Errorf("the cursor is at %q", at)
	}
	if at := lineWith(l.screen(), "▸"); at != under {
		t.Errorf("the row under the cursor moved from line %d to line %d", under, at)
	}
	l.press("g")
	if at := l.selected(); !strings.HasPrefix(at, "84 ") {
		t.Errorf("the cursor is at %q", at)
	}
	l.batch(85, false)
	l.wait(longWait)
	l.shows("85  ! no", "84  ✓ yes", "batch 85", "+ 1 new")
	if at := l.selected(); !strings.HasPrefix(at, "84 ") {
		t.Errorf("the cursor is at %q", at)
	}
	l.batch(85, true)
	l.wait(longWait)
	l.shows("85  ✓ yes", "starts batch 86", "- 1 gone")
	l.press("ctrl+c")
	l.shows("stopped following")
	if l.quit || l.follow.on {
		t.Error("ctrl+c does not only end following")
	}
	before := l.opens
	l.wait(longWait)
	if l.opens != before {
		t.Error("it looks again although nothing is followed")
	}
}

func lineWith(screen, sign string) int {
	for i, l := range strings.Split(screen, "\n") {
		if strings.HasPrefix(l, sign) {
			return i
		}
	}
	return -1
}

// TestFollowFindings: a finding that appears is new for one round, one that goes is gone for one round, and the
// cursor stays on the finding that it was on.
func TestFollowFindings(t *testing.T) {
	fsys := quiet()
	fsys["offsets/20"] = &fstest.MapFile{Data: fsys["offsets/20"].Data[:40]}
	l := live(t, fsys, 120, 40)
	l.press("F", "g")
	at := func() string {
		return strings.Fields(strings.Replace(l.selected(), "new: ", "", 1))[2] + " " + l.at()
	}
	chosen := at()
	if !strings.Contains(chosen, "offsets/20") {
		t.Fatalf("the cursor is on %s", chosen)
	}
	l.press("G", "g", "f")
	delete(l.fsys, "offsets/50")
	delete(l.fsys, "commits/50")
	l.wait(longWait)
	l.shows("new: ", "+ ")
	if at() != chosen {
		t.Errorf("the cursor went from %s to %s", chosen, at())
	}
	l.fsys["offsets/50"], l.fsys["commits/50"] = quiet()["offsets/50"], quiet()["commits/50"]
	l.wait(longWait)
	l.shows("· gone", "not found any more")
	if strings.Contains(l.screen(), "new: ") {
		t.Errorf("what was new in the last round is new still:\n%s", l.screen())
	}
	l.batch(80, true)
	l.wait(longWait)
	if strings.Contains(l.screen(), "· gone") {
		t.Errorf("what was gone in the last round is there still:\n%s", l.screen())
	}
}

// TestFollowLooksTwice: what a look finds because it fell into the middle of a change is not shown. Here a
// look sees a commit without its plan: the plans were listed first.
func TestFollowLooksTwice(t *testing.T) {
	l := live(t, quiet(), 120, 40)
	l.press("f")
	l.fsys["commits/80"] = l.fsys["commits/79"]
	opens := l.opens
	l.whenOn = func() { l.whenOn = func() { l.batch(80, true) } } // the second look finds it whole
	l.wait(longWait)
	if l.opens != opens+2 {
		t.Fatalf("a look that found something new was followed by %d more", l.opens-opens-1)
	}
	l.shows("starts batch 81")
	if len(l.Verdict.Findings) != 0 {
		t.Errorf("half of a change is told as damage: %v", l.Verdict.Findings)
	}
	l.fsys["commits/82"] = l.fsys["commits/79"]
	l.wait(longWait)
	if len(l.Verdict.Findings) == 0 {
		t.Error("what both looks find is not told")
	}
}

// TestFollowIsPatient: where nothing changes it looks less often, reads only the listing, and now and then all.
func TestFollowIsPatient(t *testing.T) {
	l := live(t, quiet(), 120, 40)
	l.press("f")
	first := l.checked
	var waits []time.Duration
	for range quietRounds - 2 {
		waits = append(waits, l.follow.wait)
		l.wait(l.follow.wait)
	}
	if l.checked != first {
		t.Errorf("with nothing changed all was examined %d times", l.checked-first)
	}
	if got := fmt.Sprint(waits); got != "[10s 20s 30s 30s]" {
		t.Errorf("it waited %s", got)
	}
	l.wait(longWait)
	if l.checked != first+1 {
		t.Errorf("after %d looks at the listing all was examined %d times, want once", quietRounds, l.checked-first)
	}
	l.batch(80, true)
	l.wait(longWait)
	if l.follow.wait != shortWait {
		t.Errorf("after a change it waits %s", l.follow.wait)
	}
	l.press("f")
	if l.follow.on {
		t.Error("the key again does not end it")
	}
}

// TestFollowSurvivesALostConnection keeps what was known, and says so.
func TestFollowSurvivesALostConnection(t *testing.T) {
	l := live(t, quiet(), 140, 40)
	l.press("f")
	inner := l.Open
	l.Open = func(context.Context) (*checkpoint.Checkpoint, error) { return nil, fmt.Errorf("connection reset") }
	l.wait(longWait)
	l.shows("following, could not read (unreachable)", "starts batch 80")
	l.Open = inner
	l.batch(80, true)
	l.wait(longWait)
	l.shows("starts batch 81", "following, reads again in 5 s")
}

// TestFollowLooks: where there is a way to open that needs fewer requests, every round but none else takes it.
func TestFollowLooks(t *testing.T) {
	l := live(t, quiet(), 140, 40)
	looks, opens := 0, l.opens
	open := l.Open
	l.Poll = func(ctx context.Context) (*checkpoint.Checkpoint, error) {
		looks++
		l.opens--
		return open(ctx)
	}
	l.press("f")
	l.batch(80, true)
	l.wait(longWait)
	l.shows("starts batch 81")
	if looks < 2 || l.opens != opens {
		t.Errorf("two rounds looked %d times and opened it %d times", looks, l.opens-opens)
	}
	l.press("r")
	if l.opens != opens+1 {
		t.Errorf("r opened it %d times", l.opens-opens)
	}
}

// TestFollowAsks: sources and output are asked where the logs have changed, or after some quiet rounds. Until then
// the screens say how old their answer is.
func TestFollowAsks(t *testing.T) {
	l := live(t, quiet(), 140, 40)
	out := &countedOutput{outputUpTo: outputUpTo{79}}
	l.Examine.Sink = out
	l.App.Session.Clock.Now = func() time.Time { return l.clock }
	l.press("r", "f", "W")
	l.shows("in step")
	l.hides("asked")
	first := out.asked
	for range 3 {
		l.wait(l.follow.wait)
	}
	if out.asked != first {
		t.Errorf("with nothing changed the output was asked %d times", out.asked-first)
	}
	l.shows("asked 1 min ago")
	l.press("R")
	l.shows("asked 1 min ago")
	l.press("W")

	l.batch(80, true)
	out.highest = 80
	l.wait(longWait)
	l.shows("in step", "   80  ✓ yes    ✓ yes      ✓ yes")
	l.hides("asked")
	l.batch(81, false)
	asked := out.asked
	l.wait(longWait)
	l.shows("not in the sink", "   81  ✓ yes    ✗ no       ✗ no")
	if n := out.asked - asked; n > 2 {
		t.Errorf("two looks asked the output %d times: its batches are as they are shown", n)
	}
}

// countedOutput is an output that counts how often it is asked.
type countedOutput struct {
	outputUpTo
	asked int
}

func (c *countedOutput) Look(ctx context.Context, q output.Query) (output.Held, error) {
	c.asked++
	return c.outputUpTo.Look(ctx, q)
}

// TestFollowTree keeps folders open and the cursor on its file, or above where that is gone.
func TestFollowTree(t *testing.T) {
	l := live(t, quiet(), 120, 40)
	l.press("T", "j", "j", "enter", "j", "j", "j")
	chosen := l.at()
	l.press("f")
	l.batch(80, true)
	delete(l.fsys, "offsets/0")
	delete(l.fsys, "commits/0")
	l.wait(longWait)
	if got := l.at(); got != chosen || !strings.HasPrefix(chosen, "offsets/") {
		t.Errorf("the cursor went from %q to %q", chosen, got)
	}
	l.press("G", "k")
	delete(l.fsys, chosen)
	l.batch(81, true)
	l.wait(longWait)
	l.press("g")
	l.shows("offsets")
}

// TestFollowFromTheStart: with --follow it begins when the first verdict is there.
func TestFollowFromTheStart(t *testing.T) {
	o := openTree(quiet())
	o.Follow = true
	d := drive(t, o, nil, 120, 40)
	d.run(d.Init())
	d.shows("following, ")
}
