package explain

// sparkOld are messages of Spark 2.3 to 3.4, from before errors had names. What later releases print the same way
// is in the lists of those.
var sparkOld = []*Condition{
	// The logs of file sources and sinks.
	{Words: "_spark_metadata/… doesn't exist when compacting batch", Topic: sinkLog, Says: "A file sink was about to write its log anew as one file, and a file of that log is missing in the output.", look: (*look).lookSinkCompaction,
		Compares: "the batch that compacts with the logs, the output's own log with --sink"},
	{Words: "_spark_metadata/… doesn't exist (latestId: … compactInterval", Topic: sinkLog, Says: "The log of a file sink lacks a file that its newest entries need.", look: (*look).lookSinkCompaction,
		Compares: "the output's own log with --sink"},
	{Words: "doesn't exist when compacting batch", Topic: sourceLog, Says: "A file source was about to write its log anew as one file, and a file of that log is missing."},
	{Words: "Race while writing batch", Topic: sinkLog.but(Topic{
		About:  "the output's log holds this batch already",
		Proves: "It proves that the log of the output had a file of that batch when the commit wrote its own: another run, or this one before, had written it.",
		Next:   "Make sure that one run of the query, and no other, is active; then restart. A batch that the log holds is passed over by the sink.",
		Avoid:  "Do not delete the batch from the output's log: its rows would no longer be seen.",
		Codes:  []string{"second-writer", "sink-ahead"}}),
		Says: "A file sink was about to write the log entry of a batch, and the log had it already.", look: (*look).lookSinkBatch, Compares: "the batch with the output's log, with --sink"},

	// Names, folders and file systems.
	{Words: "Wrong FS", Topic: wrongFS, Says: "A file system was asked for a path of another scheme or host.", look: (*look).lookWrongFS,
		Compares: "scheme and host of the path with those of the file system that was asked, and with the location opened here",
		Decides:  "The release of Spark and the cluster's fs.defaultFS do."},
	{Words: "IOException: Failed to rename … to …", Topic: renaming, Says: "The storage did not rename a temporary file to the name it was to have.", look: (*look).lookRename, Compares: "whether either of the two files exists"},
	{Words: "Failed to rename as … was not found", Topic: renaming.but(Topic{
		About:  "a temporary file was gone before it had its name",
		Proves: "It proves that the temporary file disappeared between writing and renaming: something else cleans up or writes there."}),
		Says: "A temporary file disappeared before Spark could give it its name.", look: (*look).lookRename, Compares: "whether the file, or that of its batch, exists"},
	{Words: "Multiple HDFSMetadataLog are using", Topic: twoWriters, Says: "Spark was about to give a log file its name, and another run had given it to its own."},
	{Words: "Unable to create temp batch file", Topic: unwritten, Says: "Spark could not make a temporary file for the entry of a log.", Decides: "Rights and free names in that folder at that moment do."},
	{Words: "Unable to find batch", Topic: batchMissing, Says: "A log was asked for a file that it does not hold."},
	{Words: "is not a batch file", Topic: logFile.but(Topic{About: "a file without a number lies among those of a log"}), Says: "A log was asked for a file whose name is no number."},
	{Words: "Error committing version", Topic: unwritten, Says: "A task could not finish the state version it was writing; the exception below it says why.", Decides: "What failed below it does: mostly the storage or the executor's disk."},
	{Words: "State location not present for execution", Topic: otherColumns.but(Topic{
		About: "a stateful query was run outside of streaming", Checks: "The place of state is put into the plan of a batch when Spark prepares it.",
		Proves: "It proves that the query's plan was run by other code, for instance collected again within foreachBatch. It says nothing about the checkpoint.",
		Next:   "Look in the code for a plan of one batch that is used again outside of it."}),
		Says: "A stateful operator ran without a place for its state.", Decides: "The query's code does."},

	// State.
	{Words: "RocksDB instance c… not be acquired", Topic: stateLock, Says: "A task waited for a RocksDB store that another thread of the same executor still held.", Decides: "The threads of one executor at that moment do: its log names the one that held the store."},
	{Words: "correctness issue is discovered", Topic: setting.but(Topic{
		About:  "a join has the old form of state",
		Checks: "Outer joins of 2.4 and before kept too little in state to be right. Since 3.0 Spark refuses to go on from such state.",
		Proves: "It proves that the newest plan pins join state of form 1, or none, as 2.4 wrote it.",
		Next:   "Start the query with a new checkpoint and start positions from this one (tidemark offsets LOCATION --as starting-offsets).",
		Avoid:  "Do not write form 2 into the plan: the files are of form 1."}),
		Says: "The state of an outer join was written by Spark 2.4 or before, in the form that loses rows.", look: (*look).lookJoinForm, Compares: "the form of join state that the newest plan pins"},
	{Words: "IllegalArgumentException: Version … is invalid", Topic: setting, Says: "The plan pins a format of state that this release does not have."},
	{Words: "Unexpected state format version!", Topic: setting, Says: "The plan pins a format of join state that this release does not have."},
	{Words: "initial state provided contained multiple rows", Topic: query, Says: "The initial state that the code gives has two rows for one key.", Decides: "The code of the query does."},
	{Words: "Cannot read RocksDB checkpoint metadata of version", Topic: stateDamaged, Says: "The list of files within a RocksDB snapshot is of a version that this release does not read."},
	{Words: "RocksDBException…No space left on device", Topic: machine, Says: "The executor's local disk was full while RocksDB wrote to it.", Decides: "The executor's local disk does."},
	{Words: "RocksDBException…While lock file", Topic: spilt, Says: "Another process held the lock of a local RocksDB folder.", Decides: "The executor's local disk does."},
	{Words: "librocksdbjni", Topic: spilt, Says: "The native library of RocksDB could not be loaded.", Decides: "The executor's operating system and class path do."},

	// Sources.
	{Words: "Unexpected source: ", Topic: otherColumns.but(Topic{About: "the query has a source that Spark does not know how to ask", Next: "Look at the class of the source that the message names, and whether its release is one for this Spark."}), Says: "A source of the query is of no kind that this release of Spark asks.", Decides: "The connector's code and the release of Spark do."},
	{Words: "unknown sink type for", Topic: otherColumns.but(Topic{About: "the query has a sink that Spark does not know how to write to", Next: "Look at the class of the sink that the message names, and whether its release is one for this Spark."}), Says: "The sink of the query is of no kind that this release of Spark writes to.", Decides: "The connector's code and the release of Spark do."},
	{Words: "Invalid batch: … != ", Topic: otherColumns, Says: "A source gave a batch with other columns than the query was planned with.", Decides: "The source and its connector do."},
	{Words: "did not have isStreaming=true", Topic: otherColumns, Says: "A source gave a batch that is not marked as streaming.", Decides: "The connector's code does."},
	{Words: "Invalid conversion from offset of", Topic: sourceLine, Says: "A source was given the position of another kind of source."},
	{Words: "contained … partitions, but … partitions are currently configured", Topic: rateOptions, Says: "A continuous rate source has another number of partitions than in the plan.", look: (*look).lookRateParts, Compares: "the number of partitions with that in the newest plan"},
	{Words: "startSeconds(…) > endSeconds(", Topic: rateOptions, Says: "A rate source was asked for a range that ends before it begins.", look: (*look).lookRateRange, Compares: "the two ends with the newest plans"},
	{Words: "startOffset(…) > endOffset(", Topic: rateOptions, Says: "A rate source was asked for a range that ends before it begins.", look: (*look).lookRateRange, Compares: "the two ends with the newest plans"},
	{Words: "Integer overflow. Max offset with", Topic: rateOptions, Says: "A rate source counted beyond the largest number at its speed.", Decides: "The option rowsPerSecond does."},
	{Words: "Offsets committed out of order", Topic: rateOptions.but(Topic{
		About: "a test source was told of an older end than before", Checks: "Sources of a socket or of memory keep in the driver how far they were read; nothing of it outlives the process.",
		Next: "Use such sources without a checkpoint that is kept."}),
		Says: "A socket or memory source was told that an older position is done.", Decides: "The memory of the driver does: such a source keeps nothing."},
	{Words: "Path does not exist", Topic: inputPath, Says: "A folder or file that the query names was not found.", look: (*look).lookPath, Compares: "the path with the files of the checkpoint", Decides: "The storage at that path does."},
	{Words: "Conflicting directory structures detected", Topic: sourceFolder, Says: "Files of one source lie in folders that are no partitions of one table."},
	{Words: "basePath' must be a directory", Topic: sourceFolder, Says: "The folder that the query names as the base of a file source is a file."},
	{Words: "Clean up source files is not supported when", Topic: query, Says: "The option cleanSource does not go with a source that is the output of a file sink.", Decides: "The options of the query do."},
}
