package checkpoint

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"tidemark/internal/testfiles"
)

// TestFind: level by level, not into a checkpoint, no further than it may, and saying so.
func TestFind(t *testing.T) {
	t.Parallel()
	store := testfiles.Tree(map[string]string{
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

// TestFindInArchives: an archive is a folder, whatever lies beside what it holds; what Spark itself packs is none.
func TestFindInArchives(t *testing.T) {
	t.Parallel()
	zipped := func(names ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, name := range names {
			f, err := w.Create(name)
			if err == nil {
				_, err = f.Write([]byte(`{"id":"` + name + `"}`))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	store := testfiles.Tree(map[string]string{
		"one.zip":     zipped("README", "backup/cp/metadata", "backup/cp/offsets/0", "__MACOSX/cp/metadata", "__MACOSX/cp/offsets/0"),
		"two.zip":     zipped("x/metadata", "x/offsets/0", "y/deep/metadata", "y/deep/offsets/0", "in.zip"),
		"none.zip":    zipped("README"),
		"torn.tar.gz": "no archive",
		"long.zip":    strings.Repeat("x", 5000),
		"0/7.zip":     zipped("metadata", "offsets/0"),
		"0/7_ab.zip":  zipped("metadata", "offsets/0"),
	})
	var got, long []string
	for f, err := range Find(t.Context(), store, Search{Depth: 8, Archive: 4000, Large: &long}) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Err != nil:
			got = append(got, f.Dir+"?")
		case f.IsCheckpoint:
			id := f.QueryID(t.Context())
			again, err := f.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if c, err := Open(t.Context(), again); err != nil || c.Offsets.Last() != 0 || again.String() != f.Store.String() {
				t.Errorf("%s, opened later: %v, %v", f.Dir, again, err)
			}
			got = append(got, f.Dir+"="+id)
		}
	}
	if want := "one.zip=backup/cp/metadata torn.tar.gz? two.zip/x=x/metadata two.zip/y/deep=y/deep/metadata"; strings.Join(got, " ") != want || strings.Join(long, " ") != "long.zip" {
		t.Errorf("%s; long %s; want %s", got, long, want)
	}
}

// TestFindStops: a cancel ends it with an error, and so does who has seen enough without one.
func TestFindStops(t *testing.T) {
	t.Parallel()
	store := testfiles.Tree(map[string]string{"a/x": "", "b/x": ""})
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
