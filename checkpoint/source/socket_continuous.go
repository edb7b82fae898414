package source

import (
	"strconv"

	"tidemark/checkpoint/decode"
)

// SocketContinuous is the text socket source in continuous processing. A line holds, per partition,
// how many text lines were read:
//
//	[12,9]
//
// Written by TextSocketOffset. Nothing can be read again after a restart.
var SocketContinuous = &Kind{
	Name:    "socket-continuous",
	Aliases: []string{"socket"},
	Unit:    "records",
	Claims: func(line decode.JSON) bool {
		if line.Kind != decode.Array || len(line.Items) == 0 {
			return false
		}
		for _, item := range line.Items {
			if item.Kind != decode.Number {
				return false
			}
		}
		return true
	},
	Parts: func(line decode.JSON) ([]Part, error) {
		r := reader{line: line}
		parts := make([]Part, 0, len(line.Items))
		for i, item := range line.Items {
			name := strconv.Itoa(i)
			r.number(item, "partition "+name, 0)
			if p, ok := position(name, item); ok {
				parts = append(parts, p)
			}
		}
		return parts, r.err()
	},
}
