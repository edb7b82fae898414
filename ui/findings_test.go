package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/checks"
	"tidemark/ui/widget"
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
		x, _ := d.top().screen.(*findings).selected()
		if x == nil || x.Severity != checks.Critical || x.Batch != batch {
			t.Fatalf("selected %+v, want the critical finding of batch %d", x, batch)
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
	d.send(opened{to: d.reading.id, cp: mustOpen(t, tree())})
	more := func() tea.Msg { return nil }
	d.send(page[checks.Event]{to: d.reading.id, items: events[:5], next: more}) // uncommitted-batch, log-malformed
	d.press("F", "j")
	if x, _ := d.top().screen.(*findings).selected(); x.Code != "uncommitted-batch" {
		t.Fatalf("selected %s", x.Code)
	}
	d.send(page[checks.Event]{to: d.reading.id, items: events[5:6], next: more}) // offset-gap, worse
	if x, _ := d.top().screen.(*findings).selected(); x.Code != "uncommitted-batch" {
		t.Errorf("the selection went to %s when another finding arrived", x.Code)
	}
	d.shows("so far", "… so far")
}

func TestFindingsSort(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("F", "j") // on log-malformed, batch 8
	order := func() string {
		x := d.top().screen.(*findings)
		var rows []string
		var r widget.Row
		for i := range x.len() {
			r = widget.Row{Cells: make([]widget.Cell, 4)}
			x.Row(x.table.Order.Row(i), &r)
			rows = append(rows, r.Cells[1].Text)
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
		if x, _ := d.top().screen.(*findings).selected(); x == nil || x.Code != "log-malformed" {
			t.Errorf("sorting moves the selection to %+v", x)
		}
		d.press("s")
	}
}
