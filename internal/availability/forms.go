package availability

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
)

// form is how a person writes the positions of a kind of source.
type form struct {
	example string // of an earliest
	// short reads what is shorter than the source's own line; ok is false where v is nothing such. nil: there is none.
	short func(v decode.JSON) (parts []source.Part, ok bool)
}

// forms has the kinds whose positions a file may tell, by the names of package source. Of kinds that are not here
// (sockets, rate, folders of files) no position says what is still there.
var forms = map[string]form{
	"kafka":         {`{"orders": {"0": 7883100}}`, none},
	"event-hubs":    {`{"telemetry": {"0": 88123}}`, none},
	"delta":         {`812, the version`, number},
	"delta-sharing": {`812, the version`, number},
	"paimon":        {`12, the snapshot`, number},
	"iceberg":       {`a snapshot as the offset log has it; snapshots lists those that are left`, none},
	"hudi":          {`"20261128093011123", the time of a commit`, instant},
	"kinesis":       {`{"shardId-000000000000": "49605240428200006291917297020490128157480794051565322242"}`, shards},
	"aws-kinesis":   {`{"shardId-000000000000": "49605240428200006291917297020490128157480794051565322242"}`, shards},
	"pulsar":        {`{"persistent://public/default/orders-partition-0": [8, 12, 16, 3]}`, none},
	"pubsub-lite":   {`{"0": 5310}`, none},
}

// positionsOf reads positions in the form of a kind: those of its own line, or shorter. The error is a
// *decode.Error where one value is to blame.
func positionsOf(kind *source.Kind, v decode.JSON) ([]source.Part, error) {
	f := forms[kind.Name]
	if v.Kind == decode.Object && len(v.Fields) == 0 {
		return nil, nil
	}
	if kind.Claims(v) && (v.Kind == decode.Object || v.Kind == decode.Array) {
		if parts, err := kind.Parts(v); err == nil {
			return parts, nil
		} else if parts, ok := f.short(v); !ok {
			return nil, err
		} else {
			return parts, nil
		}
	}
	parts, ok := f.short(v)
	if !ok {
		return nil, fmt.Errorf("%s is no position of a %s source: %s is one", found(v), kind.Name, f.example)
	}
	return parts, nil
}

func none(decode.JSON) ([]source.Part, bool) { return nil, false }

// number is a version or a snapshot.
func number(v decode.JSON) ([]source.Part, bool) {
	n, ok := v.Int()
	return []source.Part{{Position: source.Position{Text: v.Text, Order: source.Number, Num: n}, At: v.At}}, ok
}

// instant is the time of a commit, as Hudi writes it.
func instant(v decode.JSON) ([]source.Part, bool) {
	if v.Kind != decode.String || strings.Trim(v.Text, "0123456789") != "" {
		return nil, false
	}
	o := source.Decode(fmt.Appendf(nil, `{"commitTime":%q}`, v.Text), decode.Where{})
	return o.Parts, o.Problem == nil && len(o.Parts) == 1
}

// sequenceDigits is how long a sequence number of Kinesis may be.
const sequenceDigits = 128

// timeDigits is how long milliseconds since 1970 are: a sequence number is never that short.
const timeDigits = 13

// shards are sequence numbers by shard, or times: a stream that keeps 24 hours begins that long ago. One time may stand
// for all shards.
func shards(v decode.JSON) ([]source.Part, bool) {
	if ms, ok := v.Int(); ok && len(v.Text) == timeDigits {
		return []source.Part{{Position: timeAt(v.Text, ms), At: v.At}}, true
	}
	var parts []source.Part
	for _, f := range v.Fields {
		text := f.Value.Text
		if f.Value.Kind != decode.String && f.Value.Kind != decode.Number || len(text) > sequenceDigits || text == "" || strings.Trim(text, "0123456789") != "" {
			return nil, false
		}
		if ms, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) == timeDigits {
			parts = append(parts, source.Part{Name: f.Name, Position: timeAt(text, ms), At: f.Value.At})
			continue
		}
		n, _ := new(big.Int).SetString(text, 10)
		parts = append(parts, source.Part{Name: f.Name, Position: source.Position{Text: text, Order: source.BigNumber, Big: n}, At: f.Value.At})
	}
	return parts, v.Kind == decode.Object
}

// timeAt is a time in the form in which Kinesis takes one for a position.
func timeAt(text string, ms int64) source.Position {
	return source.Position{Text: "AT_TIMESTAMP " + text, Order: source.Number, Num: ms}
}
