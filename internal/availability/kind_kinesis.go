package availability

import (
	"encoding/json"
	"maps"
	"math/big"
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// kinesis is kept by sequence numbers of shards.
var kinesis = &Kind{
	Kind:    source.Kinesis,
	example: shardExample,
	short:   shards,

	OneForAll: true,

	startFromTime: shardsFromTime(nil),
}

// awsKinesis is the same, read by the connector of AWS Labs.
var awsKinesis = &Kind{
	Kind:    source.AWSKinesis,
	example: shardExample,
	short:   shards,

	OneForAll: true,

	startFromTime: shardsFromTime(map[string]string{"subSequenceNumber": "-1", "isLast": "true"}),
}

const shardExample = `{"shardId-000000000000": "49605240428200006291917297020490128157480794051565322242"}`

// sequenceDigits is how long a sequence number of Kinesis may be.
const sequenceDigits = 128

// timeDigits is how long milliseconds since 1970 are: a sequence number is never that short.
const timeDigits = 13

// shards returns sequence numbers by shard, or times: a stream that keeps 24 hours begins that long ago. One time may stand
// for all shards.
func shards(v decode.JSON) ([]source.Part, bool) {
	if ms, ok := v.Int(); ok && len(v.Text) == timeDigits {
		return []source.Part{{Position: timeAt(v.Text, ms), At: v.At}}, true
	}
	var parts []source.Part
	for _, f := range v.Fields {
		text := f.Value.Text
		digits := text != "" && len(text) <= sequenceDigits && strings.Trim(text, "0123456789") == ""
		if f.Value.Kind != decode.String && f.Value.Kind != decode.Number || !digits {
			return nil, false
		}
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) == timeDigits {
			parts = append(parts, source.Part{Name: f.Name, Position: timeAt(text, ms), At: f.Value.At})
			continue
		}
		n, _ := new(big.Int).SetString(text, 10)
		position := source.Position{Text: text, Order: source.BigNumber, Big: n}
		parts = append(parts, source.Part{Name: f.Name, Position: position, At: f.Value.At})
	}
	return parts, v.Kind == decode.Object
}

// timeAt returns a time in the form in which Kinesis takes one for a position.
func timeAt(text string, ms int64) source.Position {
	return source.Position{Text: "AT_TIMESTAMP " + text, Order: source.Number, Num: ms}
}

// shardsFromTime begins all shards at a time; more is what a connector wants to have beside it.
func shardsFromTime(more map[string]string) func(source.Offset, time.Time) StartPosition {
	return func(o source.Offset, t time.Time) StartPosition {
		shard := map[string]string{"iteratorType": "AT_TIMESTAMP", "iteratorPosition": strconv.FormatInt(t.UnixMilli(), 10)}
		maps.Copy(shard, more)
		return StartPosition{Option: "startingPosition", Value: shardTimes(o, shard)}
	}
}

// shardTimes returns a line of a Kinesis connector whose shards all begin at a time.
func shardTimes(o source.Offset, shard map[string]string) string {
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
