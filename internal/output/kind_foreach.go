package output

// foreachBatch hands whole batches to code of the query.
var foreachBatch = &Kind{
	Name:      "foreach-batch",
	Described: []string{"ForeachBatchSink"},
	Delegates: true,
	repeated:  "foreachBatch is code of the query: the checkpoint does not record whether it wrote the batch or deduplicates a repeated one",
	settle:    "If it writes to a Delta table with txnAppId and txnVersion, name that table with --sink. Otherwise look in the sink for rows of the batch.",
}

// foreach hands single rows to a writer of the query.
var foreach = &Kind{
	Name:       "foreach",
	Described:  []string{"ForeachWriterTable", "ForeachSink", "org.apache.spark.sql.execution.streaming.sources.ForeachWriterTable"},
	Recordless: true,
	repeated:   "a foreach writer is code of the query: nothing records whether it deduplicates a repeated batch",
	settle:     "Check its open(partitionId, epochId), and the system it writes to.",
}
