package explain

import "strings"

// Condition is one error of Spark, or of a source, as its words in a trace tell it.
type Condition struct {
	Words string // pieces of the text, in this order, with "…" between them
	*Topic
	Says string // what this one means, in our words; one sentence
	// general is one that many things print: it counts only where no exception of the chain says more.
	general bool
}

// Conditions are the errors that are known, one a line; of those that fit one exception the first counts. Names
// of conditions are of Spark 3.4 to 4.3, the other words of 2.4 on.
var Conditions = []*Condition{
	// The two logs.
	{Words: "STREAMING_CHECKPOINT_MISSING_METADATA_FILE", Topic: metadataFile, Says: "The logs hold batches, and the file metadata with the query id is not there. Spark 4.2 and later refuse that."},
	{Words: "Failed to read stream metadata from", Topic: metadataFile, Says: "The file metadata with the query id is there, and could not be read."},
	{Words: "Previous batch … not found in offset log", Topic: batchMissing, Says: "The plan of the batch before the newest one is not in offsets."},
	{Words: "doesn't exist (latestId: … compactInterval", Topic: sourceLog, Says: "A log that is compacted lacks a file that its newest entries stand in: the log of a file source, or that of a file sink."},
	{Words: "batches (… don't …exist (startId", Topic: batchMissing, Says: "A log lacks entries of the range that Spark asked it for: mostly the log of a file source, in sources."},
	{Words: "batch … doesn't exist", Topic: batchMissing, Says: "A log was asked for an entry that it does not hold: offsets, or the log of a file source, in sources."},
	{Words: "atch … was not found", Topic: batchMissing, Says: "A log was asked for a batch that it does not hold."},
	{Words: "MALFORMED_LOG_FILE", Topic: logFile, Says: "The first line of a log file is not its version, \"v1\"."},
	{Words: "Log file was malformed", Topic: logFile, Says: "The first line of a log file is not its version, \"v1\"."},
	{Words: "Incomplete log file in the offset commit log", Topic: logFile, Says: "A commit file has no bytes."},
	{Words: "Incomplete log file", Topic: logFile, Says: "A log file has no bytes."},
	{Words: "INVALID_LOG_VERSION", Topic: logFile, Says: "A log file is of a version that this release of Spark does not take."},
	{Words: "UnsupportedLogVersion", Topic: logFile, Says: "A log file is of a version that this release of Spark does not take."},
	{Words: "maximum supported log version", Topic: logFile, Says: "A log file is of a version that this release of Spark does not take."},
	{Words: "next on empty iterator", Topic: logFile, Says: "A log file ends after its version line."},
	{Words: "failed to read log file for batch", Topic: logFile, Says: "A log lists a batch whose file could not be opened under its number."},
	{Words: "Failed to read log file", Topic: logFile, Says: "A log file could not be read."},
	{Words: "No usable value for logOffset", Topic: sourceLine, Says: "The line of a file source in a plan holds no logOffset."},
	{Words: `Expected e.g. {"topicA"`, Topic: sourceLine, Says: "The line of a Kafka source in a plan, or a startingOffsets option, is not the JSON of offsets."},
	{Words: "WatermarkTracker", Topic: logFile, Says: "The second line of the newest plan is empty: watermark, time and settings of the batch are lost."},
	{Words: "was committed without end epoch offsets", Topic: batchMissing, Says: "Continuous processing found a commit without a plan."},
	{Words: "CONCURRENT_STREAM_LOG_UPDATE", Topic: twoWriters, Says: "Spark was about to write the log file of a batch, and a file of that name was there."},
	{Words: "Concurrent update to the … log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark was about to write the log file of a batch, and a file of that name was there."},
	{Words: "Concurrent update to the log. Multiple streaming jobs detected", Topic: twoWriters, Says: "Spark was about to write the log file of a batch, and a file of that name was there."},
	{Words: "ultiple streaming queries are concurrently using", Topic: twoWriters, Says: "Spark was about to give a log file its name, and a file of that name was there."},
	{Words: "FileAlreadyExistsException", Topic: twoWriters, Says: "Spark was about to give a file its name, and a file of that name was there."},
	{Words: "CONCURRENT_QUERY", Topic: sameSession, Says: "The same query was started a second time, and Spark stopped one of the two."},
	{Words: "nother instance of this query", Topic: sameSession, Says: "The same query was started a second time, and Spark stopped one of the two."},
	{Words: "Cannot start query with id … as another query with same id is already active", Topic: sameSession, Says: "A query with this id runs already in the session."},
	{Words: "Cannot start query with name … as a query with that name is already active", Topic: sameSession, Says: "A query with this name runs already in the session."},
	{Words: "UNSUPPORTED_DATATYPE", Topic: stateSchema, Says: "A schema that Spark reads as JSON is not what it writes: in a checkpoint, the schema file of a state store."},
	{Words: "Unsupported dataType", Topic: stateSchema, Says: "A schema that Spark reads as JSON is not what it writes: in a checkpoint, the schema file of a state store."},

	// Sources.
	{Words: "sources in the checkpoint offsets", Topic: sourceCount, Says: "A plan has one line for each source, and the query has another number of sources."},
	{Words: "STREAMING_QUERY_EVOLUTION_ERROR", Topic: sourceCount, Says: "The names of the query's sources are not those that the checkpoint records."},
	{Words: "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE", Topic: otherTable, Says: "The table that the query reads has another id than the one in the plan."},
	{Words: "different Delta table", Topic: otherTable, Says: "The table that the query reads has another id than the one in the plan."},
	{Words: "reading from an unexpected Delta table", Topic: otherTable, Says: "The table that the query reads has another id than the one in the plan."},
	{Words: "DELTA_MISSING_FILES_UNEXPECTED_VERSION", Topic: sourceGone, Says: "A version of the Delta table that comes next is no longer in its log."},
	{Words: "DELTA_VERSION_NOT_FOUND", Topic: sourceGone, Says: "A version of the Delta table is not in its log."},
	{Words: "DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE", Topic: sourceGone, Says: "The log of the Delta table does not reach back to where the query stands."},
	{Words: "DELTA_LOG_FILE_NOT_FOUND", Topic: sourceGone, Says: "A file of the Delta table's log is not there."},
	{Words: "DELTA_CHANGE_DATA_FILE_NOT_FOUND", Topic: sourceGone, Says: "A file with the changes of the Delta table is not there."},
	{Words: "DELTA_SCHEMA_CHANGED", Topic: sourceSchema, Says: "The schema of the Delta table changed while the query read it."},
	{Words: "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING", Topic: sourceSchema, Says: "The schema of the Delta table changed, and the query was not told to go on."},
	{Words: "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE", Topic: sourceSchema, Says: "The schema of the Delta table changed in a way that the query cannot follow."},
	{Words: "DELTA_STREAMING_METADATA_EVOLUTION", Topic: sourceSchema, Says: "The schema or the settings of the Delta table changed, and a restart goes on with the new ones."},
	{Words: "Detected schema change", Topic: sourceSchema, Says: "The schema of the table changed while the query read it."},
	{Words: "DELTA_SOURCE_TABLE_IGNORE_CHANGES", Topic: sourceChanges, Says: "A version of the Delta table changed rows that are there already, and the query takes only new rows."},
	{Words: "DELTA_SOURCE_IGNORE_DELETE", Topic: sourceChanges, Says: "A version of the Delta table removed rows, and the query takes only new rows."},
	{Words: "Detected a data update", Topic: sourceChanges, Says: "A version of the Delta table changed rows that are there already, and the query takes only new rows."},
	{Words: "Detected deleted data", Topic: sourceChanges, Says: "A version of the Delta table removed rows, and the query takes only new rows."},
	{Words: "Invalid reservoirVersion", Topic: sourceLine, Says: "The line of a Delta source in a plan is not one that this release of Delta reads."},
	{Words: "DELTA_INVALID_SOURCE_OFFSET_FORMAT", Topic: sourceLine, Says: "The line of a Delta source in a plan is not one that this release of Delta reads."},
	{Words: "DELTA_INVALID_SOURCE_VERSION", Topic: sourceLine, Says: "The line of a Delta source in a plan is of a version that this release of Delta does not read."},
	{Words: "Cannot load current offset at snapshot", Topic: sourceGone, Says: "The snapshot of the Iceberg table at which the query stands was expired or removed."},
	{Words: "KAFKA_DATA_LOSS", Topic: kafka, Says: "Kafka does not hold, or no longer holds, what the plan says must be read next."},
	{Words: "offset was changed from", Topic: kafka, Says: "Kafka's newest offset of a partition is below the one that the plan has already."},
	{Words: "ome data may have been missed", Topic: kafka, Says: "Kafka does not hold, or no longer holds, what the plan says must be read next."},
	{Words: "ome data may have been lost because they are not available in Kafka", Topic: kafka, Says: "Kafka does not hold, or no longer holds, what the plan says must be read next."},
	{Words: "OffsetOutOfRangeException", Topic: kafka, Says: "A consumer asked Kafka for an offset that the partition does not have."},
	{Words: "failOnDataLoss", Topic: kafka, Says: "Kafka does not hold, or no longer holds, what the plan says must be read next."},
	{Words: "Cannot fetch offset", Topic: kafka, Says: "A consumer asked Kafka for an offset and got none."},
	{Words: "Cannot fetch record", Topic: kafka, Says: "A consumer asked Kafka for a range of offsets and did not get it all."},
	{Words: "UnknownTopicOrPartitionException", Topic: kafka, Says: "Kafka has no such topic or partition, or does not show it to this user."},
	{Words: "START_OFFSET_DOES_NOT_MATCH_ASSIGNED", Topic: kafka, Says: "startingOffsets does not list exactly the partitions that the query is assigned."},
	{Words: "MISMATCHED_TOPIC_PARTITIONS", Topic: kafka, Says: "The partitions of a plan's two ends are not the same."},
	{Words: "GREATER_THAN_END_OFFSET", Topic: kafka, Says: "A start offset lies behind the end offset of its batch."},
	{Words: "Unable to fetch committed metadata from previous batch", Topic: connector, Says: "The Kinesis connector keeps where shards ended in files of its own, and one that it needs is not there."},
	{Words: "ExpiredIteratorException", Topic: sourceGone, Says: "An iterator over a Kinesis shard was older than five minutes when it was used."},
	{Words: "supplied sequence number … is invalid", Topic: sourceGone, Says: "The event hub does not hold the sequence number that the plan says is next."},
	{Words: "supplied offset … is invalid", Topic: sourceGone, Says: "The event hub does not hold the position that the plan says is next."},
	{Words: "Wrong basePath", Topic: sourceFolder, Says: "Files in the log of a file source lie below another folder than the one that the query reads now."},
	{Words: "FAILED_READ_FILE", Topic: inputGone, Says: "A data file that the batch was to read could not be read."},
	{Words: "SparkFileNotFoundException", Topic: inputGone, Says: "A data file that the batch was to read is not there."},
	{Words: "It is possible the underlying files have been updated", Topic: inputGone, Says: "A data file that the batch was to read is not there, or another one."},

	// State: its files.
	{Words: "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY", Topic: stateFolder, Says: "A query with state was restarted, and the folder of its state is empty or missing. Spark 4.2 and later look for that."},
	{Words: "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY", Topic: stateLeft, Says: "Batch 0 is to begin, and the folder of state is not empty. Spark 4.1 and later refuse that."},
	{Words: "CANNOT_READ_DELTA_FILE_NOT_EXISTS", Topic: stateMissing, Says: "A task opens the delta of a state version, and it is not there."},
	{Words: "CANNOT_READ_MISSING_SNAPSHOT_FILE", Topic: stateMissing, Says: "A task opens the snapshot of a state version, and it is not there."},
	{Words: "CANNOT_READ_STREAMING_STATE_FILE", Topic: stateMissing, Says: "A task opens the zip or the changelog of a RocksDB state version, and it is not there."},
	{Words: "CANNOT_FIND_BASE_SNAPSHOT_CHECKPOINT", Topic: stateMissing, Says: "No snapshot is there that the changelogs of the asked version begin with."},
	{Words: "INVALID_CHECKPOINT_LINEAGE", Topic: stateMissing, Says: "The versions that a state version names as its own history have a hole."},
	{Words: "SNAPSHOT_PARTITION_ID_NOT_FOUND", Topic: stateMissing, Says: "No snapshot of that partition is there."},
	{Words: "STATE_STORE_BASE_CHECKPOINT_ID_MISMATCH", Topic: stateMissing, Says: "The state version that is loaded has another id than the one that the commit records."},
	{Words: "UNEXPECTED_FILE_SIZE", Topic: stateDamaged, Says: "A RocksDB file has another size than its snapshot records."},
	{Words: "Copied …, expected … bytes", Topic: stateDamaged, Says: "A RocksDB file has another size than its snapshot records."},
	{Words: "CANNOT_READ_DELTA_FILE_KEY_SIZE", Topic: stateDamaged, Says: "A delta holds a key whose length cannot be."},
	{Words: "CANNOT_READ_SNAPSHOT_FILE_KEY_SIZE", Topic: stateDamaged, Says: "A snapshot holds a key whose length cannot be."},
	{Words: "CANNOT_READ_SNAPSHOT_FILE_VALUE_SIZE", Topic: stateDamaged, Says: "A snapshot holds a value whose length cannot be."},
	{Words: "CANNOT_READ_CHECKPOINT", Topic: stateDamaged, Says: "The list of files within a RocksDB snapshot is of a version that this release does not read."},
	{Words: "INVALID_CHANGE_LOG_READER_VERSION", Topic: stateDamaged, Says: "A changelog is of a version that this release does not read."},
	{Words: "INVALID_CHANGE_LOG_WRITER_VERSION", Topic: stateDamaged, Says: "A changelog of a version that this release does not write was asked for."},
	{Words: "AUTO_SNAPSHOT_REPAIR_FAILED", Topic: stateDamaged, Says: "The newest snapshot does not load, and neither does an older one with the changes since."},
	{Words: "STATE_STORE_UNEXPECTED_EMPTY_FILE_IN_ROCKSDB_ZIP", Topic: stateDamaged, Says: "A file without bytes was to go into a RocksDB snapshot."},
	{Words: "STATE_STORE_ROW_CHECKSUM_VERIFICATION_FAILED", Topic: stateDamaged, Says: "A row of state disagrees with the checksum beside it."},
	{Words: "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED", Topic: checksum, Says: "A file disagrees with the checksum that Spark wrote beside it."},
	{Words: "ChecksumException", Topic: checksum, Says: "A file disagrees with the checksum that Hadoop wrote beside it, in a hidden file that ends in .crc."},
	{Words: "Error reading delta file …Stream", Topic: stateDamaged, Says: "A delta ends within a record or does not decompress."},
	{Words: "Error reading delta file …does not exist", Topic: stateMissing, Says: "A task opens the delta of a state version, and it is not there."},
	{Words: "Error reading snapshot file …does not exist", Topic: stateMissing, Says: "A task opens the snapshot of a state version, and it is not there."},
	{Words: "Error reading streaming state file of …does not exist", Topic: stateMissing, Says: "A task opens a state file, and it is not there."},
	{Words: "Error reading delta file", Topic: stateDamaged, Says: "A task could not read the delta of a state version."},
	{Words: "Error reading snapshot file", Topic: stateDamaged, Says: "A task could not read the snapshot of a state version."},
	{Words: "block checksum mismatch", Topic: stateDamaged, Says: "A block of a RocksDB file disagrees with its checksum."},
	{Words: "Bad table magic number", Topic: stateDamaged, Says: "A RocksDB file does not end as one does."},
	{Words: "RocksDBException", Topic: stateDamaged, Says: "RocksDB could not open or read its files."},
	{Words: "Error decoding offset", Topic: stateDamaged, Says: "A compressed state file does not decompress."},
	{Words: "Stream is corrupted", Topic: stateDamaged, Says: "A compressed state file does not decompress."},
	{Words: "Stream ended prematurely", Topic: stateDamaged, Says: "A compressed state file ends before its end."},
	{Words: "Unexpected end of ZLIB input stream", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot ends before its end."},
	{Words: "ZipException", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot does not unpack."},
	{Words: "workingDir-…/metadata", Topic: stateDamaged, Says: "The zip of a RocksDB snapshot lacks the list of its files, or has no bytes."},
	{Words: "Unknown frame descriptor", Topic: codec, Says: "A state file was read with another codec than it was written with."},
	{Words: "CODEC_NOT_AVAILABLE", Topic: codec, Says: "The plan names a codec that this Spark does not have."},
	{Words: "Codec […is not available", Topic: codec, Says: "The plan names a codec that this Spark does not have."},
	{Words: "UNRELEASED_THREAD_ERROR", Topic: stateLock, Says: "A task waited for a RocksDB store that another thread of the same executor still held."},
	{Words: "cannot be acquired by", Topic: stateLock, Says: "A task waited for a RocksDB store that another thread of the same executor still held."},
	{Words: "For input string: \"…_", Topic: stateIDs, Says: "The names of state files hold ids (checkpoint format 2), and this run reads them as numbers."},

	// State: what it is.
	{Words: "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", Topic: stateSchema, Says: "The key that the query groups or joins by is not the one that the state was written with."},
	{Words: "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", Topic: stateSchema, Says: "What the query keeps for a key is not what the state was written with."},
	{Words: "Provided schema doesn't match to the schema for existing state", Topic: stateSchema, Says: "Key or value of the query's state are not those that the state was written with."},
	{Words: "STATE_STORE_KEY_ROW_FORMAT_VALIDATION_FAILURE", Topic: stateSchema, Says: "The bytes of a key are not a row of the schema that the query has now."},
	{Words: "STATE_STORE_VALUE_ROW_FORMAT_VALIDATION_FAILURE", Topic: stateSchema, Says: "The bytes of a value are not a row of the schema that the query has now."},
	{Words: "KEY_ROW_FORMAT_VALIDATION_FAILURE", Topic: stateSchema, Says: "The bytes of a key are not a row of the schema that the query has now."},
	{Words: "VALUE_ROW_FORMAT_VALIDATION_FAILURE", Topic: stateSchema, Says: "The bytes of a value are not a row of the schema that the query has now."},
	{Words: "state format invalidation", Topic: stateSchema, Says: "The bytes of a row of state are not a row of the schema that the query has now."},
	{Words: "STATE_STORE_COLUMN_FAMILY_SCHEMA_INCOMPATIBLE", Topic: stateSchema, Says: "A state variable has another schema than the one that is recorded."},
	{Words: "STATE_STORE_INVALID_VALUE_SCHEMA_EVOLUTION", Topic: stateSchema, Says: "The new schema of a state variable cannot read what older ones wrote."},
	{Words: "STATE_STORE_VALUE_SCHEMA_EVOLUTION_THRESHOLD_EXCEEDED", Topic: stateSchema, Says: "The schema of a state variable changed more often than is allowed."},
	{Words: "STATE_STORE_STATE_SCHEMA_FILES_THRESHOLD_EXCEEDED", Topic: stateSchema, Says: "The schemas of the state changed more often than is allowed."},
	{Words: "STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE", Topic: stateSchema, Says: "A state variable was a value, a list or a map, and is another of them now."},
	{Words: "STATE_STORE_INVALID_CONFIG_AFTER_RESTART", Topic: stateSchema, Says: "The output mode or the time mode of transformWithState is another one."},
	{Words: "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA", Topic: operators, Says: "The stateful operators of the query are not those that the state was written by."},
	{Words: "STDS_FAILED_TO_READ_OPERATOR_METADATA", Topic: stateRecord, Says: "The file that names a stateful operator could not be read."},
	{Words: "STDS_FAILED_TO_READ_STATE_SCHEMA", Topic: stateRecord, Says: "The file with the schema of state could not be read."},
	{Words: "STREAM_STREAM_JOIN_INCONSISTENT_STATE", Topic: stateDamaged, Says: "The stores of a join do not fit each other."},
	{Words: "STREAMING_UNFINISHED_REPARTITION_DETECTED", Topic: repartition, Says: "An offline change of the number of state partitions was begun and not finished."},

	// Settings and code.
	{Words: "join.stateFormatVersion is invalid", Topic: setting, Says: "The plan pins a format of join state that this release does not have."},
	{Words: "INVALID_CONF_VALUE", Topic: setting, Says: "A setting holds a value that Spark does not take; those that a plan pins win over those of the session."},
	{Words: "' in … is invalid", Topic: setting, Says: "A setting holds a value that Spark does not take; those that a plan pins win over those of the session."},
	{Words: " should be …, but was ", Topic: setting, Says: "A setting that should be a number is none; those that a plan pins win over those of the session."},
	{Words: "The value of … must be positive", Topic: setting, Says: "The plan pins a number of partitions that is none."},
	{Words: "ClassNotFoundException", Topic: setting, Says: "A class is not on the class path: where it is one for state stores, the plan pins it."},
	{Words: "STREAMING_OUTPUT_MODE", Topic: query, Says: "The output mode does not fit what the query does."},
	{Words: "utput mode not supported when", Topic: query, Says: "The output mode does not fit what the query does."},
	{Words: "AccessDenied", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "AccessControlException", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "Permission denied", Topic: access, Says: "The file system refused a request of the query's identity."},
	{Words: "403 Forbidden", Topic: access, Says: "The storage refused a request of the query's identity."},
	{Words: "No space left on device", Topic: machine, Says: "A disk was full: mostly the one of an executor."},
	{Words: "OutOfMemoryError", Topic: machine, Says: "A Java process had no memory left."},
	{Words: "ExecutorLostFailure", Topic: machine, Says: "An executor was lost."},

	// What many things print: only where nothing above fits.
	{Words: "assertion failed", Topic: assertion, Says: "A condition that Spark takes for granted did not hold, and the message does not say which.", general: true},
	{Words: "JsonEOFException", Topic: jsonFile, Says: "A text that should be JSON ends too early.", general: true},
	{Words: "JsonParseException", Topic: jsonFile, Says: "A text that should be JSON is none.", general: true},
	{Words: "MismatchedInputException", Topic: jsonFile, Says: "A text that should be JSON is empty or holds something else.", general: true},
	{Words: "MappingException", Topic: jsonFile, Says: "A text is JSON and lacks what it should hold.", general: true},
	{Words: "Unexpected end-of-input", Topic: jsonFile, Says: "A text that should be JSON ends too early.", general: true},
	{Words: "No content to map due to end-of-input", Topic: jsonFile, Says: "A text that should be JSON is empty.", general: true},
	{Words: "For input string", Topic: stateIDs, Says: "A text that should be a number is none: in state, the id of a file (checkpoint format 2).", general: true},
	{Words: "CANNOT_LOAD_STATE_STORE", Topic: stateAny, Says: "A task could not load its part of the state; the exception below it says why.", general: true},
	{Words: "STATE_STORE_", Topic: stateAny, Says: "Something is wrong with the state.", general: true},
	{Words: "NumberFormatException", Topic: stateIDs, Says: "A text that should be a number is none: in state, the id of a file (checkpoint format 2).", general: true},
	{Words: "NullPointerException", Topic: assertion, Says: "Something that Spark takes for granted was not there, and the message does not say what.", general: true},
	{Words: "EOFException", Topic: stateAny, Says: "A file ended where more bytes were expected.", general: true},
	{Words: "NoSuchFileException", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "File …does not exist", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "FileNotFoundException", Topic: fileMissing, Says: "A file is not there.", general: true},
	{Words: "DELTA_", Topic: sourceAny, Says: "Delta Lake refused something; whether as the source or as the sink of the query its name tells.", general: true},
	{Words: "ConcurrentModificationException", Topic: deltaSink, Says: "A Delta table was changed by somebody else while the query wrote to it; or, in a Kafka consumer, two tasks used the same one.", general: true},
	{Words: "ConcurrentAppendException", Topic: deltaSink, Says: "A Delta table was changed by somebody else while the query wrote to it.", general: true},
	{Words: "FOREACH_BATCH_USER_FUNCTION_ERROR", Topic: userCode, Says: "The function of foreachBatch failed.", general: true},
	{Words: "FAILED_EXECUTE_UDF", Topic: userCode, Says: "A function of the query's own code failed.", general: true},
}

// recognise is the condition of a chain, and which exception says so: the innermost one that tells, and where
// none does, the innermost that at least says something. nil where nothing is known.
func recognise(chain []Cause) (*Condition, int) {
	for _, general := range []bool{false, true} {
		for i := len(chain) - 1; i >= 0; i-- {
			text := chain[i].Class + ": " + chain[i].Message
			for _, c := range Conditions {
				if c.general == general && c.in(text) {
					return c, i
				}
			}
		}
	}
	return nil, 0
}

// in reports whether a text has the words.
func (c *Condition) in(text string) bool {
	for piece := range strings.SplitSeq(c.Words, "…") {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return true
}
