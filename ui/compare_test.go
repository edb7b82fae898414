package ui

import (
	"fmt"
	"strings"
	"testing"

	"tidemark/ui/kit"
)

func TestCompareScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for name, keys := range map[string][]string{"batches-marked": {"B", "j", " ", "j", "j", "j", "j"},
		"compare": {"B", "j", " ", "j", "j", "j", "j", "="}} {
		for _, size := range [][2]int{{80, 24}, {140, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				d := drive(t, openTree(tree()), everything(t, tree()), size[0], size[1])
				d.run(d.Init())
				d.press(keys...)
				wellFormed(t, d.View().Content, size[0], size[1])
				golden(t, fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]), d.screen())
			})
		}
	}
}

// TestCompare: two marked batches, a marked one and the cursor, or the cursor and the batch before.
func TestCompare(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "j", "=")
	d.shows("Batches › 9 and 10", "between    none", "- 200", "+ 400", "orders/0      2350  → 2500      at most 150 records",
		"1 partition the same")
	d.hides("orders/2")
	d.press("esc", " ")
	d.shows("* 10", "* 10 is marked")
	d.press("G", "=")
	d.shows("Batches 0 and 10", "8 batches, ✗ 1 missing", "→ 2500      at most 1,500 records")
	d.press("esc", "g", " ")
	d.shows("* 10 and 11 are marked", "= compare 10, 11")
	d.press("j", "j", "=")
	d.shows("Batches 10 and 11")
	d.press("esc", "g", " ")
	if s := d.screen(); strings.Count(s, "* ") != 2 || strings.Count(s, "* 10 ") != 2 {
		t.Errorf("marked, want only 10:\n%s", s)
	}
	d.press("j", "j", "j", "j", "j", "j") // the gap
	d.hides("= compare")
	d.press("k", "k", "k", "=") // batch 8 is cut off: what it has is compared, and what is wrong is said
	d.shows("Batches 8 and 10", "! offsets/8")
	fsys := tree()
	delete(fsys, "offsets/10")
	d = drive(t, openTree(fsys), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "=")
	d.shows("Not comparable", "offsets/10 is missing; offsets/ has batches 0 to 11")
	d.hides("Offsets ")
}

// TestCompareSteps: ← and → compare with the batch before and after, and never a batch with itself.
func TestCompareSteps(t *testing.T) {
	d := drive(t, openTree(tree()), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "j", "=")
	for _, step := range []struct{ key, want string }{{"right", "9 and 11"}, {"right", "9 and 11"}, {"left", "9 and 10"},
		{"left", "8 and 9"}} {
		if d.press(step.key); !strings.Contains(d.screen(), "Batches "+step.want) {
			t.Errorf("%s: want batches %s:\n%s", step.key, step.want, d.screen())
		}
	}
	if line := d.top().Screen.(kit.Viewer).Command(); line != "compare 8 9" {
		t.Errorf("its line is %q", line)
	}
	d.press("/", "o", "r", "d", "e", "r", "s", "/", "1", "enter")
	d.shows("filter /orders/1 1 of 3", "only in batch 9")
	d.press("esc", "/", "z", "enter")
	d.shows("Nothing matches")
}
