package availability

import "tidemark/checkpoint/source"

// pulsar is kept by ids of messages.
var pulsar = &Kind{
	Kind:    source.Pulsar,
	example: `{"persistent://public/default/orders-partition-0": [8, 12, 16, 3]}`,
}
