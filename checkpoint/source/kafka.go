package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// kafka is the Kafka source. A line holds, per topic and partition, the next offset to read:
//
//	{"orders":{"0":1042,"1":998}}
//
// Offsets count records, control records of transactions and compacted ones included, so a
// difference is an upper bound. -1 (latest) and -2 (earliest) stand for positions not yet resolved;
// they belong in user options and must not appear in a log.
//
// Written by KafkaSourceOffset through JsonUtils.partitionOffsets in the Kafka connector, the same
// since Spark 2.1. Neither cluster, topic id nor the way of subscribing is recorded.
var kafka = &Kind{
	Name:            "kafka",
	Claims:          topicsOfPartitions,
	Parts:           kafkaParts,
	Identity:        topicNames,
	CountIs:         "at most",
	StartingOffsets: func(line decode.JSON) (string, string) { return "startingOffsets", topicsJSON(line) },
}

// topicsOfPartitions is the shape that Kafka and Event Hubs share: topic → partition → position.
func topicsOfPartitions(line decode.JSON) bool {
	if line.Kind != decode.Object || len(line.Fields) == 0 {
		return false
	}
	for _, topic := range line.Fields {
		if topic.Value.Kind != decode.Object {
			return false
		}
		for _, p := range topic.Value.Fields {
			if _, err := strconv.ParseUint(p.Name, 10, 31); err != nil || p.Value.Kind != decode.Number {
				return false
			}
		}
	}
	return true
}

func kafkaParts(line decode.JSON) ([]Part, error) { return partitionParts(line, "kafka") }

func partitionParts(line decode.JSON, kind string) ([]Part, error) {
	var parts []Part
	var bad error
	for _, topic := range line.Fields {
		for _, p := range topic.Value.Fields {
			next, ok := p.Value.Int()
			if (!ok || next < 0) && bad == nil {
				bad = &decode.Error{Where: decode.Where{Offset: int64(p.Value.At)}, Flaw: decode.Value, What: kind + " offset",
					Err: fmt.Errorf("topic %q: partition %s: %s is not an offset", topic.Name, p.Name, p.Value.Text)}
			}
			if !ok {
				continue
			}
			parts = append(parts, Part{topic.Name + "/" + p.Name, Position{Text: p.Value.Text, Order: Number, Num: next}, "records", p.Value.At})
		}
	}
	return parts, bad
}

func topicNames(line decode.JSON) string {
	names := make([]string, len(line.Fields))
	for i, f := range line.Fields {
		names[i] = f.Name
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// topicsJSON is the line with topics and partitions in order.
func topicsJSON(line decode.JSON) string {
	topics := slices.Clone(line.Fields)
	slices.SortStableFunc(topics, func(a, b decode.Field) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	b.WriteByte('{')
	for i, t := range topics {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(t.Name) + ":{")
		ps := slices.Clone(t.Value.Fields)
		slices.SortStableFunc(ps, func(a, b decode.Field) int {
			x, _ := strconv.Atoi(a.Name)
			y, _ := strconv.Atoi(b.Name)
			return x - y
		})
		for j, p := range ps {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + p.Name + `":` + p.Value.Text)
		}
		b.WriteByte('}')
	}
	b.WriteByte('}')
	return b.String()
}
