package ui

import (
	"fmt"
	"strings"
	"testing"
)

func TestCompareScreens(t *testing.T) {
	t.Setenv("TZ", "UTC")
	for name, keys := range map[string][]string{"batches-marked": {"B", "j", " ", "j", "j", "j", "j"}, "compare": {"B", "j", " ", "j", "j", "j", "j", "="}} {
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
	d.shows("overview › batches › batches 9 and 10", "they follow each other", "SETTINGS", "spark.sql.shuffle.partitions", "200", "400", "batch 10 is ahead by")
	d.press("esc", " ")
	d.shows("* 10", "= compares it with the batch under the cursor")
	d.press("G", "=")
	d.shows("batches 0 and 10", "8 batches between them, ╌ 1 missing", "batch 10 is ahead by at most 1,500 records")
	d.press("esc", "g", " ", "j", "j", "=")
	d.shows("batches 10 and 11")
	d.press("esc", "g", " ")
	if s := d.screen(); strings.Count(s, "* ") != 2 || strings.Count(s, "* 10 ") != 2 {
		t.Errorf("marked, want only 10:\n%s", s)
	}
	d.press("j", "j", "j", "j", "j", "j", "=")
	d.shows("offsets/5 is not there")
	d.press("esc", "k", "k", "k", "=") // batch 8 is cut off: what it has is compared, and what is wrong is said
	d.shows("batches 8 and 10", "! offsets/8")
	fsys := tree()
	delete(fsys, "offsets/10")
	d = drive(t, openTree(fsys), everything(t, tree()), 120, 40)
	d.run(d.Init())
	d.press("B", "=")
	d.shows("THEY CANNOT BE COMPARED", "offsets/10 is missing; offsets/ has batches 0 to 11: the planned input of batch 10 is unknown")
	if strings.Contains(d.screen(), "POSITIONS") {
		t.Error("positions are compared without a plan")
	}
}
