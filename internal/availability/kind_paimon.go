package availability

import "tidemark/checkpoint/source"

// paimon is a Paimon table, kept by snapshots that are numbered upwards.
var paimon = &Kind{
	Kind:    source.Paimon,
	example: `12, the snapshot`,
	short:   wholeNumber,

	Whole:     "snapshots",
	MayBeDone: true, // a line does not always say how many splits a snapshot has
}
