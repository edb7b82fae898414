package availability

import (
	"strconv"
	"strings"
	"time"

	"tidemark/checkpoint/source"
)

// eventHubs is kept by sequence numbers of partitions, in the form of Kafka's.
var eventHubs = &Kind{
	Kind:    source.EventHubs,
	example: `{"telemetry": {"0": 88123}}`,

	startAt:       startTopics,
	startFromTime: eventsFromTime,

	OnLoss: `The Azure Event Hubs connector has no option to fail in this case. It logs a warning in the driver and continues from the
oldest event left. The lost events never reach the sink.`,
	OnReset: func(string, string) string {
		return `The Azure Event Hubs connector has no option to fail in this case.`
	},
}

// eventsFromTime begins each partition with the events that came in at t or later.
func eventsFromTime(o source.Offset, t time.Time) (b StartPosition) {
	b.Option, b.Value = o.Kinds[0].StartingOffsets(topicsLine(everywhere(o, "-1")))
	at := strconv.Quote(t.UTC().Format("2006-01-02T15:04:05.000000Z"))
	b.Value = strings.ReplaceAll(b.Value, `"enqueuedTime":null`, `"enqueuedTime":`+at)
	return b
}
