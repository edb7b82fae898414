package source

import "tidemark/checkpoint/decode"

// PubSubLite is the connector for Google Pub/Sub Lite. A line holds, per partition, the last message
// that was read:
//
//	{"0":5310,"1":88}
//
// -1 is a partition of which nothing was read. The service has been announced to end: take what it
// held as gone.
//
// Written by SparkSourceOffset of pubsublite-spark-sql-streaming.
var PubSubLite = &Kind{
	Name:      "pubsub-lite",
	Aliases:   []string{"pubsublite"},
	Unit:      "records",
	Claims:    partitionsOnly,
	Parts:     partitionParts,
	Inclusive: true,
	CountIs:   "at most",
}

// partitionsOnly is the shape that Pub/Sub Lite and the continuous memory stream share.
func partitionsOnly(line decode.JSON) bool {
	if line.Kind != decode.Object || len(line.Fields) == 0 {
		return false
	}
	for _, f := range line.Fields {
		if !isPartition(f.Name) || f.Value.Kind != decode.Number {
			return false
		}
	}
	return true
}

func partitionParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	if f := repeated(line.Fields); f != nil {
		r.reject(f.Value, "partition %s occurs twice", f.Name)
	}
	parts := make([]Part, 0, len(line.Fields))
	for _, f := range line.Fields {
		r.number(f.Value, "partition "+f.Name, -1)
		if p, ok := position(f.Name, f.Value); ok {
			parts = append(parts, p)
		}
	}
	return parts, r.err()
}
