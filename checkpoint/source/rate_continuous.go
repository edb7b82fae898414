package source

import "tidemark/checkpoint/decode"

// RateContinuous is the rate source in continuous processing. A line holds, per partition, the last
// value that was made up and the time of it, in ms since the epoch:
//
//	{"0":{"value":50,"runTimeMs":1764403200000},"1":{"value":51,"runTimeMs":1764403200000}}
//
// Each partition counts in steps of the number of partitions, and begins one step below its own
// number: partition 0 of 2 begins at -2.
//
// Written by RateStreamOffset.
var RateContinuous = &Kind{
	Name:    "rate-continuous",
	Aliases: []string{"rate"},
	Unit:    "records",
	Claims: func(line decode.JSON) bool {
		if line.Kind != decode.Object || len(line.Fields) == 0 {
			return false
		}
		for _, f := range line.Fields {
			if !isPartition(f.Name) || !has(f.Value, "value", "runTimeMs") {
				return false
			}
		}
		return true
	},
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		steps := int64(len(line.Fields))
		parts := make([]Part, 0, steps)
		for _, f := range line.Fields {
			v, _ := f.Value.Get("value")
			r.number(v, "partition "+f.Name+": value", -steps)
			if p, ok := position(f.Name, v); ok {
				p.Position.Sub = steps // for Count
				parts = append(parts, p)
			}
		}
		return parts, r.err()
	},
	Inclusive: true,
	Count: func(from, to Position) (int64, bool) {
		n, ok := to.Minus(from)
		if !ok || to.Sub == 0 || from.Sub != to.Sub {
			return 0, false
		}
		return n / to.Sub, true
	},

	PartCount: true,
}
