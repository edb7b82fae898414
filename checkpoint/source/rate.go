package source

import "tidemark/checkpoint/decode"

// Rate is the rate source in micro-batches, which makes up rows at a given speed. A line is how many
// seconds have passed since the source was made:
//
//	37
//
// How many rows that is depends on options that no file records. sources/<i>/0 holds the time of
// making, in ms since the epoch, after a version line: a file of that form tells this source from the
// others that write a bare integer.
//
// Written by RateStreamMicroBatchStream (LongOffset).
var Rate = &Kind{
	Name:      "rate",
	Unit:      "seconds",
	Claims:    bareInteger,
	Parts:     bareParts,
	Generated: true,
	OnGarbled: notANumber,
	Described: []string{"RateStreamV2[", "RateStreamSource["},
	Volatile:  true,
}

// notANumber is how LongOffset refuses a line that is no number.
const notANumber = "NumberFormatException"

// bareInteger is the shape that rate, socket, memory, MQTT and the oldest file source share.
func bareInteger(line decode.JSON) bool { return line.Kind == decode.Number }

// bareParts reads that shape. -1 is "nothing yet" for all of them that have such a thing.
func bareParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	r.number(line, "position", -1)
	return whole(line), r.err()
}
