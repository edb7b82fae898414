package replay

import (
	"strings"
	"testing"
)

// TestBarsShareAScale: pieces keep a cell each, the head is at the right end, and no bar is longer than its column.
func TestBarsShareAScale(t *testing.T) {
	for _, c := range []struct {
		s    stretch
		full int64
		want string
	}{
		{stretch{low: 0, from: 0, oldest: 0, to: 12, head: 24}, 24, strings.Repeat("█", 12) + strings.Repeat("━", 12)},
		{stretch{low: 0, from: 0, oldest: 6, to: 12, head: 24}, 24, "╌╌╌╌╌╌██████" + strings.Repeat("━", 12)},
		{stretch{low: 0, from: 0, oldest: 0, to: 12, head: 24}, 48, strings.Repeat(" ", 12) + "██████━━━━━━"},
		{stretch{low: 100, from: 100, oldest: 101, to: 102, head: 1 << 40}, 1 << 40, "╌█" + strings.Repeat("━", 22)},
		{stretch{low: 5, from: 5, oldest: 5, to: 5, head: 5}, 10, ""},
		{stretch{}, 0, ""},
	} {
		if got := c.s.bar(c.full); got != c.want {
			t.Errorf("%+v of %d: %q, want %q", c.s, c.full, got, c.want)
		}
	}
}
