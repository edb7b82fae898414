package kit

import (
	"testing"

	"tidemark/internal/phrase"
	"tidemark/ui/kit/widget"
)

func TestDrawChainKeepsBothEndsAndWhatIsWrong(t *testing.T) {
	var links []Link
	for v := int64(110); v <= 120; v++ {
		links = append(links, Link{From: v, To: v})
	}
	links[9].Bad = Missing
	for w, want := range map[int]string{
		100: "110 ─ 111 ─ 112 ─ 113 ─ 114 ─ 115 ─ 116 ─ 117 ─ 118 ─ [119] ─ 120",
		60:  "110 ─ 111 ─ 112 ─ 113 ─ 114 ─ 115 ─ 116 … 118 ─ [119] ─ 120",
		28:  "110 … 118 ─ [119] ─ 120",
		22:  "110 … [119] ─ 120",
		15:  "110 … [119] …",
		10:  "… [119] …",
		6:   "… [11…",
	} {
		if got := DrawChain(links, w, widget.Style{}); got != want || phrase.Width(got) > w {
			t.Errorf("%d cells: %s, want %s", w, got, want)
		}
	}
	if got := DrawChain([]Link{{From: 1, To: 1 << 60, Bad: Missing}}, 80, widget.Style{}); got != "[1–1152921504606846976]" {
		t.Error(got)
	}
}
