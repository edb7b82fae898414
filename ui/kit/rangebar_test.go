package kit

import (
	"strings"
	"testing"

	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

func at(n int64, text string) *source.Position {
	return &source.Position{Text: text, Num: n}
}

// TestRangeBars: a bar is exactly as wide as its column, each of its pieces has a cell, and its positions are where they join.
func TestRangeBars(t *testing.T) {
	theme := newTheme(Options{NoColor: true})
	v := &checks.Verdict{}
	v.Batches.LastCommitted = 3
	k := &checks.KeptSource{}
	again := &checks.Range{Range: source.Range{From: at(100, "100"), To: at(1000, "1000"), Count: 900, Counted: true, Unit: "records"}}
	for name, c := range map[string]struct {
		k     *checks.KeptSource
		part  checks.KeptPart
		kinds string
		ends  string
	}{
		"complete": {k, checks.KeptPart{From: at(100, "100"), To: at(1000, "1000"), Latest: at(5000, "5000"), State: checks.Complete}, "━█╌", "100 1000 5000"},
		"the beginning is gone": {k, checks.KeptPart{From: at(100, "100"), To: at(1000, "1000"), Earliest: at(400, "400"), Latest: at(5000, "5000"), State: checks.PartlyGone,
			Gone: 300, GoneKnown: true, Left: 600, LeftKnown: true}, "━░█╌", "100 400 1000 5000"},
		"all is gone": {k, checks.KeptPart{From: at(100, "100"), To: at(1000, "1000"), Earliest: at(2000, "2000"), Latest: at(5000, "5000"), State: checks.AllGone,
			Gone: 900, GoneKnown: true}, "━░╌", "100 1000 5000"},
		"not asked":                   {nil, checks.KeptPart{From: at(100, "100"), To: at(1000, "1000"), State: checks.NotJudged}, "━█", "100 1000"},
		"nothing is planned":          {k, checks.KeptPart{From: at(100, "100"), Latest: at(5000, "5000"), State: checks.Complete}, "━╌", "100 5000"},
		"nothing is known of the end": {nil, checks.KeptPart{From: at(100, "100"), State: checks.NotJudged}, "━╌", "100"},
		"nothing new":                 {k, checks.KeptPart{From: at(100, "100"), Latest: at(100, "100"), State: checks.Complete}, "━", "100"},
		"the source ends before":      {k, checks.KeptPart{From: at(100, "100"), Latest: at(30, "30"), State: checks.Beyond}, "━░", "100"},
		"no such part":                {k, checks.KeptPart{From: at(100, "100"), To: at(1000, "1000"), State: checks.NotThere}, "━░", "100 1000"},
	} {
		b := RangeBarOf(v, c.k, &c.part, again)
		for _, w := range []int{10, 44, 100} {
			bar, joints, words := b.Draw(&theme, w)
			bar, joints = Unstyled(bar), Unstyled(joints)
			if phrase.Width(bar) != w || phrase.Width(joints) > w || phrase.Width(words) > w {
				t.Errorf("%s in %d cells: %q %q %q", name, w, bar, joints, words)
			}
			kinds := ""
			for _, r := range bar {
				if !strings.HasSuffix(kinds, string(r)) {
					kinds += string(r)
				}
			}
			if kinds != c.kinds {
				t.Errorf("%s in %d cells: %q, want pieces %q", name, w, bar, c.kinds)
			}
			if got := strings.Join(strings.Fields(joints), " "); w == 100 && got != c.ends {
				t.Errorf("%s: joints %q, want %q", name, got, c.ends)
			}
		}
	}
}

// TestRangeBarsCompareWhatIsGone: what is gone and what is left are to scale with each other.
func TestRangeBarsCompareWhatIsGone(t *testing.T) {
	theme := newTheme(Options{NoColor: true})
	b := RangeBar{Pieces: []RangePiece{{Kind: PieceGone, Size: 400}, {Kind: PieceAgain, Size: 500}}}
	bar, _, _ := b.Draw(&theme, 90)
	if n := strings.Count(bar, "░"); n != 40 {
		t.Errorf("400 of 900 take %d of 90 cells", n)
	}
}
