package trace

// sparkLogs are what Spark says of the two logs, of metadata and of who writes them.
var sparkLogs = []*Condition{
	{Words: "Failed to read stream metadata from", Topic: metadataFile, Says: "The file metadata with the query ID exists but could not be read."},
	{Words: "Previous batch … not found in offset log", Topic: batchMissing, Says: "The offset file before the newest one is missing."},
	{Words: "doesn't exist (latestId: … compactInterval", Topic: sourceLog, Says: "A compacted log lacks a file its newest entries need: the log of a file source or file sink."},
	{Words: "batches (… don't …exist (startId", Topic: batchMissing, Says: "A log lacks entries of the range Spark requested: mostly a file source log in sources."},
	{Words: "batch … doesn't exist", Topic: batchMissing, Says: "A log lacks an entry Spark requested: the offset log, or a file source log in sources."},
	{Words: "atch … was not found", Topic: batchMissing, Says: "A log lacks a batch Spark requested."},
	{Words: "Log file was malformed", Topic: logFile, Says: "The first line of a log file is not its version, \"v1\"."},
	{Words: "Incomplete log file in the offset commit log", Topic: logFile, Says: "A commit file is empty."},
	{Words: "Incomplete log file", Topic: logFile, Says: "A log file is empty."},
	{Words: "UnsupportedLogVersion", Topic: logFile, Says: "A log file has a version this Spark release does not support."},
	{Words: "maximum supported log version", Topic: logFile, Says: "A log file has a version this Spark release does not support."},
	{Words: "next on empty iterator", Topic: logFile, Says: "A log file ends after its version line."},
	{Words: "failed to read log file for batch", Topic: logFile, Says: "A log lists a batch, but its file could not be opened."},
	{Words: "Failed to read log file", Topic: logFile, Says: "A log file could not be read."},
	{Words: "No usable value for logOffset", Topic: sourceLine, Says: "The line of a file source in an offset file has no logOffset."},
	{Words: `Expected e.g. {"topicA"`, Topic: sourceLine, Says: "The line of a Kafka source in an offset file, or a startingOffsets option, is not offset JSON."},
	{Words: "WatermarkTracker", Topic: logFile, Says: "The second line of the newest offset file is empty: watermark, time and settings of the batch are lost."},
	{Words: "was committed without end epoch offsets", Topic: batchMissing, Says: "Continuous mode found a commit file without an offset file."},
	{Words: "Concurrent update to the … log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark wanted to write the log file of a batch, but a file of that name existed."},
	{Words: "Concurrent update to the log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark wanted to write the log file of a batch, but a file of that name existed."},
	{Words: "FileAlreadyExistsException", Topic: twoWriters, Says: "Spark wanted to rename a file to its final name, but a file of that name existed."},
	{Words: "Cannot start query with id … as another query with same id is already active", Topic: sameSession, Says: "A query with this ID is already active in the session."},
	{Words: "Cannot start query with name … as a query with that name is already active", Topic: sameSession, Says: "A query with this name is already active in the session."},
}
