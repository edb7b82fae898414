package page

import "testing"

func TestDifferenceIsWhatTwoTextsDoNotShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b        string
		first, last int
	}{
		{"", "", 0, 0}, {"abc", "abc", 3, 0}, {"a STRING, b INT", "a STRING", 8, 0}, {"x INT, y INT", "x INT, z INT", 7, 4}, {"aa", "a", 1, 0}, {"é1", "é2", 1, 0},
	} {
		if first, last := alike(c.a, c.b); first != c.first || last != c.last {
			t.Errorf("%q and %q: %d and %d, want %d and %d", c.a, c.b, first, last, c.first, c.last)
		}
	}
}
