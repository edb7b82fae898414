package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
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
		d.shows(" 5–7  missing: offsets/5–7 and commits/5–7 ╌╌")
		for line := range strings.SplitSeq(d.screen(), "\n") {
			if strings.Contains(line, "✗ no file in offsets") != strings.HasPrefix(line, "│     2  ✓ yes") {
				t.Errorf("%d columns: %q", size[0], line)
			}
		}
		d.press("G", "k", "k") // the row selected
		d.shows("▸    2  ✓ yes      ✗ no file in offsets")
	}
}

// TestNoWatermark holds that a query without a watermark is told from one whose watermark could not be read.
func TestNoWatermark(t *testing.T) {
	plan := func(metadata string) fstest.MapFS {
		fsys := fstest.MapFS{"metadata": {Data: []byte(`{"id":"1f0c9a2e-5b0c-4a44-9e1d-7c44d1e5a4c2"}`)}}
		for id, end := range []int{10, 25, 40} {
			fsys[fmt.Sprintf("offsets/%d", id)] = &fstest.MapFile{Data: fmt.Appendf(nil, "v1\n%s\n{\"orders\":{\"0\":%d}}", metadata, end)}
			fsys[fmt.Sprintf("commits/%d", id)] = &fstest.MapFile{Data: []byte("v1\n{}")}
		}
		return fsys
	}
	for metadata, words := range map[string]string{
		`{"batchWatermarkMs":0,"batchTimestampMs":1795962609361,"conf":{}}`: "no watermark",
		``: "unknown",
	} {
		fsys := plan(metadata)
		d := drive(t, openTree(fsys), healthy(t, fsys), 120, 40)
		d.run(d.Init())
		d.press("B")
		behind := strings.Trim(regexp.MustCompile(`(?m)^│ behind .*$`).FindString(d.screen()), "│ ")
		if !strings.HasSuffix(behind, "  "+words) {
			t.Errorf("metadata %q: %q, want %q", metadata, behind, words)
		}
	}
}
