package kit

import (
	"fmt"
	"math"

	"tidemark/checkpoint/source"
)

// Ranges in words: what a batch reads of each part of each source.

// PartOf names a part of a source as a person would.
func PartOf(index int, part string) string {
	if part == "" {
		return fmt.Sprintf("source %d", index)
	}
	return Safe(part)
}

// Positions are the two ends of a range; "–" for one that is not recorded.
func Positions(r source.Range) (from, to string) {
	from, to = "–", "–"
	if r.From != nil {
		from = Safe(r.From.Text)
	}
	if r.To != nil {
		to = Safe(r.To.Text)
	}
	return from, to
}

// single is how much ranges hold together, where all that can be counted has one unit.
func single(reads [][]source.Range) (n int64, unit string, ok bool) {
	for _, ranges := range reads {
		for _, r := range ranges {
			if !r.Counted || ok && r.Unit != unit || r.Count < 0 || n > math.MaxInt64-r.Count {
				return 0, "", false
			}
			n, unit, ok = n+r.Count, r.Unit, true
		}
	}
	return n, unit, ok
}
