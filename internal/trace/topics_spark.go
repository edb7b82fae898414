package trace

// What conditions of Spark's own catalog are about, beyond the topics that older messages have too.
var (
	stateModes = &Topic{
		About:  "the mode of transformWithState changed",
		Checks: "Before the first batch Spark 4.0 and later compare the modes of transformWithState (time, output) with state/N/_metadata.",
		Proves: "The query uses another mode than the recorded one: the code changed. It proves nothing against the files.",
		Next:   "Start the query with the recorded mode, or start a new checkpoint.",
		Avoid:  "Do not edit the metadata of the operator: timers and expiry in its state were written in the recorded mode.",
		Codes:  []string{"drift"}, home: inQuery,
	}
	stateVariables = &Topic{
		About:  "a state variable of transformWithState changed",
		Checks: "Before the first batch Spark 4.0 and later compare the state variables of the query with state/N/_metadata and its schemas: names, kinds, schemas.",
		Proves: "The code declares the variable differently than the run before. It proves nothing against the files.",
		Next:   "Start the code that wrote this checkpoint. Or use a new name for the changed variable, or start a new checkpoint.",
		Avoid:  "Do not delete the recorded schema: Spark would read the bytes of the old variable as the new one.",
		Codes:  []string{"drift"}, home: inQuery,
	}
	schemaLimit = &Topic{
		About:  "the state schema changed more often than allowed",
		Checks: "Each change of a state variable adds a schema file in state/N/_stateSchema. The number of files is limited.",
		Proves: "The newest change exceeds the limit. It proves nothing against the files.",
		Next:   "Go back to the schema before the newest change. If the change is intended, raise the limit the message names.",
		Avoid:  "Do not delete old schema files: the state still contains rows written with them.",
		home:   inQuery,
	}
	rowFormat = &Topic{
		About:  "a state row does not have the expected format",
		Checks: "When Spark loads a state store, it compares the fields of one row with the schema of the query.",
		Proves: "One row did not match. The message does not say whether the query changed, another release wrote the row, or its bytes are damaged.",
		Next:   copyFirst + "Compare the query with the recorded schema (--spec), and read the state files to their end (tidemark check LOCATION --deep).",
		Avoid:  "Do not turn formatValidation off (spark.sql.streaming.stateStore.formatValidation.enabled): Spark would read one column as another.",
		Codes:  []string{"drift", "state-format-old", "state-file-damaged", "checksum-mismatch", "state-size-mismatch"}, ask: askWhole, home: inQuery,
		like: stateSchema,
	}
	executorRace = &Topic{
		About:  "two threads used one state store on an executor",
		Checks: "One task at a time uses an open store on an executor. Spark keeps a stamp of that use in memory and fails a task with an old stamp.",
		Proves: "Two threads ran at once in one executor: mostly an abandoned task and its replacement, or the maintenance thread. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, check the executor log for killed or hanging tasks and speculative execution. Also check for functions that ignore interrupts.",
		Avoid:  "Do not change anything in the checkpoint because of it.",
		home:   outside,
	}
	storeMemory = &Topic{
		About:  "an executor had not enough memory for the state",
		Checks: "A task loads its state partition before it runs. The HDFS-backed provider keeps a whole store in memory.",
		Proves: "The executor had not enough memory at that moment. It proves nothing against the files.",
		Next:   "Compare the size of the store's files with the memory of an executor. Give it more memory, run fewer stores at once, or let state expire.",
		Avoid:  "Do not delete state to make it smaller.",
		home:   outside,
	}
	stateUnwritten = &Topic{
		About:  "state could not be written",
		Checks: "At the end of a batch each task writes a new version of its store to the checkpoint.",
		Proves: "A version was not written completely. The batch stays uncommitted, and Spark re-runs it at the next start.",
		Next:   "Read the exception below it. Check permissions, free space and quota of the storage and the executor's local disk. Then restart.",
		Avoid:  "Do not delete files of the unfinished version: the next run writes them again.",
		home:   outside,
	}
	storesUncommitted = &Topic{
		About:  "not every state store was written",
		Checks: "At the end of a batch Spark 4.1 and later compare the number of written stores with the expected one.",
		Proves: "Some partitions of the batch did not finish. The usual cause is a foreachBatch function that does not read all rows, such as show() or limit(). It proves nothing against the files.",
		Next:   "Let the foreachBatch function read the whole batch and not catch exceptions. Then restart: Spark re-runs the batch.",
		Avoid:  "Do not write the missing files by hand, and do not write a commit file for the batch.",
		home:   inQuery,
	}
	stateProvider = &Topic{
		About:  "the state store provider does not support this",
		Checks: "The newest offset file records the state store provider. transformWithState needs RocksDB, and some features exist in one provider only.",
		Proves: "The query, or a job that reads its state, needs a feature this provider does not have. It proves nothing against the files.",
		Next:   "Compare the provider in the newest offset file with the one the query needs. Another provider needs a new checkpoint.",
		Avoid:  "Do not edit the recorded provider: the old one wrote the files.",
		home:   inQuery,
	}
	stateUse = &Topic{
		About:  "the query uses its state in a way Spark does not allow",
		Checks: "Spark checks names, keys and values the code gives to state, when it plans or runs. It compares no file.",
		Proves: "It proves nothing about the checkpoint: the code, or Spark itself, made an invalid request.",
		Next:   "Find the operator or stateful processor the trace names. Compare it with the code that ran before.",
		home:   outside,
	}
	stateReader = &Topic{
		About:  "a job that reads the state has invalid options",
		Checks: "The state data source reads a checkpoint as a table. Its options select batch, operator, store and side.",
		Proves: "This read failed. The streaming query itself is not affected.",
		Next:   "Compare the options with the checkpoint: tidemark state LOCATION lists operators and stores, tidemark batches LOCATION the batches.",
		Avoid:  "Do not change the checkpoint to satisfy a reader.",
		home:   outside, again: "run the job that reads it",
	}
	stateReaderFiles = stateReader.but(Topic{
		About:  "a job that reads the state misses something of the checkpoint",
		Proves: "It proves that this file or entry could not be had by the job. It need not be one that the streaming query itself needs.",
	})
	repartitioning = &Topic{
		About:  "the number of state partitions cannot be changed here",
		Checks: "First, an offline change of partitions reads the newest offset file and commit file, the operators and its parameters. Then it writes its own batch.",
		Proves: "The command did not start. It changed nothing in the checkpoint.",
		Next:   "Read what the message asks for. Stop the query with its last batch committed. Then run the command again.",
		Avoid:  "Do not add or remove log files to make the command start.",
		home:   outside, again: "run the command",
	}
	rewriting = &Topic{
		About:  "the state cannot be rewritten",
		Checks: "A command that rewrites state first reads the operator metadata, the schemas and the format of the newest commit file.",
		Proves: "One of these is not what the command needs.",
		Next:   "Compare what the message names with what the checkpoint records. The query itself may still start.",
		Avoid:  "Do not edit the metadata of operators.",
		home:   outside, again: "run the command",
	}
	processor = &Topic{
		About:  "the stateful processor does something Spark does not allow",
		Checks: "Spark checks what a StatefulProcessor requests, and when: timers, expiry, variables. It compares no file.",
		Proves: "It proves nothing about the checkpoint: the error is in the code of the processor.",
		Next:   "Check the processor's code at the place the trace names.",
		home:   outside,
	}
	realTime = &Topic{
		About:  "real-time mode does not support this query",
		Checks: "Before the first batch of a real-time query, Spark 4.1 and later check its sources, operators, sink and settings.",
		Proves: "The query, as configured, cannot run in real-time mode. It proves nothing against the files.",
		Next:   "Change what the message names, or use another trigger.",
		home:   outside,
	}
	shuffle = &Topic{
		About:  "tasks of a real-time query could not exchange rows",
		Checks: "In real-time mode all stages of a batch run at the same time and exchange rows over the network.",
		Proves: "A message between two tasks was late, lost or damaged. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, check free task slots and the network between executors.",
		home:   outside,
	}
	pythonWorker = &Topic{
		About:  "a Python process of the query failed",
		Checks: "Python functions and sources run in a separate process, and Spark communicates with it over a socket.",
		Proves: "It proves nothing about the files of the checkpoint. Spark re-runs an interrupted batch.",
		Next:   "Read the Python error in the message. Check the versions of Python and packages on driver and executors.",
		home:   outside,
	}
	fileManager = &Topic{
		About:  "the class that writes the checkpoint could not be loaded",
		Checks: "Spark creates a checkpoint file manager for the path: the class in spark.sql.streaming.checkpointFileManagerClass, or one for its file system.",
		Proves: "Spark could not use this class, or the file system's own. It read nothing of the checkpoint.",
		Next:   "Check the setting and the class path. Check whether this Spark has a file system for the scheme of the path.",
		Avoid:  "Do not move the checkpoint to avoid the error.",
		home:   outside,
	}
	logWrite = &Topic{
		About:  "a log file could not be written",
		Checks: "Spark writes offsets/N before batch N runs and commits/N after it.",
		Proves: "The write failed for Spark. The file may still exist: a storage can return an error and keep the file.",
		Next:   "Read the exception below it. Check permissions, free space and quota of the storage. Then restart: Spark re-runs an uncommitted batch.",
		Avoid:  "Do not write the file by hand.",
		Codes:  []string{"access-denied", "leftover-temp-file"}, home: outside,
	}
	rateSource = &Topic{
		About:  "the range of a rate source is reversed",
		Checks: "A rate source counts from its start time and its options. The offset file records its position.",
		Proves: "The start or rate of the source changed, or the clock did. This is a test source: no data is lost.",
		Next:   "Start it with its previous options, or with a new checkpoint.",
		home:   inQuery,
	}
	otherVersion = logFile.but(Topic{
		About:  "a log file has another version",
		Proves: "The first line of a log file has a version this release does not support. The usual cause is another release or another setting.",
		Next:   "Start the query with the release that wrote the file, or a later one.",
		Avoid:  "Do not edit the version line: the lines after it have that version too.",
	})
	lineage = stateMissing.but(Topic{
		About:  "the history of a state version has a gap",
		Checks: "With checkpoint format 2 (4.0 and later) a state version lists the versions it builds on, back to a snapshot. Each of them must exist.",
		Proves: "The files Spark found are not enough to build the requested version. It does not show who removed one.",
		Next:   copyFirst + "Look in object versions, trash, backups for the files of the versions in the message.",
	})
	joinState = &Topic{
		About:  "the state stores of a join do not match",
		Checks: "One store of a join side keeps the number of values per key, another one the values. Both must have the same version.",
		Proves: "The two stores of a partition do not match. It does not show whether a file is wrong or a bug in Spark wrote them. Several releases had such bugs.",
		Next:   copyFirst + "Verify the files of that partition (tidemark check LOCATION --deep). Look for a later patch of the release.",
		Avoid:  "Do not set the option that skips the check before you know which rows are missing.",
		Codes:  []string{"state-file-damaged", "state-version-missing", "state-size-mismatch"},
	}
	sourceNames = &Topic{
		About:  "names of sources and sinks do not match",
		Checks: "Since 4.2 sources and sinks can have names, and offset files of version 2 record offsets by name. A setting makes names mandatory.",
		Proves: "The names and the settings of the query do not match, before any batch. It proves nothing against the files.",
		Next:   "Add or remove the names as the message says.",
		Avoid:  "Do not rename sources in the offset files.",
		home:   outside,
	}
	session = &Topic{
		About:  "a Spark Connect client asked for something that does not exist",
		Checks: "The server keeps active queries by their IDs and answers requests of clients. It compares no file.",
		Proves: "It proves nothing about the checkpoint.",
		Next:   "Check whether the query is still active on the server. Look for the error that stopped it.",
		home:   outside,
	}
	rddCheckpoint = &Topic{
		About:  "this is the checkpoint of an RDD, not of a streaming query",
		Checks: "RDD.checkpoint and localCheckpoint save the rows of one computation. The checkpoint of a streaming query is unrelated.",
		Proves: "It proves nothing about this checkpoint. If the query's own code creates RDD checkpoints, one of its batches failed.",
		Next:   "Look in the query's code for checkpoint() and localCheckpoint(). Check whether an executor was lost.",
		home:   outside,
	}
	lateRows = &Topic{
		About:  "an operator emitted a row older than the watermark",
		Checks: "With several stateful operators, each row an operator emits must not be older than the watermark of the batch.",
		Proves: "The transformWithState code emitted such a row. It proves nothing against the files.",
		Next:   "Let the operator emit times at or after the watermark, or set its event time column again.",
		Avoid:  "Do not lower the watermark in an offset file.",
		home:   inQuery,
	}
	stoppedQuery = &Topic{
		About:  "the query failed with an error",
		Checks: "This only says that the query ended. The cause is below it, or in the line itself.",
		Proves: "It proves nothing by itself.",
		Next:   "Look for the whole trace, with the lines \"Caused by\", in the driver log.",
		Avoid:  "Do not change anything before you know the cause.",
		home:   outside,
	}
	asyncFailed = &Topic{
		About:  "work next to the batches failed",
		Checks: "Asynchronous progress tracking and similar work run in separate threads. Spark reports their errors later.",
		Proves: "This work failed. The exception below it shows which.",
		Next:   "Read the exception below it.",
		home:   outside,
	}
	escapedPath = &Topic{
		About:  "a Spark 2 folder has escaped characters in its name",
		Checks: "Before 3.0 Spark escaped special characters of a path and so wrote to another folder. Since 3.0 it checks whether such a folder exists.",
		Proves: "A folder with the escaped name exists next to the named one. It may contain the real progress of the query.",
		Next:   copyFirst + "Check both folders (tidemark check). The one with the newest batches belongs to the query.",
		Avoid:  "Do not turn that check off before you know which folder is the right one: the query would start over.",
		home:   outside,
	}
	noRecovery = &Topic{
		About:  "this sink cannot continue from a checkpoint",
		Checks: "In older modes, the memory sink and the console sink cannot continue from a location that contains batches.",
		Proves: "The location already contains batches. It proves nothing against them.",
		Next:   "Use a new location for such a query, or set none: Spark then creates a temporary one.",
		Avoid:  "Do not delete the checkpoint, as the message says, if another query wrote it.",
		home:   outside,
	}
)
