package ui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"

	"tidemark/internal/phrase"
	"tidemark/ui/kit"
)

// uneven is a checkpoint of 70 batches with two sources: of orders partition 2 takes nearly all and 0 has
// been idle since batch 50, clicks has 40 partitions that grow evenly.
func uneven() fstest.MapFS {
	fsys := fstest.MapFS{"metadata": tree()["metadata"]}
	for id := range 70 {
		var clicks []string
		for p := range 40 {
			clicks = append(clicks, fmt.Sprintf("%q:%d", fmt.Sprint(p), 7*id))
		}
		plan := fmt.Sprintf("v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":%d,\"conf\":{}}\n{\"orders\":{\"0\":%d,\"1\":%d,\"2\":%d}}\n{\"clicks\":{%s}}",
			now.UnixMilli()+int64(id-70)*60_000, min(10*id, 500), 10*id, 100*id+id*id, strings.Join(clicks, ","))
		fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte(plan)}
		fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{}")}
	}
	return fsys
}

func TestSourcesScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for name, keys := range map[string][]string{"sources-full": {"U"}, "sources-part": {"U", "s", "s", "j"}, "sources-filtered": {"U", "/", "i", "d", "l", "e", "enter"}} {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := drive(t, openTree(uneven()), known(t, tree()), size[0], size[1])
				d.run(d.Init())
				d.press(keys...)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// TestSources: what is idle, what reads more than its share, and where each partition is, as of now and
// as of a batch before.
func TestSources(t *testing.T) {
	d := drive(t, openTree(uneven()), known(t, tree()), 140, 50)
	d.run(d.Init())
	d.press("U")
	d.shows("source 0 (kafka or event-hubs) · 3 partitions", "! 1 idle", "the fullest partition reads 2.9 × the mean", "orders/0 is idle at 500, since batch 51", "████████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁", "evenly spread", "as of batch 69 · over batches 10–69")
	d.press("j")
	d.shows("It is idle, since batch 51", "0 to 10 records per batch")
	for range 25 {
		d.press("left")
	}
	d.shows("as of batch 44")
	if strings.Contains(d.screen(), "is idle") {
		t.Errorf("at batch 44 nothing is idle:\n%s", d.screen())
	}
	d.press("O", "esc", "U")
	d.shows("as of batch 69")
	d.shows("over batches 10–69") // 60 batches
}

// TestSourcesOfManyParts: of 5,000 partitions only those in view are drawn.
func TestSourcesOfManyParts(t *testing.T) {
	cost := func(parts int) float64 {
		fsys := fstest.MapFS{}
		for id := range 3 {
			var all []string
			for p := range parts {
				all = append(all, fmt.Sprintf("\"%d\":%d", p, id*p))
			}
			fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{\"batchTimestampMs\":1700000000000}\n{\"t\":{" + strings.Join(all, ",") + "}}")}
		}
		d := drive(t, openTree(fsys), known(t, tree()), 120, 40)
		d.run(d.Init())
		d.press("U")
		d.shows(phrase.Units(int64(parts), "partitions"))
		return testing.AllocsPerRun(20, func() {
			d.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})
			d.View()
		})
	}
	small, large := cost(60), cost(5000)
	if large > small*1.1+100 {
		t.Errorf("a key and a frame make %.0f allocations with 60 parts and %.0f with 5,000", small, large)
	}
}

// TestSourcesSortByColumn: the head of a column sorts the partitions of each source by it, and once more reverses them.
func TestSourcesSortByColumn(t *testing.T) {
	d := drive(t, openTree(uneven()), known(t, tree()), 140, 50)
	d.run(d.Init())
	d.press("U")
	order := func() string {
		var all []string
		for _, row := range d.rows() {
			if name, _, _ := strings.Cut(row, "\t"); strings.HasPrefix(name, "orders/") {
				all = append(all, name)
			}
		}
		return strings.Join(all, " ")
	}
	for _, want := range []string{"orders/2 orders/1 orders/0", "orders/0 orders/1 orders/2"} {
		d.run(d.tell(d.top(), kit.SortBy{Panel: kit.ListID, Column: 2}))
		if got := order(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
