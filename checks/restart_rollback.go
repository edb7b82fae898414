package checks

import (
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/logs"
)

// Rollback is the way back where a start fails over state that cannot be rebuilt: to the newest batch whose
// state every store still has. Nothing here is done; it says what going back would mean.
type Rollback struct {
	Batch   int64    // the newest batch whose state every store still has
	Version int64    // the version that it left, which is Batch+1
	Missing []string // log files that going back needs and that are not there: "commits/8"; it is no way then
	Aside   []string // log files that would have to be out of the way, by their first: "commits/9", "offsets/11"
	Last    int64    // the newest planned batch: those from Batch+1 to it run again
	Given   int64    // the newest committed batch: the sink was given those from Batch+1 to it before
	Ranges  []Range  // what the sources must still hold: from the end of Batch to the end of Last; none where a plan is not there
}

// rollback looks for the way back; nil where there is none, or where state is not what stops the start.
func (s *start) rollback() (*Rollback, error) {
	needed, ok := startVersion(s.Pass)
	if !ok {
		return nil, nil
	}
	version, err := newestEverywhere(s.ctx, s.Pass)
	if err != nil || version <= 0 || version >= needed {
		return nil, err
	}
	b := &Rollback{Batch: version - 1, Version: version, Last: s.L, Given: s.C}
	for _, log := range []struct {
		name string
		dir  *checkpoint.LogDir
	}{{"offsets", &s.Offsets}, {"commits", &s.Commits}} {
		if log.dir.Find(b.Batch) == nil {
			b.Missing = append(b.Missing, fmt.Sprintf("%s/%d", log.name, b.Batch))
		}
	}
	if s.C > b.Batch {
		b.Aside = append(b.Aside, fmt.Sprintf("commits/%d", b.Batch+1))
	}
	if s.L > b.Batch+1 {
		b.Aside = append(b.Aside, fmt.Sprintf("offsets/%d", b.Batch+2)) // the plan of Batch+1 stays: it runs again as planned
	}
	if len(b.Missing) == 0 {
		b.Ranges = rangesBetween(s.plan(b.Batch), s.Last.Plan)
	}
	return b, nil
}

// rangesBetween is what lies between the ends of two plans; none where one of them is not known.
func rangesBetween(from, to *logs.Plan) []Range {
	if from == nil || to == nil {
		return nil
	}
	var all []Range
	for i, end := range inPlanOrder(to) {
		if begin := sourceOf(from, i, end.Name); !end.None && !end.LogsStart() && !begin.None {
			all = append(all, ranges(i, begin, end)...)
		}
	}
	return all
}
