package checks

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
)

// initialLimit is how many bytes of a source's initial offsets are read.
const initialLimit = 16 << 20

// previous is the plan that the newest one starts from: offsets/L-1, or with asynchronous progress
// tracking the next older one that is there. nil for none, and where it could not be read.
func (s *Start) previous() *log.Plan {
	if s.Before != nil {
		return s.Before.Plan
	}
	if id := planBefore(s.Pass, s.L); id >= 0 && asyncHoles(s.Pass) {
		return s.plan(id)
	}
	return nil
}

// plan is offsets/id, nil where it is not there or could not be read.
func (s *Start) plan(id int64) *log.Plan {
	if id == s.L {
		return s.Last.Plan
	}
	b, err := s.Checkpoint.Batch(s.ctx, id)
	if err != nil {
		return nil
	}
	return b.Plan
}

// startRanges are the positions at which a batch starts that is not planned yet: where plan ends. A
// source without an offset there goes on from the plan before it. For a kind whose line is where its
// own batch starts the next start is not recorded.
func startRanges(plan, before *log.Plan) []Range {
	var all []Range
	for i, o := range plan.InOrder() {
		if before != nil && noOffset(plan, o) {
			o = sourceOf(before, i, o.Name)
		}
		if o.LogsStart() {
			continue
		}
		all = append(all, ranges(i, o, source.Offset{})...)
	}
	return all
}

// batchRanges are what the newest plan reads. A source without an offset in the plan before starts at
// its initial offsets, where it has recorded them.
func (s *Start) batchRanges() []Range {
	before := s.previous()
	var all []Range
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
			from = sourceOf(before, i, to.Name)
		}
		if from.None || s.L == 0 {
			from = s.initial(i, to)
		}
		all = append(all, ranges(i, from, to)...)
	}
	return all
}

func ranges(index int, from, to source.Offset) []Range {
	var all []Range
	for _, r := range source.Ranges(from, to) {
		all = append(all, Range{Source: index, Range: r})
	}
	return all
}

// noOffset reports whether a plan has no offset for a source: a dash, or in version 2 a line without
// the name of a source, which Spark then does not find.
func noOffset(plan *log.Plan, o source.Offset) bool {
	return o.None || plan.Version > 1 && o.Name == ""
}

// sourceOf is one source of a plan: by its name where the plan names sources, else by its position.
func sourceOf(plan *log.Plan, i int, name string) source.Offset {
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

// initial are the positions at which a source first started, from sources/<i>/0: Kafka and Event Hubs
// keep them there, a NUL and a version line before the JSON of an offset line. Other kinds keep other
// things under that name, so it counts only where it has the shape of the plan's own line.
func (s *Start) initial(i int, to source.Offset) source.Offset {
	dir := strconv.Itoa(i)
	if to.Name != "" {
		dir = to.Name
	}
	name := fmt.Sprintf("sources/%s/0", dir)
	for _, d := range s.Survey.Sources {
		if d.Name != "sources/"+dir || d.Find(0) == nil {
			continue
		}
		data, err := s.Read(s.ctx, name, initialLimit)
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
