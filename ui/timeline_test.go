package ui

import (
	"strings"
	"testing"
)

// TestWhatIsMissingStandsInItsPlace: a plan without a file says so in the row of its batch, and
// batches that both logs lack are a row of their own.
func TestWhatIsMissingStandsInItsPlace(t *testing.T) {
	fsys := tree() // lacks batch 5 in both logs
	delete(fsys, "offsets/2")
	for _, id := range []string{"6", "7"} {
		delete(fsys, "offsets/"+id)
		delete(fsys, "commits/"+id)
	}
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		d := drive(t, openTree(fsys), everything(t, fsys), size[0], size[1])
		d.run(d.Init())
		d.press("B")
		d.shows("╌╌╌ 5 … 7 (3 batches) missing: no file in offsets, none in commits ╌╌╌")
		for line := range strings.SplitSeq(d.screen(), "\n") {
			if strings.Contains(line, "missing: offsets/2 is not there") != strings.HasPrefix(line, "      2  ✓ yes") {
				t.Errorf("%d columns: %q", size[0], line)
			}
		}
		d.press("G", "k", "k") // the row selected
		d.shows("▸     2  ✓ yes   ✗ missing: offsets/2 is not there")
	}
}
