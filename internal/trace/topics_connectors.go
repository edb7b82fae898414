package trace

// What errors of connectors, of storages and of releases before Spark had conditions are about, beyond the topics
// that others have too.
var (
	sinkLog = &Topic{
		About:  "the log of a file sink lacks a file",
		Checks: "A file sink lists what it wrote in _spark_metadata of its output, one file a batch. Every tenth batch (spark.sql.streaming.fileSink.log.compactInterval) writes the files since the last .compact again as one, and needs each of them.",
		Proves: "It proves that the output's own log lacks a file. The checkpoint is not concerned, and it does not prove that a data file is lost: readers see only what the log lists.",
		Next:   "Look for _spark_metadata in the versions, the trash or a backup of the output's storage before the query runs again, and have the output checked (--sink LOCATION).",
		Avoid:  "Do not delete the checkpoint, and do not make an empty file of that name: the data files of that batch would be listed nowhere.",
		Codes:  []string{"sink-log-damaged", "sink-behind"}, home: outside,
	}
	wrongFS = &Topic{
		About:  "a path was given to another file system than its own",
		Checks: "Hadoop chooses a file system by the scheme of a path; a path without one, and some calls of old releases, take the default one (fs.defaultFS). A file system refuses a path of another scheme or host before it reads anything.",
		Proves: "It proves that the scheme or host of the path is not that of the file system Spark asked. No file was read: it says nothing about the checkpoint's files.",
		Next:   "Compare the scheme of the path with fs.defaultFS of the cluster. Use a newer Spark (2.1 asked the default file system for the file metadata), or put a checkpoint for this release on the default file system. The checkpoint needs no change.",
		Avoid:  "Do not write or delete the file that the message names: nothing in it is wrong.",
		home:   outside,
	}
	renaming = &Topic{
		About:  "a temporary file could not be given its name",
		Checks: "Spark writes a log or state file under a temporary name and renames it. The storage answered that it did not.",
		Proves: "It proves that the storage refused the rename, or answered so. The file can have its name all the same: some stores repeat a rename that was done. It does not prove a second run.",
		Next:   "Look whether the file has its name now. Make sure that one run of the query, and no other, is active; then restart: a batch without its file runs again.",
		Avoid:  "Do not rename the temporary file by hand: whether it is complete is not known.",
		Codes:  []string{"second-writer", "leftover-temp-file"},
	}
	lease = &Topic{
		About:  "HDFS took away the right to write a file",
		Checks: "HDFS lets one client write a file at a time, for as long as it renews its lease.",
		Proves: "It proves that another client took the file over, or removed it, or that this one was silent too long. It does not tell which.",
		Next:   "Make sure that one run of the query, and no other, is active: in all clusters and schedulers. Then restart.",
		Avoid:  "Do not change the checkpoint before that: a second run may still write to it.",
		Codes:  []string{"second-writer", "leftover-temp-file"}, home: outside,
	}
	storageDown = &Topic{
		About:  "the storage did not do what was asked",
		Checks: "Every read and write of a checkpoint is a request to its storage, which can be slow, busy, full or in repair.",
		Proves: "It proves that the storage failed at that moment. Unless it names a lost block, it says nothing against the files.",
		Next:   "Look at the state of the storage, its quota and its limits, then restart: a batch without its commit runs again.",
		Avoid:  "Do not delete the checkpoint to make room, or to get past it.",
		Codes:  []string{"access-denied"}, home: outside,
	}
	storageView = &Topic{
		About:  "the storage listed one thing and gave another",
		Checks: "A consistent view (EMRFS, S3Guard) keeps its own table of what is in a bucket; a file can also change between listing and reading.",
		Proves: "It proves that the table and the bucket, or the listing and the file, disagreed. It does not tell which of the two is right.",
		Next:   copyFirst + "Compare the bucket itself with the list (aws s3 ls, emrfs diff). S3 is consistent by itself since the end of 2020: a view on top is no longer needed.",
		Avoid:  "Do not let a tool make the bucket like the table before it is known which is right.",
		Codes:  []string{"offset-gap", "commit-gap", "state-version-missing", "state-file-missing", "partial-copy"}, ask: askThere,
	}
	inputPath = &Topic{
		About:  "a path that the query names does not exist",
		Checks: "When a query is planned, Spark looks for the folder or file that the code names, before any batch.",
		Proves: "It proves that this identity did not find the path at that moment. The checkpoint does not choose it.",
		Next:   "Compare the path in the code with the storage, and whether it is written with the scheme it needs.",
		Avoid:  "Do not change the checkpoint over it.",
		Codes:  []string{"drift"}, home: outside,
	}
	startOption = &Topic{
		About:  "the start option of a Kafka source does not fit the topic",
		Checks: "startingOffsets and startingTimestamp count only where a source begins: then Spark writes where it began into sources/N/0, and later starts read that file. The option must name exactly the partitions of the topic.",
		Proves: "It proves that Kafka's partitions and those of the option differ, where the source begins to read. Nothing was read yet: no data is lost.",
		Next:   "Compare the partitions of the option with those of the topic: name each of them, with -2 for the oldest offset or -1 for the newest, then start again.",
		Avoid:  "Do not take it for lost data, and do not set failOnDataLoss to false because of it.",
		home:   inQuery,
	}
	kafkaSet = &Topic{
		About:  "the set of Kafka partitions changed",
		Checks: "A Kafka source compares the partitions of the newest plan with those the brokers list, before each batch.",
		Proves: "It proves that the two lists differed at that moment. It does not prove that a record is lost: what a partition held is read or not read by its offsets.",
		Next:   "Compare the partitions of the topic with those of the newest plan (tidemark offsets LOCATION), and find out when the topic was changed or made again.",
		Avoid:  "Do not set failOnDataLoss to false to get past it before you know whether all records of a partition that is gone were read.",
		Codes:  []string{"partition-vanished", "partition-added", "source-data-gone"}, home: outside,
	}
	availableNow = &Topic{
		About:  "an open batch does not fit what Trigger.AvailableNow fetched",
		Checks: "With Trigger.AvailableNow a Kafka source fetches the newest offsets once and holds each batch against them, also one that runs again as planned.",
		Proves: "It proves that partitions or offsets of the batch and of what was fetched differ. It does not prove that a record is lost.",
		Next:   "Start the query once with another trigger (for instance Trigger.ProcessingTime) until the open batch is committed, then use AvailableNow again.",
		Avoid:  "Do not delete the open plan or the checkpoint: its batch may have reached the sink.",
		Codes:  []string{"partition-added", "partition-vanished", "source-data-gone"},
	}
	kafkaWait = &Topic{
		About:  "Kafka did not answer in time",
		Checks: "Driver and executors ask the brokers for partitions, offsets and records, and wait a bounded time.",
		Proves: "It proves that no answer came in time: network, rights, a broker without a leader. It says nothing about offsets, nor about the checkpoint.",
		Next:   "Look whether the brokers can be reached from the driver and from each executor, and whether each partition has a leader; then restart. The batch runs again as planned.",
		Avoid:  "Do not set failOnDataLoss to false: nothing says that a record is gone.",
		home:   outside,
	}
	kafkaOption = &Topic{
		About:  "an option of the Kafka source or sink does not fit",
		Checks: "The options of the query, and the rows it sends, before any offset counts.",
		Proves: "It proves that an option, or a row, is not what the connector takes. It says nothing about the checkpoint.",
		Next:   "Compare the options in the code with what the message asks for.",
		home:   outside,
	}
	deltaStart = &Topic{
		About:  "the start option of a Delta source does not fit the table",
		Checks: "startingVersion and startingTimestamp count only where the source begins: once a plan holds a position, a restart continues from there.",
		Proves: "It proves that the table has no such version or time. Nothing of the checkpoint is concerned.",
		Next:   "Compare the option in the code with the history of the table (DESCRIBE HISTORY).",
		home:   inQuery,
	}
	deltaTracking = &Topic{
		About:  "the schema log of a Delta source does not fit",
		Checks: "With schemaTrackingLocation a Delta source keeps the schemas it read in a log of its own, a folder _schema_log_… below the checkpoint, and holds it against the table at every start.",
		Proves: "It proves that this log and the table, or the option, do not fit each other. It says nothing about offsets and commits.",
		Next:   copyFirst + "Compare the folder that the message names with the option in the code and with the table's id.",
		Avoid:  "Do not delete the schema log of a running query: then it would read old files with the newest schema.",
		Codes:  []string{"source-identity-changed"},
	}
	deltaWrite = &Topic{
		About:  "the Delta table that the query writes refused the batch",
		Checks: "A Delta sink compares the rows, the table's schema and features, and the newest batch it holds of this query, before it commits.",
		Proves: "It proves that this write did not happen. The batch stays uncommitted and runs again at the next start.",
		Next:   "Change what the message names, in the table or the code, then restart.",
		Avoid:  "Do not delete the batch's plan: it runs again with the same offsets.",
		Codes:  []string{"sink-schema-changed"}, home: outside,
	}
	deltaProtocol = &Topic{
		About:  "this release of Delta Lake does not take the table",
		Checks: "A table names the features and protocol versions that a reader and a writer must know.",
		Proves: "It proves that the table asks for more than this release knows: somebody upgraded the table, or the query runs with an older release.",
		Next:   "Run the query with a release of Delta Lake that knows the feature. The checkpoint continues from where it is.",
		Avoid:  "Do not delete the checkpoint over it.",
		home:   outside,
	}
	deltaLog = &Topic{
		About:  "the log of the Delta table has a hole or is damaged",
		Checks: "A source rebuilds a version of the table from a checkpoint file of the table and the commits after it.",
		Proves: "It proves that the table's own log, _delta_log, could not be read through. The checkpoint of the query is not concerned.",
		Next:   "Look into _delta_log for the version that the message names (tidemark check LOCATION --source INDEX=TABLE).",
		Avoid:  "Do not delete the checkpoint of the query: it is the record of how far was read.",
		Codes:  []string{"source-data-gone", "source-identity-changed"}, home: outside,
	}
	tableChanges = &Topic{
		About:  "the table removed or replaced rows",
		Checks: "A streaming source of a table gives new rows only. A commit that deletes or overwrites stops it unless an option says to pass it over.",
		Proves: "It proves that such a commit follows the position of this checkpoint. The checkpoint itself is not concerned.",
		Next:   "Find out what that commit changed, and decide whether the sink needs it, before an option passes it over.",
		Avoid:  "Do not pass it over only because the query then runs again: deletions may have to reach the sink.",
		home:   outside,
	}
	tableService = &Topic{
		About:  "a service that runs next to a Hudi sink stopped",
		Checks: "A Hudi sink can compact and cluster the table in threads of its own. Where one stops, the query stops with the next batch.",
		Proves: "It proves that the service ended; why, its own log line tells. The batch stays uncommitted and runs again.",
		Next:   "Look for the error of the service in the driver's log, then restart.",
		home:   outside,
	}
	spilt = &Topic{
		About:  "an executor's local copy of state could not be used",
		Checks: "RocksDB works on a local copy of a store on the executor's disk.",
		Proves: "It proves that the local disk or library of the executor failed. It says nothing about the files of the checkpoint.",
		Next:   "Look at the local disk and the libraries of that executor, then restart.",
		Avoid:  "Do not change the checkpoint over it.",
		home:   outside,
	}
	rateOptions = &Topic{
		About:  "a rate source has other options than before",
		Checks: "A rate source counts rows by its options and by the time at which it first began, which sources/N/0 records. The plan records how far it was asked.",
		Proves: "It proves that options or clock of this test source changed. No data is lost.",
		Next:   "Start it with the options it had, or with a new checkpoint.",
		Codes:  []string{"offset-regression"}, home: inQuery,
	}
	otherColumns = &Topic{
		About:  "a source gave other columns than it said",
		Checks: "Spark compares the columns that a source gives for a batch with those that the query was planned with.",
		Proves: "It proves that the source changed its schema while the query ran, or is a faulty connector. It says nothing about the checkpoint.",
		Next:   "Restart the query, so that Spark plans it again; compare the schema of the source with the code.",
		home:   outside,
	}
	unwritten = &Topic{
		About:  "a file could not be written",
		Checks: "A batch writes its plan, its state and its commit under temporary names first.",
		Proves: "It proves that this write failed. The batch stays uncommitted and runs again at the next start.",
		Next:   "Look at the exception below it, at rights, free space and quota of the storage and of the executor's disk; then restart.",
		Avoid:  "Do not write the file by hand.",
		Codes:  []string{"access-denied", "leftover-temp-file"}, home: outside,
	}
	epochs = &Topic{
		About:  "an epoch of continuous processing did not end",
		Checks: "With a continuous trigger executors report where each epoch ended; the driver writes that into offsets and then commits the epoch.",
		Proves: "It proves that this did not happen for one epoch. What was read since the last committed one is read again at the next start.",
		Next:   "Look for an executor that was lost or hangs, then restart.",
		Avoid:  "Do not write an epoch into the logs by hand.",
		Codes:  []string{"commit-without-offset", "offset-gap"},
	}
	groupState = &Topic{
		About:  "the function of a stateful operator did something that is not allowed",
		Checks: "What the function of mapGroupsWithState or flatMapGroupsWithState asks of a group's state and timeouts, when it runs.",
		Proves: "It proves nothing about the files of the checkpoint: the code asked for something that does not go. The batch stays uncommitted and runs again.",
		Next:   "Look at the function at the place that the trace names.",
		home:   outside,
	}
)
