package trace

// What conditions of Spark's own catalog are about, beyond the topics that older messages have too.
var (
	stateModes = &Topic{
		About:  "transformWithState has another mode than before",
		Checks: "Before the first batch Spark 4.0 and later compare the time mode and the output mode of transformWithState with those that the newest file in state/N/_metadata records.",
		Proves: "It proves that the query asked for another mode than the recorded one: the code has changed. It says nothing against the files.",
		Next:   "Start the query with the recorded mode, or give the changed one a checkpoint of its own.",
		Avoid:  "Do not edit the metadata of the operator: timers and expiry in its state were written under the recorded mode.",
		Codes:  []string{"drift"}, home: inQuery,
	}
	stateVariables = &Topic{
		About:  "a state variable of transformWithState changed",
		Checks: "Before the first batch Spark 4.0 and later compare the state variables of the query with those that state/N/_metadata and its schemas record: their names, their kinds, their schemas.",
		Proves: "It proves that the code declares the variable otherwise than the run before. It says nothing against the files.",
		Next:   "Start the code that wrote this checkpoint, or use a new name for the changed variable, or a checkpoint of its own.",
		Avoid:  "Do not delete the recorded schema: the bytes of the old variable would be read as the new one.",
		Codes:  []string{"drift"}, home: inQuery,
	}
	schemaLimit = &Topic{
		About:  "the schema of state changed more often than is allowed",
		Checks: "Each change of a state variable adds a schema file in state/N/_stateSchema, and the number of them has a limit.",
		Proves: "It proves that the newest change would go beyond the limit. It says nothing against the files.",
		Next:   "Go back to the schema before the newest change, or raise the limit that the message names once it is sure that the change is meant.",
		Avoid:  "Do not delete old schema files: rows that were written with them are still in the state.",
		home:   inQuery,
	}
	rowFormat = &Topic{
		About:  "a row of state does not have the form that the query expects",
		Checks: "When a state store is loaded, Spark looks at one of its rows and compares number and lengths of its fields with the schema that the query has.",
		Proves: "It proves that one row did not fit. Whether the query changed, another release wrote the row, or its bytes are damaged, the message does not say.",
		Next:   copyFirst + "Compare the query with the recorded schema (--spec), and read the files of the state to their end (tidemark check LOCATION --deep).",
		Avoid:  "Do not switch the check off (spark.sql.streaming.stateStore.formatValidation.enabled): the query would take the bytes of one column for another.",
		Codes:  []string{"drift", "state-format-old", "state-file-damaged", "checksum-mismatch", "state-size-mismatch"}, ask: askWhole, home: inQuery,
		like: stateSchema,
	}
	executorRace = &Topic{
		About:  "two users of one state store on an executor were in each other's way",
		Checks: "A store that an executor holds open is used by one task at a time. Spark keeps a stamp and a state of that use in memory and stops a task that comes with an old one.",
		Proves: "It proves that within one executor two things ran at a time, mostly a task that was given up and the one in its place, or the maintenance thread. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, look in the log of that executor for a task that was killed or hangs, for speculative execution, and for functions that swallow an interruption.",
		Avoid:  "Do not change anything in the checkpoint because of it.",
		home:   outside,
	}
	storeMemory = &Topic{
		About:  "an executor had no memory for the state",
		Checks: "A task loads its part of the state before it runs; a store of the HDFS-backed provider is held in memory whole.",
		Proves: "It proves that the executor's memory did not suffice at that moment. It says nothing against the files.",
		Next:   "Compare the size of the store's files with the memory of an executor; give it more, fewer stores at a time, or state that expires.",
		Avoid:  "Do not delete state to make it smaller.",
		home:   outside,
	}
	stateUnwritten = &Topic{
		About:  "state could not be written",
		Checks: "At the end of a batch each task writes a new version of its store to the checkpoint.",
		Proves: "It proves that a version was not written, or not to its end. The batch stays uncommitted and is run again at the next start.",
		Next:   "Look at the exception below it, and at rights, free space and quota of the storage and of the executor's local disk. Then restart.",
		Avoid:  "Do not delete files of the version that was not finished: the next run writes them again.",
		home:   outside,
	}
	storesUncommitted = &Topic{
		About:  "not every state store was written",
		Checks: "Spark 4.1 and later count, at the end of a batch, the stores that were written, and compare with partitions, operators and stores of the query.",
		Proves: "It proves that some partitions of the batch never ran to their end: mostly a function of foreachBatch that does not read all of its rows, such as show() or limit(). It says nothing against the files.",
		Next:   "Let the function of foreachBatch read the whole batch, and not swallow exceptions; then restart. The batch is run again.",
		Avoid:  "Do not write the missing files by hand, and do not write a commit for the batch.",
		home:   inQuery,
	}
	stateProvider = &Topic{
		About:  "the state provider does not do what is asked of it",
		Checks: "The newest plan pins the provider of state. transformWithState needs RocksDB, and some functions exist in one provider only.",
		Proves: "It proves that the query, or a job that reads its state, asks for something that this provider does not have. It says nothing against the files.",
		Next:   "Compare the provider that the newest plan pins with the one that the query needs. Another provider needs a checkpoint of its own.",
		Avoid:  "Do not edit the pinned provider: the files are of the old one.",
		home:   inQuery,
	}
	stateUse = &Topic{
		About:  "the query uses its state in a way that Spark does not allow",
		Checks: "Names, keys and values that the code gives to state, when it runs or is planned. No file counts for that.",
		Proves: "It proves nothing about the checkpoint: the code, or Spark itself, asked for something that does not go.",
		Next:   "Look at the operator or the stateful processor that the trace names, and compare it with the code that ran before.",
		home:   outside,
	}
	stateReader = &Topic{
		About:  "a job that reads the state was told something that does not fit",
		Checks: "The state data source reads a checkpoint as a table: its options say which batch, operator, store and side.",
		Proves: "It proves that this reading failed. The streaming query itself is not concerned by it.",
		Next:   "Compare the options with what the checkpoint holds: tidemark state LOCATION lists operators and stores, tidemark batches LOCATION the batches.",
		Avoid:  "Do not change the checkpoint so that a reader is content.",
		home:   outside, again: "run the job that reads it",
	}
	stateReaderFiles = stateReader.but(Topic{
		About:  "a job that reads the state misses something of the checkpoint",
		Proves: "It proves that this file or entry could not be had by the job. It need not be one that the streaming query itself needs.",
	})
	repartitioning = &Topic{
		About:  "the number of state partitions cannot be changed here",
		Checks: "Before it writes its own batch, an offline change of partitions reads the newest plan and commit, the operators and what it was told.",
		Proves: "It proves that this command did not begin. Nothing in the checkpoint was changed by it.",
		Next:   "Read what the message asks for, bring the query to a clean stop with its last batch committed, and run the command again.",
		Avoid:  "Do not add or remove log files to make the command start.",
		home:   outside, again: "run the command",
	}
	rewriting = &Topic{
		About:  "the state cannot be rewritten",
		Checks: "A command that rewrites state reads the metadata of the operators, their schemas and the format of the newest commit first.",
		Proves: "It proves that one of these is not what the command needs.",
		Next:   "Compare what the message names with what is recorded here; the query itself may start all the same.",
		Avoid:  "Do not edit the metadata of operators.",
		home:   outside, again: "run the command",
	}
	processor = &Topic{
		About:  "the stateful processor does something that is not allowed",
		Checks: "What a StatefulProcessor asks of its handle, and when: timers, expiry, variables. No file counts for that.",
		Proves: "It proves nothing about the checkpoint: the code of the processor is at fault.",
		Next:   "Look at the processor's code at the place that the trace names.",
		home:   outside,
	}
	realTime = &Topic{
		About:  "real-time mode does not take this query",
		Checks: "Before the first batch Spark 4.1 and later look at the sources, operators, sink and settings of a query with a real-time trigger.",
		Proves: "It proves that the query, as it is configured, is not one for real-time mode. It says nothing against the files.",
		Next:   "Change what the message names, or use another trigger.",
		home:   outside,
	}
	shuffle = &Topic{
		About:  "tasks of a real-time query did not reach each other",
		Checks: "In real-time mode the stages of a batch run at the same time and send rows to each other over the network.",
		Proves: "It proves that a message between two tasks was late, lost or damaged. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, look at free task slots and at the network between executors.",
		home:   outside,
	}
	pythonWorker = &Topic{
		About:  "a Python process of the query failed",
		Checks: "Functions and sources in Python run in a process of their own, and Spark talks to it over a socket.",
		Proves: "It proves nothing about the files of the checkpoint. A batch that was cut short by it is run again.",
		Next:   "Look at the Python error within the message, and at versions of Python and of packages on driver and executors.",
		home:   outside,
	}
	fileManager = &Topic{
		About:  "the class that writes the checkpoint could not be loaded",
		Checks: "Spark makes a checkpoint file manager for the path: the class that spark.sql.streaming.checkpointFileManagerClass names, or one for its file system.",
		Proves: "It proves that this class, or the file system's own, could not be used. Nothing of the checkpoint was read.",
		Next:   "Look at the setting, at the class path, and whether the scheme of the path is one that this Spark has a file system for.",
		Avoid:  "Do not move the checkpoint to get past it.",
		home:   outside,
	}
	logWrite = &Topic{
		About:  "a log file could not be written",
		Checks: "A batch is planned by writing offsets/N and completed by writing commits/N.",
		Proves: "It proves that Spark took the write as failed. It does not prove that nothing arrived: a storage can answer an error and keep the file.",
		Next:   "Look at the exception below it, at rights, free space and quota of the storage; then restart. A batch without its commit is run again.",
		Avoid:  "Do not write the file by hand.",
		Codes:  []string{"access-denied", "leftover-temp-file"}, home: outside,
	}
	rateSource = &Topic{
		About:  "a rate source was asked for a range that goes backwards",
		Checks: "A rate source counts from its start time and options; the plan records how far it was asked.",
		Proves: "It proves that the source's own start or speed was changed, or the clock. Test sources only: no data is lost.",
		Next:   "Start it with the options that it had, or with a new checkpoint.",
		home:   inQuery,
	}
	otherVersion = logFile.but(Topic{
		About:  "a log file is of another version",
		Proves: "It proves that the first line of a log file names a version that this release does not take: mostly another release, or another setting, wrote it.",
		Next:   "Start the query with the release that wrote the file, or a later one.",
		Avoid:  "Do not edit the version line: what follows it is of that version too.",
	})
	lineage = stateMissing.but(Topic{
		About:  "the history of a state version has a hole",
		Checks: "With checkpoint format 2 (4.0 and later) a state version lists, by number and id, the versions that it builds on, back to a snapshot. Each of these must be there.",
		Proves: "It proves that the files which Spark found do not add up to the version that it was to load. It does not tell who removed one.",
		Next:   copyFirst + "Look for the files of the versions that the message lists in the versions, the trash or a backup of the storage.",
	})
	joinState = &Topic{
		About:  "the stores of a join do not fit each other",
		Checks: "A side of a join keeps the number of values of a key in one store and the values in another, and both must be of one version.",
		Proves: "It proves that a task found the two of a partition at odds. It does not tell whether a file is the wrong one, or a fault of Spark wrote them so: several releases had such faults.",
		Next:   copyFirst + "Look whether the files of that partition are whole (tidemark check LOCATION --deep), and for a later patch of the release.",
		Avoid:  "Do not set the option that passes over it before the rows that are missing are known.",
		Codes:  []string{"state-file-damaged", "state-version-missing", "state-size-mismatch"},
	}
	sourceNames = &Topic{
		About:  "names of sources and sinks do not fit",
		Checks: "Since 4.2 sources and sinks can have names, and a plan of version 2 records positions by name. Whether names are asked for is a setting.",
		Proves: "It proves that the query's names and its settings do not fit each other, before any batch. It says nothing against the files.",
		Next:   "Give or take away the names as the message says.",
		Avoid:  "Do not rename sources in the plans.",
		home:   outside,
	}
	session = &Topic{
		About:  "a client of Spark Connect asked for something that is not there",
		Checks: "The server keeps running queries by their ids and answers clients about them. No file counts for that.",
		Proves: "It proves nothing about the checkpoint.",
		Next:   "Look whether the query still runs on the server, and for the error that ended it.",
		home:   outside,
	}
	rddCheckpoint = &Topic{
		About:  "the checkpoint of an RDD, which is another thing",
		Checks: "RDD.checkpoint and localCheckpoint save the rows of one computation. The checkpoint of a streaming query has nothing to do with them.",
		Proves: "It proves nothing about this checkpoint, unless the query's own code makes such RDD checkpoints: then a batch of it failed.",
		Next:   "Look in the query's code for checkpoint() and localCheckpoint(), and whether an executor was lost.",
		home:   outside,
	}
	lateRows = &Topic{
		About:  "an operator emitted a row older than the watermark",
		Checks: "With several stateful operators each row that one hands on must not be older than the watermark of the batch.",
		Proves: "It proves that the code of transformWithState emitted such a row. It says nothing against the files.",
		Next:   "Let the operator emit times at or behind the watermark, or set its event time column again.",
		Avoid:  "Do not lower the watermark in a plan.",
		home:   inQuery,
	}
	stoppedQuery = &Topic{
		About:  "the query was stopped by an error",
		Checks: "This only says that the query ended; which error ended it is below, or in the line itself.",
		Proves: "It proves nothing by itself.",
		Next:   "Look for the whole trace, with the lines \"Caused by\", in the log of the driver.",
		Avoid:  "Do not change anything before the error behind it is known.",
		home:   outside,
	}
	asyncFailed = &Topic{
		About:  "something that ran next to the batches failed",
		Checks: "Logs of asynchronous progress and other work next to the batches are written by threads of their own; their error is told later.",
		Proves: "It proves that this work failed; which one, the exception below it tells.",
		Next:   "Look at the exception below it.",
		home:   outside,
	}
	escapedPath = &Topic{
		About:  "a folder of Spark 2 with escaped characters in its name",
		Checks: "Before 3.0 Spark wrote special characters of a path escaped, into another folder than the one that was named. Since 3.0 it looks whether such a folder is there.",
		Proves: "It proves that a folder with the escaped name exists next to the named one. It may hold the real progress of the query.",
		Next:   copyFirst + "Look into both folders (tidemark check of each); the one that holds the newest batches is the query's.",
		Avoid:  "Do not switch that check off before it is known which of the two folders is the right one: the query would begin again.",
		home:   outside,
	}
	noRecovery = &Topic{
		About:  "this sink cannot continue from a checkpoint",
		Checks: "The memory and the console sink of older modes do not continue from a location that holds batches.",
		Proves: "It proves that the location holds batches already. It says nothing against them.",
		Next:   "Use a new location for such a query, or leave it out: a temporary one is made then.",
		Avoid:  "Do not delete the checkpoint, as the message says, if another query wrote it.",
		home:   outside,
	}
)
