package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/ui/kit"
)

// click clicks where a text stands on the screen.
func (d *driver) click(text string) {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			d.send(tea.MouseClickMsg{X: len([]rune(before)), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	d.t.Fatalf("%q is not on the screen:\n%s", text, d.screen())
}

// TestTabsNameThePlace holds that the active tab names the place however it was come to, and that a click on a tab opens it.
func TestTabsNameThePlace(t *testing.T) {
	for _, w := range []int{60, 80, 120} {
		d := drive(t, openTree(tree()), everything(t, tree()), w, 24)
		d.run(d.Init())
		d.press("M", "B", "enter")
		if tabs := strings.Split(d.screen(), "\n")[1]; !strings.Contains(tabs, " 11 ") {
			t.Errorf("%d cells: the tabs do not name batch 11: %q", w, tabs)
		}
		d.press("S", "T", "F", "D", "U", "R", "W")
		if d.crumbs() != "overview › output" {
			t.Fatalf("capital letters stack screens: %q", d.crumbs())
		}
		if tabs := strings.Split(d.screen(), "\n")[1]; !strings.Contains(tabs, "Writes") {
			t.Errorf("%d cells: the tabs do not name the writes: %q", w, tabs)
		}
		d.press("F")
		d.click("State")
		if d.crumbs() != "overview › state" {
			t.Errorf("%d cells: a click on a tab opens %q", w, d.crumbs())
		}
	}
}

// TestATabComesBackAsItWasLeft: its cursor stays where it was.
func TestATabComesBackAsItWasLeft(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "j", "j")
	at := d.selected()
	d.press("F", "B")
	if got := d.selected(); got != at || d.crumbs() != "overview › batches" {
		t.Errorf("%s is at %q, and was left at %q", d.crumbs(), got, at)
	}
	d.press("esc")
	if d.crumbs() != "overview" {
		t.Errorf("esc leads to %q", d.crumbs())
	}
	d.press("esc")
	if d.crumbs() != "overview" {
		t.Errorf("esc on the overview leads to %q", d.crumbs())
	}
	d.press("B")
	if got := d.selected(); got != at {
		t.Errorf("after esc the tab is at %q, and was left at %q", got, at)
	}
}

func TestMouse(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
		d.run(d.Init())
		d.press("B")
		if d.View().MouseMode != tea.MouseModeNone {
			t.Fatal("mouse on before it is asked for")
		}
		d.click("! no")
		if d.crumbs() != "overview › batches" {
			t.Errorf("a click does something while the mouse is off: %s", d.crumbs())
		}
		d.press("M")
		d.shows("mouse on")
		if d.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is not taken from the terminal")
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		if at := d.selected(); !strings.HasPrefix(at, fmt.Sprint(11-wheelRows)) {
			t.Errorf("the wheel moves to %q, want %d rows down", at, wheelRows)
		}
		d.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
		d.click("    8  ")
		if at := d.selected(); !strings.HasPrefix(at, "8 ") {
			t.Errorf("a click selects %q", at)
		}
		d.click("    8  ")
		if d.crumbs() != "overview › batches › batch 8" {
			t.Errorf("a second click does not open: %s", d.crumbs())
		}
		d.press("esc")
		d.send(tea.MouseClickMsg{X: 3, Y: 0, Button: tea.MouseLeft})
		d.send(tea.MouseClickMsg{X: 1000, Y: 1000, Button: tea.MouseLeft})
		d.press("M")
		if d.View().MouseMode != tea.MouseModeNone {
			t.Error("M does not give the mouse back")
		}
	}
}

// settle runs the commands in the order in which they were asked for, until none is left.
func (d *driver) settle() {
	for len(d.late) > 0 {
		cmd := d.late[0]
		d.late = d.late[1:]
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.send(msg)
		}
	}
}

// TestIdleIsQuiet holds that nothing happens by itself once all is read: the explorer asks for no message
// any more, so that it costs nothing and writes nothing. Time is virtual here.
func TestIdleIsQuiet(t *testing.T) {
	for _, still := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			o := openTree(tree())
			o.Still = still
			d := drive(t, o, everything(t, tree()), 120, 40)
			d.ticking = false // the clock of the program is on
			ticks := 0
			d.Traffic = func() kit.Traffic { ticks++; return kit.Traffic{Requests: 1} }
			d.hold = true
			d.run(d.Init())
			d.settle()
			for _, key := range []string{"B", "enter", "esc", "S", "F", "T", "D", "O"} {
				d.press(key)
				d.settle()
			}
			if d.busy() || d.ticking {
				t.Errorf("still %t: it goes on: busy %t, ticking %t", still, d.busy(), d.ticking)
			}
			drawn := ticks
			time.Sleep(time.Hour)
			if ticks != drawn {
				t.Errorf("it drew %d times while nobody did anything", ticks-drawn)
			}
		})
	}
}

// TestStillCountsSeldom counts what is drawn while a reading goes on for a minute.
func TestStillCountsSeldom(t *testing.T) {
	for _, c := range []struct {
		still    bool
		from, to int // ticks in a minute
	}{{false, 190, 210}, {true, 25, 31}} {
		synctest.Test(t, func(t *testing.T) {
			o := openTree(tree())
			o.Still = c.still
			d := drive(t, o, nil, 120, 40)
			d.Opening = true // for ever
			d.ticking = false
			ticks := 0
			for began := time.Now(); time.Since(began) < time.Minute; ticks++ {
				_, cmd := d.Update(tick{})
				cmd()
			}
			if ticks < c.from || ticks > c.to {
				t.Errorf("still %t: %d ticks in a minute, want %d to %d", c.still, ticks, c.from, c.to)
			}
		})
	}
}

func TestFooterTellsWhatIsRead(t *testing.T) {
	d := drive(t, openTree(tree()), nil, 140, 40)
	clock := now
	d.Now = func() time.Time { return clock }
	d.Traffic = func() kit.Traffic { return kit.Traffic{Listed: 1204, Requests: 42, Bytes: 1_300_000} }
	d.hold = true
	d.run(d.Init())
	clock = clock.Add(3 * time.Second)
	d.shows("42 requests  1.3 MB", "3 s", "ctrl+c stop")
	d.hold = false
	d.send(opened{to: d.reading.ID, cp: mustOpen(t, tree())})
	d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: everything(t, tree())})
	if s := d.screen(); strings.Contains(s, "42 requests") || strings.Contains(s, " 3 s") || strings.Contains(s, "ctrl+c stop") {
		t.Errorf("the footer names requests and ctrl+c after the reading ended:\n%s", s)
	}
}

// TestClickOnAFindingOfTheOverview selects it though no key has moved the cursor yet, and opens it by a second click.
func TestClickOnAFindingOfTheOverview(t *testing.T) {
	for _, size := range [][2]int{{110, 36}, {120, 40}} {
		d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
		d.run(d.Init())
		d.press("M")
		d.click("log-malformed")
		if got := d.selected(); !strings.Contains(got, "log-malformed") {
			t.Errorf("%v: the click selects %q:\n%s", size, got, d.screen())
		}
		for range 2 { // in the list: the panel above it names the code, too
			lines := strings.Split(d.screen(), "\n")
			for y := len(lines) - 1; y >= 0; y-- {
				if strings.Contains(lines[y], "offset-gap") {
					d.send(tea.MouseClickMsg{X: 6, Y: y, Button: tea.MouseLeft})
					break
				}
			}
			if got := d.selected(); !strings.Contains(got, "offset-gap") {
				t.Errorf("%v: the click selects %q", size, got)
			}
		}
		if got := d.selected(); d.crumbs() != "overview › findings" || !strings.Contains(got, "offset-gap") {
			t.Errorf("%v: a second click opens %s at %q", size, d.crumbs(), got)
		}
	}
}

// TestClicksGoWhereRowsAreDrawn clicks on every line of every screen: where a row is selected by it, that row is on the
// line, and what is selected by the wheel is in sight.
func TestClicksGoWhereRowsAreDrawn(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		for _, line := range []string{"batches", "batch 11", "findings", "state", "rows 0", "drift", "sources", "replay", "output", "tree", "text offsets/11", "bytes offsets/11", "file offsets/11"} {
			d := drive(t, openTree(stateful()), everything(t, tree()), size[0], size[1])
			d.examine = examine.Examine
			d.run(d.Init())
			d.press("M")
			d.run(d.command(line))
			at, clicked := d.crumbs(), 0
			for y := range size[1] {
				lines := strings.Split(d.screen(), "\n")
				if y < d.bodyTop() || y >= len(lines) || onSelected(lines, y, line) {
					continue // the selected row would be opened
				}
				if strings.Contains(lines[y-1], "─╮") || !strings.HasPrefix(lines[y], "│") {
					continue // the heads of columns, which sort; edges and folded panels, which give a panel the keys
				}
				before, was := d.screen(), d.selected()
				d.send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
				if d.crumbs() != at {
					t.Fatalf("%s: a click on line %d of a row that is not selected leads to %s:\n%s", line, y, d.crumbs(), before)
				}
				after := strings.Split(d.screen(), "\n")
				if line == "batch 11" { // its panels unfold where they are clicked
					clicked++
					continue
				}
				if d.selected() != was {
					if !onSelected(after, y, line) {
						t.Errorf("%s: a click on line %d selects another row:\n%s\n%s", line, y, before, d.screen())
					}
					clicked++
				}
			}
			if rows := len(d.rows()); clicked == 0 && rows > 1 {
				t.Errorf("%s, %v: no click selects a row:\n%s", line, size, d.screen())
			}
		}
	}
}

// onSelected reports whether a line is one of the selected row: replay has rows of several lines.
func onSelected(lines []string, y int, screen string) bool {
	first := y
	if screen == "replay" {
		first = y - 2
	}
	for ; first <= y; first++ {
		if first >= 0 && strings.HasPrefix(strings.TrimLeft(lines[first], " │"), "▸") {
			return true
		}
	}
	return false
}

// TestWheelMovesWithoutKeys: the wheel moves on screens that have no rows to select, too.
func TestWheelMovesWithoutKeys(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 80, 24)
	d.run(d.Init())
	d.press("M", "?")
	before := d.screen()
	over := tea.MouseWheelMsg{X: 50, Y: 10, Button: tea.MouseWheelDown}
	d.send(over)
	if d.screen() == before {
		t.Errorf("the wheel does not scroll:\n%s", d.screen())
	}
	over.Button = tea.MouseWheelUp
	d.send(over)
	if got := d.screen(); got != before {
		t.Errorf("the wheel does not scroll back:\n%s\nwant\n%s", got, before)
	}
}
