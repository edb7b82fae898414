package phrase

import (
	"math"
	"strings"

	"tidemark/checkpoint/source"
)

// Amount writes how much a range holds, for a cell: "150 records", "≤ 150 records" if some of it may be less,
// "nothing new", and "–" if it is unknown.
func Amount(r source.Range) string {
	if r.Counted && r.Count == 0 {
		return "nothing new"
	}
	var s Sum
	s.Add(r)
	if text := s.Short(); text != "" {
		return text
	}
	return "–"
}

// Total writes how much ranges hold together; "" where none of them can be counted.
func Total(ranges []source.Range) string {
	var s Sum
	for _, r := range ranges {
		s.Add(r)
	}
	text := s.String()
	switch {
	case text == "":
		return ""
	case s.holes:
		return text + " in all, without ranges that cannot be counted"
	}
	return text + " in all"
}

// Ends writes the two ends of a range; "–" for one that is not recorded.
func Ends(r source.Range) (from, to string) {
	return PositionOr(r.From, "–"), PositionOr(r.To, "–")
}

// PositionOr writes a position as it is recorded, made harmless; none where it is not known.
func PositionOr(p *source.Position, none string) string {
	if p == nil {
		return none
	}
	return Printable(p.Text)
}

// Sum adds up what ranges hold, unit by unit. Its zero value is ready.
type Sum struct {
	units []string // in the order in which they came
	sums  map[string]int64
	upper bool // some of it may be less
	holes bool // some of it cannot be counted
}

// Add takes in one range.
func (s *Sum) Add(r source.Range) {
	old, known := s.sums[r.Unit]
	if !r.Counted || old > math.MaxInt64-r.Count {
		s.holes = true
		return
	}
	if s.sums == nil {
		s.sums = map[string]int64{}
	}
	if !known {
		s.units = append(s.units, r.Unit)
	}
	s.sums[r.Unit] = old + r.Count
	s.upper = s.upper || r.CountIs == "at most" && r.Count != 0
}

// String is for sentences: "at most 252 records and 3 log entries"; "" where nothing could be counted.
func (s *Sum) String() string { return s.text("at most ") }

// Short is for cells: "≤ 252 records", and "+ ?" behind where some cannot be counted.
func (s *Sum) Short() string {
	text := s.text("≤ ")
	if s.holes && text != "" {
		text += " + ?"
	}
	return text
}

func (s *Sum) text(upper string) string {
	all := make([]string, len(s.units))
	for i, unit := range s.units {
		all[i] = Units(s.sums[unit], unit)
	}
	text := strings.Join(all, " and ")
	if s.upper {
		text = upper + text
	}
	return text
}
