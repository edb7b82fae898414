package availability

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/source"
)

// StartFromTime is where a new query begins to read what was written at t or later. parts are the first such positions of
// each part, where they could be looked up; batch is the one at whose end o stands. ok is false where the kind has no
// option for that.
func StartFromTime(o source.Offset, t time.Time, parts []Part, batch int64) (b StartPosition, ok bool) {
	b.Kinds = o.KindNames()
	ms := strconv.FormatInt(t.UnixMilli(), 10)
	switch {
	case isKind(o, "kafka") && parts != nil:
		return timedTopics(b, o, parts), true
	case isKind(o, "kafka"):
		b.Option = "startingOffsetsByTimestamp"
		_, b.Value = o.Kinds[0].StartingOffsets(topicsLine(everywhere(o, ms)))
		b.note("the offsets were not looked up: Spark does that (from 3.0 on) as the query starts, and fails for a partition that has nothing so late")
	case isKind(o, "event-hubs"):
		b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(everywhere(o, "-1")))
		b.Value = strings.ReplaceAll(b.Value, `"enqueuedTime":null`, `"enqueuedTime":`+strconv.Quote(t.UTC().Format("2006-01-02T15:04:05.000000Z")))
	case isKind(o, "delta", "delta-sharing"):
		b.Option, b.Value = "startingTimestamp", t.UTC().Format("2006-01-02 15:04:05.000")
		b.note("Spark takes this time in the time zone of its session: it is written in UTC")
	case isKind(o, "iceberg"):
		b.Option, b.Value = "stream-from-timestamp", ms
	case isKind(o, "kinesis", "aws-kinesis"):
		b.Option, b.Value = "startingPosition", shardTimes(o, ms)
	default:
		return b, false
	}
	b.note("what lies between the end of batch %d and this time is skipped, or read again where the time is earlier", batch)
	return b, true
}

// timedTopics are the offsets at a time, beside those at which the checkpoint stands.
func timedTopics(b StartPosition, o source.Offset, parts []Part) StartPosition {
	at := map[string]string{}
	var again, skipped []string
	for i := range parts {
		if parts[i].Earliest == nil {
			continue
		}
		name, from := parts[i].Name, parts[i].Earliest.Num
		at[name] = parts[i].Earliest.Text
		j := slices.IndexFunc(o.Parts, func(p source.Part) bool { return p.Name == name })
		if j < 0 {
			continue
		}
		switch stood := o.Parts[j].Position.Num; {
		case from < stood:
			again = append(again, fmt.Sprintf("%s %d to %d", name, from, stood))
		case from > stood:
			skipped = append(skipped, fmt.Sprintf("%s %d to %d", name, stood, from))
		}
	}
	if len(again) > 0 {
		b.note("read again: %s", fewRanges(again))
	}
	if len(skipped) > 0 {
		b.note("skipped: %s", fewRanges(skipped))
	}
	b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(at))
	return b
}

// everywhere is one value for each part.
func everywhere(o source.Offset, value string) map[string]string {
	at := map[string]string{}
	for _, p := range o.Parts {
		at[p.Name] = value
	}
	return at
}

// shardTimes is a line of a Kinesis connector whose shards all begin at a time.
func shardTimes(o source.Offset, ms string) string {
	shard := map[string]string{"iteratorType": "AT_TIMESTAMP", "iteratorPosition": ms}
	if isKind(o, "aws-kinesis") {
		shard["subSequenceNumber"], shard["isLast"] = "-1", "true"
	}
	line := map[string]any{}
	if m, ok := o.Line.Get("metadata"); ok {
		line["metadata"] = json.RawMessage(o.Raw[m.At:m.End])
	}
	for _, p := range o.Parts {
		line[p.Name] = shard
	}
	text, err := json.Marshal(line)
	if err != nil {
		return ""
	}
	return string(text)
}
