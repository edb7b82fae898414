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
				if len(l) > 16 && strings.Contains(l[:min(len(l), 40)], " "+code+" ") {
					rows = append(rows, code)
				}
			}
		}
		return strings.Join(rows, " ")
	}
	for _, want := range []string{
		"offset-gap log-malformed uncommitted-batch sink-ahead", "uncommitted-batch log-malformed offset-gap sink-ahead",
		"log-malformed offset-gap uncommitted-batch sink-ahead", "offset-gap log-malformed uncommitted-batch sink-ahead", "offset-gap log-malformed uncommitted-batch sink-ahead",
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
