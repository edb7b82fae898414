package ui

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
)

// longTimeline is a timeline of n batches of which nothing has been read yet.
func longTimeline(n int) *App {
	cp := &checkpoint.Checkpoint{Location: "x", Offsets: checkpoint.LogDir{Name: "offsets"}, Commits: checkpoint.LogDir{Name: "commits"}}
	for id := range int64(n) {
		f := checkpoint.LogFile{ID: id, Name: fmt.Sprint(id)}
		cp.Offsets.Files = append(cp.Offsets.Files, f)
		cp.Commits.Files = append(cp.Commits.Files, f)
	}
	a := New(context.Background(), openTree(nil))
	a.Checkpoint = cp
	a.take(tea.WindowSizeMsg{Width: 120, Height: 50})
	a.command("batches")
	return a
}

// BenchmarkKeyAndFrame is a key and a frame on a timeline: its cost must not grow with the batches.
func BenchmarkKeyAndFrame(b *testing.B) {
	for _, n := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := longTimeline(n)
			b.ReportAllocs()
			for b.Loop() {
				a.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
				a.View()
			}
		})
	}
}

func TestKeyAndFrameCostDoesNotGrowWithBatches(t *testing.T) {
	cost := func(n int) float64 {
		a := longTimeline(n)
		return testing.AllocsPerRun(20, func() {
			a.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
			a.View()
		})
	}
	small, large := cost(1_000), cost(200_000)
	if large > small*1.1+100 {
		t.Errorf("a key and a frame make %.0f allocations at 1,000 batches and %.0f at 200,000", small, large)
	}
}

// TestScrubCostDoesNotGrowWithBatches: a step in time on the overview costs what is on the screen.
func TestScrubCostDoesNotGrowWithBatches(t *testing.T) {
	cost := func(n int) float64 {
		a := longTimeline(n)
		a.pop()
		a.Verdict.Known = true
		a.load(a.top())
		return testing.AllocsPerRun(20, func() {
			a.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
			a.View()
		})
	}
	small, large := cost(1_000), cost(100_000)
	if large > small*1.1+100 {
		t.Errorf("a step and a frame make %.0f allocations at 1,000 batches and %.0f at 100,000", small, large)
	}
}

// BenchmarkScreens is a key and a frame on the screens that are looked at most, filled as they mostly are.
func BenchmarkScreens(b *testing.B) {
	long := fstest.MapFS{"metadata": tree()["metadata"]}
	l := living{fsys: long, clock: now}
	for id := range int64(2000) {
		l.batch(id, true)
	}
	for name, fill := range map[string]func() *App{
		"overview": func() *App {
			d := drive(b, openTree(tree()), everything(b, tree()), 120, 50)
			d.run(d.Init())
			return d.App
		},
		"timeline": func() *App {
			d := drive(b, openTree(long), everything(b, tree()), 120, 50)
			d.run(d.Init())
			d.press("B")
			return d.App
		},
		"rows": func() *App {
			return looksAt(b, archive("state-4.3-hdfs-hash-string"), 120, 40, "g", "enter").App
		},
		"state": func() *App { return manyStores(b, 1000) },
	} {
		b.Run(name, func(b *testing.B) {
			a := fill()
			b.ReportAllocs()
			for b.Loop() {
				a.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
				a.View()
			}
		})
	}
}

// BenchmarkFirstFrame is what a person waits for before anything is on the screen.
func BenchmarkFirstFrame(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		a := New(context.Background(), openTree(nil))
		a.Init()
		a.take(tea.WindowSizeMsg{Width: 120, Height: 40})
		a.View()
		a.close()
	}
}
