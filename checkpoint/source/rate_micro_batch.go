package source

import "tidemark/checkpoint/decode"

// RateMicroBatch is the source rate-micro-batch, which makes up the same number of rows for every
// batch. A line holds the next row, and the time that is given to the batch:
//
//	{"offset":20,"timestamp":1764403201000}
//
// Written by RatePerMicroBatchStreamOffset. sources/<i>/0 holds the first one.
var RateMicroBatch = &Kind{
	Name: "rate-micro-batch",
	Unit: "records",
	Claims: func(line decode.JSON) bool {
		offset, _ := line.Get("offset")
		timestamp, _ := line.Get("timestamp")
		return only(line, "offset", "timestamp") && offset.Kind == decode.Number && timestamp.Kind == decode.Number
	},
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		_, v := r.int("offset", 0)
		return whole(v), r.err()
	},

	Generated: true,
	First:     ReadsUncommitted,
	Described: []string{"RateMicroBatchStream[", "RatePerMicroBatchStream["},
	Volatile:  true,
}
