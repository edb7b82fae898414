package trace

// sparkLogs are what Spark says of the two logs, of metadata and of who writes them.
var sparkLogs = []*Condition{
	{Words: "Failed to read stream metadata from", Topic: metadataFile, Says: "The file metadata with the query id is there, and could not be read."},
	{Words: "Previous batch … not found in offset log", Topic: batchMissing, Says: "The plan of the batch before the newest one is not in offsets."},
	{Words: "doesn't exist (latestId: … compactInterval", Topic: sourceLog, Says: "A log that is compacted lacks a file that its newest entries stand in: the log of a file source, or that of a file sink."},
	{Words: "batches (… don't …exist (startId", Topic: batchMissing, Says: "A log lacks entries of the range that Spark asked it for: mostly the log of a file source, in sources."},
	{Words: "batch … doesn't exist", Topic: batchMissing, Says: "A log was asked for an entry that it does not hold: offsets, or the log of a file source, in sources."},
	{Words: "atch … was not found", Topic: batchMissing, Says: "A log was asked for a batch that it does not hold."},
	{Words: "Log file was malformed", Topic: logFile, Says: "The first line of a log file is not its version, \"v1\"."},
	{Words: "Incomplete log file in the offset commit log", Topic: logFile, Says: "A commit file has no bytes."},
	{Words: "Incomplete log file", Topic: logFile, Says: "A log file has no bytes."},
	{Words: "UnsupportedLogVersion", Topic: logFile, Says: "A log file is of a version that this release of Spark does not take."},
	{Words: "maximum supported log version", Topic: logFile, Says: "A log file is of a version that this release of Spark does not take."},
	{Words: "next on empty iterator", Topic: logFile, Says: "A log file ends after its version line."},
	{Words: "failed to read log file for batch", Topic: logFile, Says: "A log lists a batch whose file could not be opened under its number."},
	{Words: "Failed to read log file", Topic: logFile, Says: "A log file could not be read."},
	{Words: "No usable value for logOffset", Topic: sourceLine, Says: "The line of a file source in a plan holds no logOffset."},
	{Words: `Expected e.g. {"topicA"`, Topic: sourceLine, Says: "The line of a Kafka source in a plan, or a startingOffsets option, is not the JSON of offsets."},
	{Words: "WatermarkTracker", Topic: logFile, Says: "The second line of the newest plan is empty: watermark, time and settings of the batch are lost."},
	{Words: "was committed without end epoch offsets", Topic: batchMissing, Says: "Continuous processing found a commit without a plan."},
	{Words: "Concurrent update to the … log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark was about to write the log file of a batch, and a file of that name was there."},
	{Words: "Concurrent update to the log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark was about to write the log file of a batch, and a file of that name was there."},
	{Words: "FileAlreadyExistsException", Topic: twoWriters, Says: "Spark was about to give a file its name, and a file of that name was there."},
	{Words: "Cannot start query with id … as another query with same id is already active", Topic: sameSession, Says: "A query with this id runs already in the session."},
	{Words: "Cannot start query with name … as a query with that name is already active", Topic: sameSession, Says: "A query with this name runs already in the session."},
}
