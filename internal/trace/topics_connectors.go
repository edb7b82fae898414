package trace

// What errors of connectors, of storages and of releases before Spark had conditions are about, beyond the topics
// that others have too.
var (
	sinkLog = &Topic{
		About:  "the log of a file sink has a missing file",
		Checks: "A file sink lists its files in _spark_metadata of its output, one log file per batch. Every tenth batch (spark.sql.streaming.fileSink.log.compactInterval) compacts the log and needs each file since the last .compact.",
		Proves: "The log of the output has a missing file. The checkpoint is not affected. No data file needs to be lost: readers see only what the log lists.",
		Next:   "Look for _spark_metadata in object versions, trash, backups of the output before the query runs again. Check the output (--sink LOCATION).",
		Avoid:  "Do not delete the checkpoint, and do not create an empty file of that name: no log would list that batch's data files.",
		Codes:  []string{"sink-log-damaged", "sink-behind"}, home: outside,
	}
	wrongFS = &Topic{
		About:  "a path was given to the wrong file system",
		Checks: "Hadoop selects a file system by the scheme of a path. A path without a scheme uses the default one (fs.defaultFS), and so do some calls of old releases. A file system rejects a path of another scheme or host.",
		Proves: "The scheme or host of the path differs from the file system Spark asked. Spark read no file, so it says nothing about the checkpoint's files.",
		Next:   "Compare the scheme of the path with fs.defaultFS of the cluster. Use a newer Spark: 2.1 read the metadata file from the default file system. Or put a checkpoint for this release on the default file system. The checkpoint needs no change.",
		Avoid:  "Do not write or delete the file the message names: its contents are not the problem.",
		home:   outside,
	}
	renaming = &Topic{
		About:  "a temporary file could not be renamed",
		Checks: "Spark writes a log or state file under a temporary name and renames it. The storage reported that the rename failed.",
		Proves: "The storage rejected the rename, or reported so. The file may still have its name: some stores repeat a rename that succeeded. It does not prove a second run.",
		Next:   "Check whether the file has its name now. Make sure exactly one run of the query is active. Then restart: Spark re-runs a batch without its file.",
		Avoid:  "Do not rename the temporary file by hand: it may be incomplete.",
		Codes:  []string{"second-writer", "leftover-temp-file"},
	}
	lease = &Topic{
		About:  "HDFS revoked the lease on a file",
		Checks: "HDFS lets one client at a time write a file, as long as it renews its lease.",
		Proves: "Another client took over the file or removed it, or this client did not respond for too long. It does not show which.",
		Next:   "Make sure exactly one run of the query is active, in all clusters and schedulers. Then restart.",
		Avoid:  "Do not change the checkpoint before that: a second run may still write to it.",
		Codes:  []string{"second-writer", "leftover-temp-file"}, home: outside,
	}
	storageDown = &Topic{
		About:  "the storage did not complete a request",
		Checks: "Each read and write of a checkpoint is a request to its storage. The storage can be slow, busy, full or unavailable.",
		Proves: "The storage failed at that moment. Unless it names a lost block, it proves nothing against the files.",
		Next:   "Check the state of the storage, its quota and its limits. Then restart: Spark re-runs an uncommitted batch.",
		Avoid:  "Do not delete the checkpoint to free space or to avoid the error.",
		Codes:  []string{"access-denied"}, home: outside,
	}
	storageView = &Topic{
		About:  "the storage listed one thing and returned another",
		Checks: "A consistent view (EMRFS, S3Guard) keeps its own table of a bucket's contents. A file can also change between listing and reading.",
		Proves: "The table and the bucket differ, or the listing and the file. It does not show which of the two is right.",
		Next:   copyFirst + "Compare the bucket itself with the list (aws s3 ls, emrfs diff). Since the end of 2020 S3 itself is consistent and needs no such view.",
		Avoid:  "Do not let a tool change the bucket to match the table before you know which is right.",
		Codes:  []string{"offset-gap", "commit-gap", "state-version-missing", "state-file-missing", "partial-copy"}, ask: askThere,
	}
	inputPath = &Topic{
		About:  "a path the query names does not exist",
		Checks: "When Spark plans a query, it looks for the folder or file the code names, before any batch.",
		Proves: "This identity did not find the path at that moment. The path is from the code, not from the checkpoint.",
		Next:   "Compare the path in the code with the storage. Check whether its scheme is right.",
		Avoid:  "Do not change the checkpoint because of it.",
		Codes:  []string{"drift"}, home: outside,
	}
	startOption = &Topic{
		About:  "the start option of a Kafka source does not match the topic",
		Checks: "startingOffsets and startingTimestamp count only at the first start. Spark then writes the start offsets to sources/N/0, and later starts read that file. The option must name exactly the partitions of the topic.",
		Proves: "The partitions of the topic and of the option differ at the first read. The query has read nothing yet, so no data is lost.",
		Next:   "Compare the partitions of the option with those of the topic. Name each of them, with -2 for the oldest offset or -1 for the newest. Then start again.",
		Avoid:  "Do not treat it as lost data, and do not set failOnDataLoss to false because of it.",
		home:   inQuery,
	}
	kafkaSet = &Topic{
		About:  "the set of Kafka partitions changed",
		Checks: "Before each batch a Kafka source compares the partitions of the newest offset file with those the brokers list.",
		Proves: "The two lists differed at that moment. It does not prove that a record is lost: only the offsets show what the query has read.",
		Next:   "Compare the partitions of the topic with the newest offset file (tidemark offsets LOCATION). Find out when the topic was changed or created again.",
		Avoid:  "Do not set failOnDataLoss to false before you know whether all records of a removed partition were read.",
		Codes:  []string{"partition-vanished", "partition-added", "source-data-gone"}, home: outside,
	}
	availableNow = &Topic{
		About:  "an uncommitted batch does not match the Trigger.AvailableNow offsets",
		Checks: "With Trigger.AvailableNow a Kafka source fetches the newest offsets once. It compares each batch with them, also a re-run batch.",
		Proves: "Partitions or offsets of the batch differ from what Kafka returned. It does not prove that a record is lost.",
		Next:   "Start the query once with another trigger (for instance Trigger.ProcessingTime) until the batch is committed. Then use AvailableNow again.",
		Avoid:  "Do not delete the uncommitted offset file or the checkpoint: its batch may have reached the sink.",
		Codes:  []string{"partition-added", "partition-vanished", "source-data-gone"},
	}
	kafkaWait = &Topic{
		About:  "Kafka did not answer in time",
		Checks: "Driver and executors ask the brokers for partitions, offsets and records, with a time limit.",
		Proves: "No answer arrived in time. Possible causes: network, permissions, a broker without a leader. It says nothing about offsets or the checkpoint.",
		Next:   "Check that the driver and each executor can reach the brokers. Check that each partition has a leader. Then restart: Spark re-runs the batch with its recorded offsets.",
		Avoid:  "Do not set failOnDataLoss to false: nothing shows that a record is gone.",
		home:   outside,
	}
	kafkaOption = &Topic{
		About:  "an option of the Kafka source or sink is invalid",
		Checks: "Spark checks the options of the query, and the rows it sends, before any offset.",
		Proves: "The connector does not accept an option or a row. It says nothing about the checkpoint.",
		Next:   "Compare the options in the code with what the message asks for.",
		home:   outside,
	}
	deltaStart = &Topic{
		About:  "the start option of a Delta source does not match the table",
		Checks: "startingVersion and startingTimestamp count only at the first start. With a recorded offset, a restart continues from there.",
		Proves: "The table has no such version or time. The checkpoint is not affected.",
		Next:   "Compare the option in the code with the history of the table (DESCRIBE HISTORY).",
		home:   inQuery,
	}
	deltaTracking = &Topic{
		About:  "the schema log of a Delta source does not match",
		Checks: "With schemaTrackingLocation a Delta source records the schemas it read in the folder _schema_log_… below the checkpoint. Each start compares this log with the table.",
		Proves: "This log and the table, or the option, do not match. It says nothing about offsets and commits.",
		Next:   copyFirst + "Compare the folder the message names with the option in the code and with the table ID.",
		Avoid:  "Do not delete the schema log of a running query: it would read old files with the newest schema.",
		Codes:  []string{"source-identity-changed"},
	}
	deltaWrite = &Topic{
		About:  "the Delta sink rejected the batch",
		Checks: "Before a commit, a Delta sink checks the rows, the table's schema and features, and its newest batch.",
		Proves: "This write failed. The batch stays uncommitted, and Spark re-runs it at the next start.",
		Next:   "Change what the message names, in the table or the code. Then restart.",
		Avoid:  "Do not delete the batch's offset file: Spark re-runs the batch with the same offsets.",
		Codes:  []string{"sink-schema-changed"}, home: outside,
	}
	deltaProtocol = &Topic{
		About:  "this Delta Lake release does not support the table",
		Checks: "A table lists the features and protocol versions that readers and writers must support.",
		Proves: "The table needs more than this release supports. Either the table was upgraded, or the query uses an older release.",
		Next:   "Run the query with a Delta Lake release that supports the feature. The checkpoint continues from its position.",
		Avoid:  "Do not delete the checkpoint because of it.",
		home:   outside,
	}
	deltaLog = &Topic{
		About:  "the log of the Delta table has a gap or is damaged",
		Checks: "A source rebuilds a version of the table from a checkpoint file of the table and the commits after it.",
		Proves: "The table's own log, _delta_log, could not be read completely. The checkpoint of the query is not affected.",
		Next:   "Look in _delta_log for the version the message names (tidemark check LOCATION --source INDEX=TABLE).",
		Avoid:  "Do not delete the checkpoint of the query: it records how far the query has read.",
		Codes:  []string{"source-data-gone", "source-identity-changed"}, home: outside,
	}
	tableChanges = &Topic{
		About:  "the table removed or replaced rows",
		Checks: "A streaming source of a table returns new rows only. A commit that deletes or overwrites fails the query, unless an option skips it.",
		Proves: "Such a commit follows the position of this checkpoint. The checkpoint itself is not affected.",
		Next:   "Find out what that commit changed. Decide whether the sink needs the change before you set an option that skips it.",
		Avoid:  "Do not skip it only because the query then runs: the sink may need the deletions.",
		home:   outside,
	}
	tableService = &Topic{
		About:  "a service that runs next to a Hudi sink stopped",
		Checks: "A Hudi sink can compact and cluster the table in its own threads. If one stops, the query fails with the next batch.",
		Proves: "The service stopped. Its own log shows why. The batch stays uncommitted, and Spark re-runs it.",
		Next:   "Look for the error of the service in the driver log. Then restart.",
		home:   outside,
	}
	spilt = &Topic{
		About:  "an executor could not use its local copy of the state",
		Checks: "RocksDB uses a local copy of a store on the executor's disk.",
		Proves: "The local disk or library of the executor failed. It says nothing about the files of the checkpoint.",
		Next:   "Check the local disk and the libraries of that executor. Then restart.",
		Avoid:  "Do not change the checkpoint because of it.",
		home:   outside,
	}
	rateOptions = &Topic{
		About:  "the options of a rate source changed",
		Checks: "A rate source counts rows by its options and its first start time, which sources/N/0 records. The offset file records its position.",
		Proves: "Options or clock of this test source changed. No data is lost.",
		Next:   "Start it with its previous options, or with a new checkpoint.",
		Codes:  []string{"offset-regression"}, home: inQuery,
	}
	otherColumns = &Topic{
		About:  "a source returned other columns than declared",
		Checks: "Spark compares the columns a source returns for a batch with those the query was planned with.",
		Proves: "The source changed its schema while the query ran, or the connector has a bug. It says nothing about the checkpoint.",
		Next:   "Restart the query, so that Spark plans it again. Compare the schema of the source with the code.",
		home:   outside,
	}
	unwritten = &Topic{
		About:  "a file could not be written",
		Checks: "A batch first writes its offset file, its state and its commit file under temporary names.",
		Proves: "This write failed. The batch stays uncommitted, and Spark re-runs it at the next start.",
		Next:   "Read the exception below it. Check permissions, free space and quota of the storage and the executor's disk. Then restart.",
		Avoid:  "Do not write the file by hand.",
		Codes:  []string{"access-denied", "leftover-temp-file"}, home: outside,
	}
	epochs = &Topic{
		About:  "an epoch of continuous mode did not finish",
		Checks: "In continuous mode executors report where each epoch ended. The driver writes that to offsets and then commits the epoch.",
		Proves: "This did not happen for one epoch. The next start reads everything after the last committed epoch again.",
		Next:   "Look for an executor that was lost or hangs. Then restart.",
		Avoid:  "Do not write an epoch into the logs by hand.",
		Codes:  []string{"commit-without-offset", "offset-gap"},
	}
	groupState = &Topic{
		About:  "a stateful function did something Spark does not allow",
		Checks: "Spark checks what a mapGroupsWithState or flatMapGroupsWithState function does with state and timeouts, while it runs.",
		Proves: "It proves nothing about the files of the checkpoint: the code made an invalid request. The batch stays uncommitted and Spark re-runs it.",
		Next:   "Check the function at the place the trace names.",
		home:   outside,
	}
)
