package kit

import (
	"fmt"
	"math"

	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
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

// Counted is how much a range holds: "150 records", "– " where that has no meaning.
func Counted(r source.Range) string {
	switch {
	case !r.Counted:
		return "–"
	case r.Count == 0:
		return "nothing new"
	}
	return phrase.Units(r.Count, r.Unit)
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
