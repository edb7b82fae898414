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
