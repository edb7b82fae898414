package checkpoint

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// TestFind: level by level, not into a checkpoint, no further than it may, and saying so.
func TestFind(t *testing.T) {
	t.Parallel()
	store := tree(map[string]string{
		"b/offsets/0": "v1", "b/commits/0": "v1", "b/state/x/offsets/0": "v1", "b/state/x/commits/0": "v1",
		"a/deep/cp/offsets/0": "v1", "a/deep/cp/metadata": "{}", "a/table/_delta_log/0.json": "{}", "readme": "x",
	})
	for _, c := range []struct {
		search Search
		want   string
		left   bool
	}{
		{Search{Depth: 8}, ". a b* a/deep a/table a/deep/cp*", false},
		{Search{Depth: 1}, ". a b*", true},
		{Search{Depth: 8, Folders: 4}, ". a b* a/deep", true},
		{Search{Depth: 8, Folders: 6}, ". a b* a/deep a/table a/deep/cp*", false},
	} {
		var left bool
		c.search.Left = &left
		var got []string
		for f, err := range Find(t.Context(), store, c.search) {
			if err != nil || f.Err != nil {
				t.Fatal(err, f.Err)
			}
			mark := ""
			if f.IsCheckpoint {
				mark = "*"
			}
			got = append(got, f.Dir+mark)
		}
		if strings.Join(got, " ") != c.want || left != c.left {
			t.Errorf("%d deep, %d folders: %v, left %t; want %s, %t", c.search.Depth, c.search.Folders, got, left, c.want, c.left)
		}
	}
}

// TestFindStops: a cancel ends it with an error, and so does who has seen enough without one.
func TestFindStops(t *testing.T) {
	t.Parallel()
	store := tree(map[string]string{"a/x": "", "b/x": ""})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	n := 0
	for _, err := range Find(ctx, store, Search{Depth: 8}) {
		n++
		last = err
		cancel()
	}
	if !errors.Is(last, context.Canceled) || n != 2 {
		t.Errorf("%v after %d folders", last, n)
	}
	for f := range Find(t.Context(), store, Search{Depth: 8}) {
		if f.Dir != "." {
			t.Errorf("it went on to %s", f.Dir)
		}
		break
	}
}
