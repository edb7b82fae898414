package basics

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
)

// initialLimit is how many bytes of a source's initial offsets are read.
const initialLimit = 16 << 20

// Previous is the plan that the newest one starts from: offsets/L-1, or with asynchronous progress
// tracking the next older one that exists. nil for none, and where it could not be read.
func (s *Start) Previous() *log.Plan {
	if s.Before != nil {
		return s.Before.Plan
	}
	if id := PlanBefore(s.Pass, s.L); id >= 0 && AsyncHoles(s.Pass) {
		return s.ReadPlan(id)
	}
	return nil
}

// ReadPlan is offsets/id, nil where it is missing or could not be read.
func (s *Start) ReadPlan(id int64) *log.Plan {
	if id == s.L {
		return s.Last.Plan
	}
	b, err := s.Checkpoint.Batch(s.Ctx, id)
	if err != nil {
		return nil
	}
	return b.Plan
}

// StartRanges are the positions at which a batch starts that is not planned yet: where plan ends. A
// source without an offset there continues from the plan before it. For a kind whose line is where its
// own batch starts the next start is not recorded.
func StartRanges(plan, before *log.Plan) []checks.Range {
	var all []checks.Range
	for i, o := range plan.InOrder() {
		if before != nil && NoOffset(plan, o) {
			o = SourceOf(before, i, o.Name)
		}
		if o.LogsStart() {
			continue
		}
		all = append(all, ranges(i, o, source.Offset{})...)
	}
	return all
}

// BatchRanges are what the newest plan reads. A source without an offset in the plan before starts at
// its initial offsets, where it has recorded them.
func (s *Start) BatchRanges() []checks.Range {
	before := s.Previous()
	var all []checks.Range
	for i, to := range s.Last.Plan.InOrder() {
		if to.None {
			continue
		}
		if to.LogsStart() {
			all = append(all, ranges(i, to, source.Offset{})...)
			continue
		}
		var from source.Offset
		if before != nil {
			from = SourceOf(before, i, to.Name)
		}
		if from.None || s.L == 0 {
			from = s.Initial(i, to)
		}
		all = append(all, ranges(i, from, to)...)
	}
	return all
}

func ranges(index int, from, to source.Offset) []checks.Range {
	var all []checks.Range
	for _, r := range source.Ranges(from, to) {
		all = append(all, checks.Range{Source: index, Range: r})
	}
	return all
}

// NoOffset reports whether a plan has no offset for a source: a dash, or in version 2 a line without
// the name of a source, which Spark then does not find.
func NoOffset(plan *log.Plan, o source.Offset) bool {
	return o.None || plan.Version > 1 && o.Name == ""
}

// SourceOf is one source of a plan: by its name where the plan names sources, else by its position.
func SourceOf(plan *log.Plan, i int, name string) source.Offset {
	all := plan.InOrder()
	for _, o := range all {
		if name != "" && name == o.Name {
			return o
		}
	}
	if i < len(all) && (name == "" || name == strconv.Itoa(i)) && (all[i].Name == "" || all[i].Name == strconv.Itoa(i)) {
		return all[i]
	}
	return source.Offset{None: true}
}

// Initial are the positions at which a source first started, from sources/<i>/0: Kafka and Event Hubs
// keep them there, a NUL and a version line before the JSON of an offset line. Other kinds keep other
// things under that name, so it counts only where it has the shape of the plan's own line.
func (s *Start) Initial(i int, to source.Offset) source.Offset {
	dir := strconv.Itoa(i)
	if to.Name != "" {
		dir = to.Name
	}
	name := fmt.Sprintf("sources/%s/0", dir)
	for _, d := range s.Survey.Sources {
		if d.Name != "sources/"+dir || d.Find(0) == nil {
			continue
		}
		data, err := s.Read(s.Ctx, name, initialLimit)
		if err != nil {
			break
		}
		o := log.ParseInitialOffsets(name, data).Offset
		if o.Problem == nil && len(o.Kinds) > 0 && len(to.Kinds) > 0 && o.Kinds[0] == to.Kinds[0] {
			return o
		}
	}
	return source.Offset{None: true}
}

// RangesBetween is what lies between the ends of two plans; none where one of them is not known.
func RangesBetween(from, to *log.Plan) []checks.Range {
	if from == nil || to == nil {
		return nil
	}
	var all []checks.Range
	for i, end := range to.InOrder() {
		if begin := SourceOf(from, i, end.Name); !end.None && !end.LogsStart() && !begin.None {
			all = append(all, ranges(i, begin, end)...)
		}
	}
	return all
}
