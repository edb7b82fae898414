package ui

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checks"
)

// Ranges in words: what a batch reads of each part of each source.

// partName names a part of a source as a person would.
func partName(r *checks.Range) string { return partOf(r.Source, r.Part) }

func partOf(index int, part string) string {
	if part == "" {
		return fmt.Sprintf("source %d", index)
	}
	return safe(part)
}

// positions are the two ends of a range; "–" for one that is not recorded.
func positions(r source.Range) (from, to string) {
	from, to = "–", "–"
	if r.From != nil {
		from = safe(r.From.Text)
	}
	if r.To != nil {
		to = safe(r.To.Text)
	}
	return from, to
}

// counted is how much a range holds: "150 records", "– " where that has no meaning.
func counted(r source.Range) string {
	switch {
	case !r.Counted:
		return "–"
	case r.Count == 0:
		return "nothing new"
	case r.Unit == "":
		return count(r.Count)
	case r.Count == 1:
		return "1 " + strings.TrimSuffix(r.Unit, "s")
	}
	return count(r.Count) + " " + r.Unit
}

// amount adds up ranges unit by unit.
type amount struct {
	units  []string
	sums   []int64
	atMost bool // some of it may be less
	holes  bool // some parts cannot be counted
}

func (a *amount) add(r source.Range) {
	if !r.Counted {
		a.holes = true
		return
	}
	a.atMost = a.atMost || r.CountIs == "at most" && r.Count != 0
	i := slices.Index(a.units, r.Unit)
	if i < 0 {
		a.units, a.sums, i = append(a.units, r.Unit), append(a.sums, 0), len(a.units)
	}
	a.sums[i] += r.Count
}

func (a *amount) String() string {
	var parts []string
	for i, u := range a.units {
		parts = append(parts, strings.TrimSpace(count(a.sums[i])+" "+u))
	}
	return strings.Join(parts, " + ")
}

// total is what the restart reads in all.
func total(ranges []checks.Range) string {
	var a amount
	for i := range ranges {
		a.add(ranges[i].Range)
	}
	if len(a.units) == 0 {
		return ""
	}
	out := a.String()
	if a.atMost {
		out = "at most " + out
	}
	if a.holes {
		return out + ", and parts that cannot be counted"
	}
	return out + " in all"
}

// reads is what one batch reads of its sources, paired by name where they have one, else by place in
// the plan. before and after are its neighbours; nil where they are not there. Most kinds log where a
// batch ends, so that it starts where the one before ended; others log where it starts.
func reads(before, b, after *checkpoint.Batch) [][]source.Range {
	if b == nil || b.Plan == nil {
		return nil
	}
	out := make([][]source.Range, len(b.Plan.Sources))
	for i, o := range b.Plan.Sources {
		if o.LogsStart() {
			out[i] = source.Ranges(o, sameSource(after, b.ID+1, o, i))
		} else {
			out[i] = source.Ranges(sameSource(before, b.ID-1, o, i), o)
		}
	}
	return out
}

// sameSource is the line of the source o in batch id; None where that is not known.
func sameSource(b *checkpoint.Batch, id int64, o source.Offset, i int) source.Offset {
	none := source.Offset{None: true}
	if b == nil || b.Plan == nil || b.ID != id {
		return none
	}
	if o.Name != "" {
		for _, p := range b.Plan.Sources {
			if p.Name == o.Name {
				return p
			}
		}
		return none
	}
	if i < len(b.Plan.Sources) {
		return b.Plan.Sources[i]
	}
	return none
}
