package source

import (
	"strings"

	"tidemark/checkpoint/decode"
)

// EventHubs is the connector for Azure Event Hubs (azure-event-hubs-spark). A line looks as Kafka's
// does; it holds, per event hub and partition, the next sequence number to read:
//
//	{"telemetry":{"0":88123,"1":90011}}
//
// Sequence numbers have no gaps, so a difference is exact. The connector never fails on data that
// has aged out: it warns, and starts at the earliest that is left. A negative number stands for a
// position not yet resolved and must not appear in a log.
//
// An event hub read through its Kafka endpoint writes Kafka's line with Kafka's offsets: nothing
// here can tell the two.
//
// The option eventhubs.startingPositions takes one position a partition, keyed by JSON in JSON:
//
//	{"{\"ehName\":\"telemetry\",\"partitionId\":0}":{"offset":null,"seqNo":88123,"enqueuedTime":null,"isInclusive":true}}
//
// Written by EventHubsSourceOffset; the option is read by EventHubsConf (EventPosition).
var EventHubs = &Kind{
	Name:            "event-hubs",
	Aliases:         []string{"eventhubs"},
	Unit:            "records",
	Claims:          topicsOfPartitions,
	Parts:           topicParts,
	Identity:        topicNames,
	CountIs:         "exact",
	StartingOffsets: func(line decode.JSON) (string, string) { return "eventhubs.startingPositions", eventPositions(line) },

	Topics: true,
	Stream: true,
	First:  ReadsUncommitted,
}

func eventPositions(line decode.JSON) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, hub := range line.Fields {
		for _, p := range hub.Value.Fields {
			if b.Len() > 1 {
				b.WriteByte(',')
			}
			id := strings.TrimLeft(p.Name[:len(p.Name)-1], "0") + p.Name[len(p.Name)-1:] // a JSON number has no leading zero
			b.WriteString(quoted(`{"ehName":` + quoted(hub.Name) + `,"partitionId":` + id + `}`))
			b.WriteString(`:{"offset":null,"seqNo":` + p.Value.Text + `,"enqueuedTime":null,"isInclusive":true}`)
		}
	}
	b.WriteByte('}')
	return b.String()
}
