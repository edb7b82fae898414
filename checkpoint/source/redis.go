package source

import (
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Redis is the Redis Streams source of spark-redis. A line holds, per stream, the id of the last
// entry that was read:
//
//	{"offsets":{"sensors":{"groupName":"spark-source","offset":"1764403200000-0"}}}
//
// An id is ms since the epoch and a number within that millisecond. Entries are read through a
// consumer group, which keeps a position of its own in Redis. The option stream.offsets takes the
// line itself.
//
// Written by RedisSourceOffset.
var Redis = &Kind{
	Name: "redis",
	Claims: func(line decode.JSON) bool {
		streams, _ := line.Get("offsets")
		if !only(line, "offsets") || len(streams.Fields) == 0 {
			return false
		}
		for _, f := range streams.Fields {
			if !has(f.Value, "groupName", "offset") {
				return false
			}
		}
		return true
	},
	Parts:     redisParts,
	Inclusive: true,
	Identity: func(line decode.JSON) string {
		streams, _ := line.Get("offsets")
		return names(streams.Fields)
	},
	StartingOffsets: func(line decode.JSON) (string, string) { return "stream.offsets", render(line) },
}

func redisParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	streams, _ := line.Get("offsets")
	parts := make([]Part, 0, len(streams.Fields))
	for _, f := range streams.Fields {
		v, _ := f.Value.Get("offset")
		ms, seq, _ := strings.Cut(v.Text, "-")
		m, err := strconv.ParseInt(ms, 10, 64)
		n, err2 := strconv.ParseInt(seq, 10, 64)
		if v.Kind != decode.String || err != nil || err2 != nil || m < 0 || n < 0 {
			r.reject(v, "stream %q: %s is not an entry ID", f.Name, shown(v))
			continue
		}
		parts = append(parts, Part{Name: f.Name, Position: Position{Text: v.Text, Order: Pair, Num: m, Sub: n}, At: v.At})
	}
	return parts, r.err()
}
