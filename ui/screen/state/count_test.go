package state

import "testing"

func TestShortCounts(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 9999: "9,999", 10_000: "10.0k", 99_960: "100k", 999_400: "999k", 999_600: "1.0M", 12_345_678: "12.3M", 1 << 62: "4.6E"} {
		if got := short(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
