package source

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
)

// Kafka is the Kafka source. A line holds, per topic and partition, the next offset to read:
//
//	{"orders":{"0":1042,"1":998}}
//
// Offsets count records, control records of transactions and compacted ones included, so a
// difference is an upper bound. -1 (latest) and -2 (earliest) stand for positions not yet resolved;
// they belong in user options and must not appear in a log.
//
// The option startingOffsets takes the line as it is: its start is inclusive, as the line's end is
// exclusive. It must then list every partition that the query is assigned.
//
// Written by KafkaSourceOffset through JsonUtils.partitionOffsets in the Kafka connector, the same
// since Spark 2.1. Neither cluster, topic id nor the way of subscribing is recorded.
var Kafka = &Kind{
	Name:            "kafka",
	Unit:            "records",
	Claims:          topicsOfPartitions,
	Parts:           topicParts,
	Identity:        topicNames,
	CountIs:         "at most",
	StartingOffsets: func(line decode.JSON) (string, string) { return "startingOffsets", topicsJSON(line) },

	Topics:      true,
	Stream:      true,
	First:       ReadsUncommitted,
	KeepsFolder: true,
	Taken:       topicsTaken,
	OnAnother:   topicsExpected,
	OnGarbled:   topicsExpected + ", got",
	Described:   []string{"KafkaV2[", "KafkaSource[", "KafkaSourceV1["},
}

// topicsExpected is what JsonUtils.partitionOffsets says to anything else.
const topicsExpected = `Expected e.g. {"topicA":{"0":23,"1":-1},"topicB":{"0":-2}}`

// topicsTaken reads a line as the source itself does, which takes more than it writes: null is 0, a fraction is cut off, and a
// number below 0 stays (-2 is "earliest", -1 "latest"). Of a topic or partition that occurs twice the last one counts. Parts are in the order
// of the line; the Text of a Position is the number as Spark has it. The error is about the first thing that the source does not take, such as
// an offset in quotes.
//
// JsonUtils.partitionOffsets: json4s extracts a Map[String, Map[Int, Long]].
func topicsTaken(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	if line.Kind != decode.Object {
		r.reject(line, "%s is not a set of topics", shown(line))
	}
	var parts []Part
	for _, topic := range lastOfEach(line) {
		if topic.Value.Kind != decode.Object {
			r.reject(topic.Value, "topic %q: %s is not a set of partitions", topic.Name, shown(topic.Value))
			continue
		}
		for _, p := range lastOfEach(topic.Value) {
			number, err := strconv.ParseInt(p.Name, 10, 32)
			next, _, ok := p.Value.Long()
			switch {
			case err != nil:
				r.reject(p.Value, "topic %q: %.20q is not a partition", topic.Name, p.Name)
			case !ok && p.Value.Kind != decode.Null:
				r.reject(p.Value, "topic %q: partition %s: %s is not an offset", topic.Name, p.Name, shown(p.Value))
			default:
				parts = append(parts, Part{Name: topic.Name + "/" + strconv.FormatInt(number, 10), At: p.Value.At,
					Position: Position{Text: strconv.FormatInt(next, 10), Order: Number, Num: next}})
			}
		}
	}
	return parts, r.err()
}

// lastOfEach returns the fields of an object, of those with one name the last.
func lastOfEach(v decode.JSON) []decode.Field {
	if repeated(v.Fields) == nil {
		return v.Fields
	}
	return sorted(v, strings.Compare).Fields
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
			if !isPartition(p.Name) || p.Value.Kind == decode.Object || p.Value.Kind == decode.Array {
				return false
			}
		}
	}
	return true
}

// topicParts reads the shape that Kafka and Event Hubs share. The names of all parts are cut from
// one string: a line may hold thousands of them.
func topicParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	if f := repeated(line.Fields); f != nil {
		r.reject(f.Value, "topic %q occurs twice", f.Name)
	}
	n, size := 0, 0
	for _, topic := range line.Fields {
		if f := repeated(topic.Value.Fields); f != nil {
			r.reject(f.Value, "topic %q: partition %s occurs twice", topic.Name, f.Name)
		}
		n += len(topic.Value.Fields)
		for _, p := range topic.Value.Fields {
			size += len(topic.Name) + 1 + len(p.Name)
		}
	}
	var all strings.Builder
	all.Grow(size)
	parts := make([]Part, 0, n)
	for _, topic := range line.Fields {
		for _, p := range topic.Value.Fields {
			next, ok := p.Value.Int()
			if !ok || next < 0 {
				r.reject(p.Value, "topic %q: partition %s: %s is not an offset", topic.Name, p.Name, shown(p.Value))
			}
			if !ok {
				continue
			}
			at := all.Len()
			all.WriteString(topic.Name)
			all.WriteByte('/')
			all.WriteString(p.Name)
			position := Position{Text: p.Value.Text, Order: Number, Num: next}
			parts = append(parts, Part{Name: all.String()[at:], Position: position, At: p.Value.At})
		}
	}
	return parts, r.err()
}

func topicNames(line decode.JSON) string { return names(line.Fields) }

// topicsJSON is the line with topics and partitions in order, each once.
func topicsJSON(line decode.JSON) string {
	topics := sorted(line, strings.Compare)
	for i, topic := range topics.Fields {
		topics.Fields[i].Value = sorted(topic.Value, func(a, b string) int {
			x, _ := strconv.Atoi(a)
			y, _ := strconv.Atoi(b)
			return cmp.Compare(x, y)
		})
	}
	return render(topics)
}

// sorted is an object with its fields in order; of those that compare equal the last is kept, as
// Spark's parser does.
func sorted(v decode.JSON, compare func(a, b string) int) decode.JSON {
	fields := slices.Clone(v.Fields)
	slices.Reverse(fields)
	slices.SortStableFunc(fields, func(a, b decode.Field) int { return compare(a.Name, b.Name) })
	v.Fields = slices.CompactFunc(fields, func(a, b decode.Field) bool { return compare(a.Name, b.Name) == 0 })
	return v
}
