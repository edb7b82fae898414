package output

// foreachBatch hands whole batches to code of the query.
var foreachBatch = &Kind{
	Name:      "foreach-batch",
	Described: []string{"ForeachBatchSink"},
	Delegates: true,
	repeated:  "foreachBatch is code of the query: whether it wrote the batch, and what it makes of one that comes again, is not recorded in the checkpoint",
	settle:    "If it writes to a Delta table with txnAppId and txnVersion, give that table with --sink. Else look in the output for rows of the batch.",
}

// foreach hands single rows to a writer of the query.
var foreach = &Kind{
	Name:       "foreach",
	Described:  []string{"ForeachWriterTable", "ForeachSink", "org.apache.spark.sql.execution.streaming.sources.ForeachWriterTable"},
	Recordless: true,
	repeated:   "a foreach writer is code of the query: what it makes of a batch that comes again is not recorded anywhere",
	settle:     "Look at its open(partitionId, epochId), and into the system that it writes to.",
}
