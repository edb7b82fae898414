package storage

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
)

func TestWithout(t *testing.T) {
	t.Parallel()
	s := Without(FromFS(mapFS(map[string]string{"offsets/1": "one", "offsets/2": "two", "state/0/1.zip": "z", "metadata": "m"}), "cp"), []string{"offsets/2", "state", "none"})
	names := func(dir string) (found []string) {
		for e, err := range s.List(t.Context(), dir) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, e.Name)
		}
		return found
	}
	for dir, want := range map[string][]string{".": {"metadata", "offsets"}, "offsets": {"1"}, "state": nil, "state/0": nil} {
		if got := names(dir); !slices.Equal(got, want) {
			t.Errorf("%s lists %v, want %v", dir, got, want)
		}
	}
	for _, name := range []string{"offsets/2", "state/0/1.zip"} {
		if _, err := s.Open(t.Context(), name, 0, -1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want fs.ErrNotExist", name, err)
		}
	}
	if data, err := ReadFile(t.Context(), s, "offsets/1", 10); err != nil || string(data) != "one" {
		t.Errorf("offsets/1 is %q, %v", data, err)
	}
	if s.String() != "cp" {
		t.Errorf("it is called %q", s.String())
	}
	if len(slices.Collect(func(yield func(Entry) bool) {
		for e := range Pages(t.Context(), s, "offsets", "") {
			if !yield(e) {
				return
			}
		}
	})) != 1 {
		t.Error("Pages shows what is out of the way")
	}
}
