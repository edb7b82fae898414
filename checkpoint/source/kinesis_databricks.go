package source

import (
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
)

// DatabricksKinesis is the connector for Amazon Kinesis on Databricks. A line is an array with one
// entry a shard:
//
//	[{"shard":{"stream":"clicks","shardId":"shardId-000000000000"},"firstSeqNum":null,"lastSeqNum":"4961…","closed":false,"msgCount":"0"}]
//
// lastSeqNum is the last record that was read; null before the first. The source is closed: this
// is what its progress events show, and its files under sources/<i> are not read here.
var DatabricksKinesis = &Kind{
	Name:    "databricks-kinesis",
	Aliases: []string{"kinesis"},
	Claims: func(line decode.JSON) bool {
		if line.Kind != decode.Array || len(line.Items) == 0 {
			return false
		}
		for _, item := range line.Items {
			if shard, _ := item.Get("shard"); !has(shard, "stream", "shardId") {
				return false
			}
		}
		return true
	},
	Parts:     databricksShards,
	Inclusive: true,
	Identity:  func(line decode.JSON) string { return strings.Join(databricksStreams(line), ", ") },

	Stream:    true,
	PartsMove: true,
}

func databricksShards(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	several := len(databricksStreams(line)) > 1
	parts := make([]Part, 0, len(line.Items))
	for _, item := range line.Items {
		shard, _ := item.Get("shard")
		p := Part{Name: text(shard, "shardId"), Position: Position{Text: "nothing read yet"}, At: item.At}
		if several {
			p.Name = text(shard, "stream") + "/" + p.Name
		}
		if v, _ := item.Get("lastSeqNum"); v.Kind != decode.Null {
			n, ok := sequenceNumber(v.Text)
			if !ok {
				r.reject(v, "shard %q: lastSeqNum: %s is not a sequence number", p.Name, shown(v))
				continue
			}
			p.Position, p.At = Position{Text: v.Text, Order: BigNumber, Big: n}, v.At
		}
		parts = append(parts, p)
	}
	return parts, r.err()
}

// databricksStreams are the streams that a line names, sorted, each once.
func databricksStreams(line decode.JSON) []string {
	var streams []string
	for _, item := range line.Items {
		shard, _ := item.Get("shard")
		streams = append(streams, text(shard, "stream"))
	}
	slices.Sort(streams)
	return slices.Compact(streams)
}
