package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

func TestNextWorstGoesThroughTheWorstOnly(t *testing.T) {
	events := everything(t, tree())
	second := *events[5].Finding
	second.Batch = 3
	events = append(events[:6:6], append([]checks.Event{{Finding: &second}}, events[6:]...)...)
	d := drive(t, openTree(tree()), events, 120, 40)
	d.run(d.Init())
	for _, batch := range []int64{3, 5, 3} {
		d.press("!")
		if x := strings.Fields(d.selected()); len(x) < 4 || x[1] != "critical" || x[3] != fmt.Sprint(batch) {
			t.Fatalf("selected %q, want the critical finding of batch %d", x, batch)
		}
	}
	if d.crumbs() != "overview › findings" {
		t.Errorf("crumbs %q", d.crumbs())
	}
}

func TestSelectionStaysWhenFindingsArriveAboveIt(t *testing.T) {
	events := everything(t, tree())
	d := drive(t, openTree(tree()), nil, 120, 40)
	d.hold = true
	d.run(d.Init())
	d.send(opened{to: d.reading.ID, cp: mustOpen(t, tree())})
	more := func() tea.Msg { return nil }
	d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: events[:5], Next: more}) // uncommitted-batch, log-malformed
	d.press("F", "j")
	if x := d.selected(); !strings.Contains(x, "uncommitted-batch") {
		t.Fatalf("selected %s", x)
	}
	d.send(kit.Chunk[checks.Event]{To: d.reading.ID, Items: events[5:6], Next: more}) // offset-gap, worse
	if x := d.selected(); !strings.Contains(x, "uncommitted-batch") {
		t.Errorf("the selection went to %s when another finding arrived", x)
	}
	d.shows("so far", "… so far")
}

func TestFindingsSort(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("F", "j") // on log-malformed, batch 8
	order := func() string {
		var rows []string
		for _, l := range strings.Split(d.screen(), "\n") {
			for _, code := range []string{"offset-gap", "log-malformed", "uncommitted-batch", "sink-ahead"} {
				if !strings.Contains(l, "──") && strings.Contains(l[:min(len(l), 40)], " "+code+" ") {
					rows = append(rows, code)
				}
			}
		}
		return strings.Join(rows, " ")
	}
	for _, want := range []string{
		"offset-gap log-malformed uncommitted-batch sink-ahead", "log-malformed offset-gap uncommitted-batch sink-ahead",
		"uncommitted-batch log-malformed offset-gap sink-ahead", "offset-gap log-malformed uncommitted-batch sink-ahead", "offset-gap log-malformed uncommitted-batch sink-ahead",
	} {
		if got := order(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if x := d.selected(); !strings.Contains(x, "log-malformed") {
			t.Errorf("sorting moves the selection to %s", x)
		}
		d.press("s")
	}
}

// TestWhatDidNotRunIsOneRow: the checks that lack the same thing share a row, which names it, and it is found by each code.
func TestWhatDidNotRunIsOneRow(t *testing.T) {
	events := everything(t, tree())
	more := []checks.Event{{NotRun: &checks.NotRun{Code: "sink-behind", Needs: "--sink"}}, {NotRun: &checks.NotRun{Code: "source-data-gone", Needs: "--kafka, --source or --positions"}},
		{NotRun: &checks.NotRun{Needs: "state/0/3 could not be listed"}}}
	last := len(events) - 1
	d := drive(t, openTree(tree()), append(append(events[:last:last], more...), events[last]), 120, 40)
	d.run(d.Init())
	d.press("F")
	d.shows("sink-ahead, 1 more", "name the sink", "state/0/3 could not be listed", "3 checks not run")
	if n := strings.Count(d.screen(), "? not run"); n != 3 {
		t.Errorf("%d rows of what did not run, want 3:\n%s", n, d.screen())
	}
	d.press("/", "b", "e", "h", "i", "n", "d", "enter")
	d.shows("sink-ahead, 1 more", "1 of 6")
	d.press("esc")
	d.run(d.command("finding sink-behind"))
	if x := d.selected(); !strings.Contains(x, "sink-ahead, 1 more") {
		t.Errorf("the line of a check that did not run selects %q", x)
	}
	d.shows("2 checks did not run", "sink-behind")
}

// TestStepsOfAFinding: what to do is in steps, and what to avoid is the last line.
func TestStepsOfAFinding(t *testing.T) {
	events := everything(t, tree())
	f := *events[5].Finding
	f.NextStep = "Look for 5 in a backup. Copy the checkpoint first. If it cannot be recovered: roll back to batch 4. The sources must still have batch 5."
	f.Avoid = "Do not write it by hand. Never delete the others."
	events[5].Finding = &f
	for _, w := range []int{80, 120} {
		d := drive(t, openTree(tree()), events, w, 24)
		d.run(d.Init())
		d.press("F")
		d.shows("1 Look for 5 in a backup.", "2 Copy the checkpoint first.", "3 If it cannot be recovered: roll back to batch 4.", "✗ Never write it by hand. Never delete")
	}
}
