package report

import (
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
)

// The words and numbers of package phrase under the names that other packages still know them by.

// Printable is phrase.Printable.
func Printable(s string) string { return phrase.Printable(s) }

// Count is phrase.Count.
func Count(n int64) string { return phrase.Count(n) }

// Units is phrase.Units.
func Units(n int64, many string) string { return phrase.Units(n, many) }

// Sentence is phrase.Sentence.
func Sentence(s string) string { return phrase.Sentence(s) }

// Time is phrase.Time.
func Time(ms int64) string { return phrase.Time(ms) }

// TimeOr is phrase.TimeOr.
func TimeOr(ms int64, none string) string { return phrase.TimeOr(ms, none) }

// Sum is phrase.Sum.
type Sum struct{ phrase.Sum }

// Short is phrase.Sum.Short, in plain ASCII where that is asked for.
func (s *Sum) Short(ascii bool) string {
	if ascii {
		return phrase.ASCII(s.Sum.Short())
	}
	return s.Sum.Short()
}

// Amount writes how much a range holds: "150 records", "at most 150 records", "" where nothing tells.
func Amount(r source.Range) string {
	var s phrase.Sum
	s.Add(r)
	return s.String()
}

// Total is phrase.Total.
func Total(ranges []checks.Range) string {
	all := make([]source.Range, len(ranges))
	for i := range ranges {
		all[i] = ranges[i].Range
	}
	return phrase.Total(all)
}
