package availability

import "tidemark/checkpoint/source"

// pubSubLite is kept by offsets of partitions.
var pubSubLite = &Kind{
	Kind:    source.PubSubLite,
	example: `{"0": 5310}`,
}
