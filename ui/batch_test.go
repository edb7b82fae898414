package ui

import (
	"strings"
	"testing"
)

// TestBatchNamesTheFilesOfAFileSource: the plan names only an entry of the source's log; the screen says which files
// those are, and opens the log at one of them.
func TestBatchNamesTheFilesOfAFileSource(t *testing.T) {
	d := drive(t, archive("file-source"), nil, 120, 40)
	d.run(d.Init())
	d.press("B", "enter")
	d.shows("batch 6", "source 0 reads 2 files, by entry 6 of sources/0", "in-011.json  modified 2026-11-29 14:30:56", "in-012.json  modified 2026-11-29 14:30:56")
	for range 40 {
		if strings.HasPrefix(d.at(), "sources/0/6:2") {
			d.press("enter")
			d.shows("sources/0/6")
			return
		}
		d.press("j")
	}
	t.Error("the cursor finds no file")
}
