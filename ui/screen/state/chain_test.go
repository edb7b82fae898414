package state

import (
	"testing"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

func TestDrawChainKeepsBothEndsAndWhatIsWrong(t *testing.T) {
	var links []link
	for v := int64(110); v <= 120; v++ {
		links = append(links, link{from: v, to: v})
	}
	links[9].bad = "missing"
	for w, want := range map[int]string{
		100: "110 ─ 111 ─ 112 ─ 113 ─ 114 ─ 115 ─ 116 ─ 117 ─ 118 ─ [119 missing] ─ 120",
		60:  "110 ─ 111 ─ 112 ─ 113 ─ 114 ─ … ─ 118 ─ [119 missing] ─ 120",
		40:  "110 ─ … ─ 118 ─ [119 missing] ─ 120",
		33:  "110 ─ … ─ [119 missing] ─ 120",
		28:  "110 ─ … ─ [119 missing] ─ …",
		22:  "… ─ [119 missing] ─ …",
		10:  "… ─ [119 …",
	} {
		if got := drawChain(links, w, widget.Style{}); got != want || phrase.Width(got) > w {
			t.Errorf("%d cells: %s, want %s", w, got, want)
		}
	}
	if got := drawChain([]link{{from: 1, to: 1 << 60, bad: "missing"}}, 80, widget.Style{}); got != "[1…1152921504606846976 missing]" {
		t.Error(got)
	}
}

func TestShortCounts(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 9999: "9,999", 10_000: "10.0k", 99_960: "100k", 999_400: "999k", 999_600: "1.0M", 12_345_678: "12.3M", 1 << 62: "4.6E"} {
		if got := short(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
