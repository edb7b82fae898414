package output

import (
	"context"
	"fmt"
)

// keepsNothing are kinds of output that record no batch, with what becomes of a batch that comes again, and
// what would tell whether it is there.
var keepsNothing = []struct{ kind, again, settle string }{
	{"kafka", "the Kafka sink writes at least once and records no batch: any part of an uncommitted batch may be in the topic, and a repeated batch is written again",
		"Read the end of the topic and compare keys or values with what the plan of the batch reads."},
	{"foreach", "a foreach writer is code of the query: what it makes of a batch that comes again is not recorded anywhere",
		"Look at its open(partitionId, epochId), and into the system that it writes to."},
	{"jdbc", "a database is written through code of the query, and records no batch of it", "Ask the database for rows of the batch, by their keys or a column with the batch id."},
	{"event-hubs", "the Event Hubs sink writes at least once and records no batch", "Read the end of the hub and compare with what the plan of the batch reads."},
	{"kinesis", "the Kinesis sink writes at least once and records no batch", "Read the end of the stream and compare with what the plan of the batch reads."},
	{"pulsar", "the Pulsar sink writes at least once and records no batch", "Read the end of the topic and compare with what the plan of the batch reads."},
	{"paimon", "a Paimon table records no batch id: a batch that comes again is written again into an append table, and makes no difference in a table with a primary key",
		"Look whether the table has a primary key, and whether a snapshot is younger than the plan of the batch."},
	{"console", "the console sink keeps nothing", "Nothing tells, and nothing needs to be told."},
	{"memory", "the memory sink keeps nothing beyond the driver", "Nothing tells, and nothing needs to be told."},
	{"noop", "the noop sink keeps nothing", "Nothing tells, and nothing needs to be told."},
}

// KeepsNothing reports whether an output of this kind records no batch, wherever it lies.
func KeepsNothing(kind string) bool {
	for _, k := range keepsNothing {
		if k.kind == kind {
			return true
		}
	}
	return false
}

// Nothing is an output of which only the kind is known, or whose kind records nothing.
func Nothing(location string, opt Options) Held {
	h := Held{Kind: opt.Kind, Location: location, Highest: -1}
	for _, k := range keepsNothing {
		if k.kind == opt.Kind {
			h.Unknown, h.Settle = k.again, k.settle
			return h
		}
	}
	switch opt.Kind {
	case "foreach-batch":
		h.Unknown = "foreachBatch is code of the query: whether it wrote the batch, and what it makes of one that comes again, is not recorded in the checkpoint"
		h.Settle = "If it writes to a Delta table with txnAppId and txnVersion, give that table with --sink. Else look in the output for rows of the batch."
	default:
		h.Unknown = fmt.Sprintf("the spec names a sink of kind %s, and not where it lies", opt.Kind)
		h.Settle = "Give the table or the output folder with --sink."
	}
	return h
}

// recordless is an output whose kind records nothing.
type recordless struct{ location, kind string }

func (r recordless) Look(context.Context, Query) (Held, error) {
	return Nothing(r.location, Options{Kind: r.kind}), nil
}
