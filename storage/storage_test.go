package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
)

// builder makes a store that holds these files, by name. A name that ends in "/" is an empty folder.
type builder func(t *testing.T, files map[string]string) Store

// oddNames are names that some layer on the way would like to change.
var oddNames = []string{
	"with space", "plus+sign", "a=b", "per%cent", "%41", "%2F", "hash#tag", "what?really", "semi;colon", "amp&and",
	"quote'\"s", "ünï-код-日本", ".hidden", "..data", "...", "-dash", "~", "star*", "a,b", "br[ack]et{s}", "at@home", "_$folder", "(1)", "co:lon", "x!y",
}

// testStore holds a backend to the contract of Store.
func testStore(t *testing.T, build builder) {
	t.Run("a listing is in byte order of name", func(t *testing.T) {
		s := build(t, map[string]string{"d/10": "aa", "d/9": "b", "d/a/1": "", "d/a-1": "", "d/a.x": "", "d/B": "", "d/.9.crc": "crc"})
		want := ".9.crc 10 9 B a/ a-1 a.x"
		if got := listing(t, s, "d"); got != want {
			t.Errorf("listed %s, want %s", got, want)
		}
		for e := range s.List(t.Context(), "d") {
			switch {
			case e.Name == "10" && (e.Size != 2 || e.Dir):
				t.Errorf("10 is %+v, want a file of 2 bytes", e)
			case e.Name == "a" && (!e.Dir || e.Size != 0 || !e.Modified.IsZero()):
				t.Errorf("a is %+v, want a folder without size and time", e)
			}
		}
	})

	t.Run("only what lies directly in a folder is listed", func(t *testing.T) {
		s := build(t, map[string]string{"metadata": "{}", "state/0/1/1.delta": "x", "state/0/12/1.delta": "x", "state-old/1": "x", "offsets/0": "v1"})
		for dir, want := range map[string]string{
			".": "metadata offsets/ state/ state-old/", "state": "0/", "state/0": "1/ 12/", "state/0/1": "1.delta",
		} {
			if got := listing(t, s, dir); got != want {
				t.Errorf("%s: listed %s, want %s", dir, got, want)
			}
		}
	})

	t.Run("a folder that is not there is an empty listing", func(t *testing.T) {
		s := build(t, map[string]string{"offsets/0": "v1"})
		for _, dir := range []string{"commits", "offsets/0", "offsets/0/x", "off", "offsets/1/2/3"} {
			if got := listing(t, s, dir); got != "" {
				t.Errorf("%s: listed %s, want nothing", dir, got)
			}
		}
	})

	t.Run("a file that is not there is fs.ErrNotExist", func(t *testing.T) {
		s := build(t, map[string]string{"offsets/0": "v1"})
		for _, name := range []string{"offsets/1", "commits/0", "offsets", "offsets/0/x", "off"} {
			if got, err := read(t.Context(), s, name, 0, -1); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: read %q with %v, want fs.ErrNotExist", name, got, err)
			}
		}
	})

	t.Run("a malformed name is an error", func(t *testing.T) {
		s := build(t, map[string]string{"a": "x", "d/b": "x"})
		for _, name := range []string{"", "/a", "../a", "d/../a", "d//b", "d/", "./a"} {
			if got, err := read(t.Context(), s, name, 0, -1); err == nil {
				t.Errorf("%q: read %q, want an error", name, got)
			}
			if err := listError(t.Context(), s, name); err == nil {
				t.Errorf("%q: listed without an error", name)
			}
		}
	})

	t.Run("ranges are cut to the file", func(t *testing.T) {
		large := strings.Repeat("0123456789abcdef", 100_000)
		s := build(t, map[string]string{"f": "0123456789", "empty": "", "large": large})
		for _, c := range []struct {
			name           string
			offset, length int64
			want           string
		}{
			{"f", 0, -1, "0123456789"}, {"f", 0, 10, "0123456789"}, {"f", 0, 1000, "0123456789"}, {"f", 0, 1, "0"}, {"f", 3, 4, "3456"},
			{"f", 3, -1, "3456789"}, {"f", 9, 1, "9"}, {"f", 8, 100, "89"}, {"f", 10, -1, ""}, {"f", 10, 1, ""}, {"f", 11, -1, ""},
			{"f", 1 << 40, 5, ""}, {"f", 0, 0, ""}, {"f", 4, 0, ""}, {"f", 5, 1 << 62, "56789"},
			{"empty", 0, -1, ""}, {"empty", 0, 5, ""}, {"empty", 3, 5, ""},
			{"large", 0, -1, large}, {"large", 1_500_000, 16, large[:16]}, {"large", 1_599_999, -1, "f"}, {"large", 5, 200_000, large[5:200_005]},
		} {
			got, err := read(t.Context(), s, c.name, c.offset, c.length)
			if err != nil || got != c.want {
				t.Errorf("%s from %d, %d bytes: %d bytes %.20q with %v, want %d bytes %.20q", c.name, c.offset, c.length, len(got), got, err, len(c.want), c.want)
			}
		}
	})

	t.Run("a file that is longer than the limit is told", func(t *testing.T) {
		s := build(t, map[string]string{"f": "0123456789"})
		if got, err := ReadFile(t.Context(), s, "f", 10); err != nil || string(got) != "0123456789" {
			t.Errorf("limit 10: %q with %v, want the file", got, err)
		}
		got, err := ReadFile(t.Context(), s, "f", 9)
		if _, ok := errors.AsType[*TooLargeError](err); !ok || string(got) != "012345678" {
			t.Errorf("limit 9: %q with %v, want nine bytes and a *TooLargeError", got, err)
		}
	})

	t.Run("random access", func(t *testing.T) {
		s := build(t, map[string]string{"f": "0123456789"})
		r, p := ReaderAt(t.Context(), s, "f"), make([]byte, 4)
		if n, err := r.ReadAt(p, 2); n != 4 || err != nil || string(p) != "2345" {
			t.Errorf("at 2: %d bytes %q with %v", n, p, err)
		}
		if n, err := r.ReadAt(p, 8); n != 2 || !errors.Is(err, io.EOF) || string(p[:n]) != "89" {
			t.Errorf("at 8: %d bytes %q with %v, want two and io.EOF", n, p[:n], err)
		}
		if n, err := r.ReadAt(p, 10); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %d bytes with %v, want none and io.EOF", n, err)
		}
	})

	t.Run("odd names", func(t *testing.T) {
		files := map[string]string{}
		for _, name := range oddNames {
			files["odd/"+name] = "file " + name
			files[name+"/below"] = "below " + name
		}
		s := build(t, files)
		want := slices.Sorted(slices.Values(oddNames))
		if got := strings.Join(want, " "); listing(t, s, "odd") != got {
			t.Errorf("listed  %s\nwant    %s", listing(t, s, "odd"), got)
		}
		for name, want := range files {
			if got, err := read(t.Context(), s, name, 0, -1); err != nil || got != want {
				t.Errorf("%q: read %q with %v, want %q", name, got, err, want)
			}
		}
		for _, name := range oddNames {
			if got := listing(t, s, name); got != "below" {
				t.Errorf("%q: listed %q, want below", name, got)
			}
		}
	})

	t.Run("an empty folder is there", func(t *testing.T) {
		s := build(t, map[string]string{"offsets/": "", "state/0/": "", "metadata": "{}"})
		for dir, want := range map[string]string{".": "metadata offsets/ state/", "offsets": "", "state": "0/", "state/0": ""} {
			if got := listing(t, s, dir); got != want {
				t.Errorf("%s: listed %q, want %q", dir, got, want)
			}
		}
	})

	t.Run("a canceled context ends every call", func(t *testing.T) {
		s := build(t, map[string]string{"d/f": strings.Repeat("x", 1<<20)})
		if got := listing(t, s, "d"); got != "f" { // what is remembered is no answer either
			t.Errorf("listed %s, want f", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 100 { // an answer that comes at the same moment must not win now and then
			if err := listError(ctx, s, "d"); !errors.Is(err, context.Canceled) {
				t.Fatalf("list: %v, want context.Canceled", err)
			}
			if _, err := read(ctx, s, "d/f", 0, -1); !errors.Is(err, context.Canceled) {
				t.Fatalf("open: %v, want context.Canceled", err)
			}
		}
		if got, err := read(t.Context(), s, "d/f", 0, 3); err != nil || got != "xxx" {
			t.Errorf("after a canceled call: %q with %v, want xxx", got, err)
		}
	})

	t.Run("a caller may stop ranging", func(t *testing.T) {
		s := build(t, map[string]string{"d/1": "", "d/2": "", "d/3": ""})
		var got []string
		for e := range s.List(t.Context(), "d") {
			if got = append(got, e.Name); len(got) == 2 {
				break
			}
		}
		if !slices.Equal(got, []string{"1", "2"}) {
			t.Errorf("listed %q, want two", got)
		}
	})

	t.Run("many at once", func(t *testing.T) {
		files := map[string]string{}
		for i := range 40 {
			files[fmt.Sprintf("d/%d", i)] = strings.Repeat(fmt.Sprintf("%02d", i), 1000+i*3000)
		}
		s := build(t, files)
		var wg sync.WaitGroup
		for range 4 {
			for name, want := range files {
				wg.Go(func() {
					if got, err := read(t.Context(), s, name, 0, -1); err != nil || got != want {
						t.Errorf("%s: %d bytes with %v, want %d", name, len(got), err, len(want))
					}
					if got, err := read(t.Context(), s, name, 1001, 6); err != nil || got != want[1001:1007] {
						t.Errorf("%s at 1001: %q with %v, want %q", name, got, err, want[1001:1007])
					}
				})
			}
			wg.Go(func() {
				n := 0
				for _, err := range s.List(t.Context(), "d") {
					if n++; err != nil {
						t.Error(err)
					}
				}
				if n != len(files) {
					t.Errorf("listed %d, want %d", n, len(files))
				}
			})
		}
		wg.Wait()
	})

	t.Run("a part of the store is a store", func(t *testing.T) {
		s := Sub(build(t, map[string]string{"cp/offsets/0": "v1", "cp/metadata": "{}", "other": "x"}), "cp")
		if got := listing(t, s, "."); got != "metadata offsets/" {
			t.Errorf("listed %s", got)
		}
		if got, err := read(t.Context(), s, "offsets/0", 0, -1); err != nil || got != "v1" {
			t.Errorf("read %q with %v", got, err)
		}
		if got, err := read(t.Context(), s, "../other", 0, -1); err == nil {
			t.Errorf("read %q from outside", got)
		}
		if !strings.HasSuffix(s.String(), "/cp") {
			t.Errorf("it is called %q, want …/cp", s)
		}
	})
}

// listing is the names in dir, with a "/" after folders.
func listing(t *testing.T, s Store, dir string) string {
	t.Helper()
	var names []string
	for e, err := range s.List(t.Context(), dir) {
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if e.Dir {
			e.Name += "/"
		}
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

func listError(ctx context.Context, s Store, dir string) error {
	for _, err := range s.List(ctx, dir) {
		if err != nil {
			return err
		}
	}
	return nil
}

func read(ctx context.Context, s Store, name string, offset, length int64) (string, error) {
	rc, err := s.Open(ctx, name, offset, length)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(rc)
	return string(data), errors.Join(err, rc.Close())
}

// TestLocalPaths: where on this machine a location can be, by its scheme alone.
func TestLocalPaths(t *testing.T) {
	for location, want := range map[string][]string{
		"/data/cp":                   {"/data/cp"},
		"cp":                         {"cp"},
		"s3-copy":                    {"s3-copy"},
		"2026-11-29T03:00":           {"2026-11-29T03:00"},
		"c:/data":                    {"c:/data"},
		"file:/data/cp":              {"/data/cp"},
		"FILE:///data/a%20b":         {"/data/a b", "/data/a%20b"},
		"file://localhost/data":      {"/data"},
		"file://elsewhere/data":      nil,
		"dbfs:/cp":                   {"/dbfs/cp"},
		"s3://bucket/cp":             nil,
		"S3A://bucket/cp":            nil,
		"hdfs://namenode:8020/cp":    nil,
		"abfss://container@host/cp/": nil,
	} {
		if got := LocalPaths(location); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", location, got, want)
		}
	}
}
