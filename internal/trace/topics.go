package trace

// Topic is what errors that are about the same thing have in common.
type Topic struct {
	About  string   // in a few words: "a state file is missing"
	Checks string   // what Spark looks at there, and when
	Proves string   // what the error proves, and what it does not
	Next   string   // the safest useful act, where no finding says it better
	Avoid  string   // the tempting wrong act
	Codes  []string // findings that say the same
	ask    ask      // what the checkpoint is asked
	home   home     // where it is decided
	again  string   // what may be tried again where it is not so now; "" for "start the query"
	like   *Topic   // the topic that this one is a copy of, where some texts are others; nil for none
}

// but is a topic for a condition that its texts do not all fit: those that are given are told in their place.
func (t *Topic) but(own Topic) *Topic {
	c := *t
	c.like = t.kind()
	for to, from := range map[*string]string{&c.About: own.About, &c.Checks: own.Checks, &c.Proves: own.Proves, &c.Next: own.Next,
		&c.Avoid: own.Avoid} {
		if from != "" {
			*to = from
		}
	}
	if own.Codes != nil {
		c.Codes = own.Codes
	}
	return &c
}

// kind is what a topic is about: of a copy, what it is a copy of.
func (t *Topic) kind() *Topic {
	if t.like != nil {
		return t.like
	}
	return t
}

// ask is a question that the checkpoint can answer itself, beside what the checks found.
type ask int

const (
	askNothing   ask = iota // the checks have looked
	askThere                // is the file that is named there?
	askWhole                // is it whole?
	askEntry                // is that entry in the log?
	askWriters              // is the file there that was in the way?
	askCount                // how many sources do the plans have?
	askOffsets              // does the plan ask for these offsets?
	askState                // is there any state?
	askSchema               // is the existing schema the recorded one?
	askOperators            // which operators are recorded?
)

// home is where what the error is about is recorded.
type home int

const (
	inFiles home = iota // in the files of the checkpoint: what is not found there now was otherwise when Spark failed
	inQuery             // partly in the query's code, which is not here
	outside             // not in the checkpoint
)

const copyFirst = "Copy the whole checkpoint before anything in it is changed. "

var (
	metadataFile = &Topic{
		About:  "the query id file, metadata",
		Checks: "At the very start Spark reads the file metadata for the query's id. Where it is missing, releases up to 4.1 make a new id without a word, and 4.2 and later refuse if the logs hold batches.",
		Proves: "It proves that this file could not be had at that moment. It does not prove that a batch is lost: the logs are others.",
		Next:   copyFirst + "Look for the file in the versions or the trash of the storage; its id also stands in logs of the driver (\"id = …\").",
		Avoid:  "Do not let Spark make a new id: sinks that know batches by the query's id would take repeats for new ones.",
		Codes:  []string{"metadata-missing", "metadata-malformed", "partial-copy"}, ask: askThere,
	}
	batchMissing = &Topic{
		About:  "an entry of a log is missing",
		Checks: "Every start reads the newest plan in offsets and the one before it, and asks each file source for the entries of its own log, in sources, that the newest batch reads. Older entries are never asked for.",
		Proves: "It proves that this entry could not be found when Spark listed and opened the log. It does not tell who removed it, nor whether its rows reached the sink.",
		Next:   copyFirst + "Look for the file in the versions, the trash or a backup of the storage, and put back exactly that file.",
		Avoid:  "Do not write the missing file by hand, and do not delete the newest plan to step over the hole.",
		Codes: []string{"offset-gap", "commit-gap", "commit-without-offset", "source-log-hole", "partial-copy", "housekeeping-damage",
			"async-progress-holes"}, ask: askEntry,
	}
	sourceLog = &Topic{
		About:  "a log that is compacted lacks a file",
		Checks: "A file source keeps the files that it has seen in a log of its own, sources/N; a file sink does the same in _spark_metadata of its output. From time to time such a log is written anew as one .compact file, and the newest of them and all after it are read at every start.",
		Proves: "It proves that the newest .compact file, or one after it, could not be found. It does not prove that input or output is lost.",
		Next:   copyFirst + "Look for that file in the versions or the trash of the storage.",
		Avoid:  "Do not remove the log: a file source without one reads everything again, and a sink without one shows nothing.",
		Codes:  []string{"source-log-hole", "sink-log-damaged", "partial-copy", "housekeeping-damage"}, ask: askThere,
	}
	logFile = &Topic{
		About:  "a log file cannot be read",
		Checks: "Spark opens a log file, compares its first line with the versions that it knows, and reads the following lines as JSON. A start does that with the newest plan, the one before it, and the newest commit.",
		Proves: "It proves that the bytes which Spark read were not what a log file holds. It does not tell what made them so: a full disk, a write that was cut off, an edit by hand, or another release of Spark.",
		Next:   copyFirst + "Look at the file's bytes and for an older version of it in the storage.",
		Avoid:  "Do not delete the file: without the newest plan Spark plans the batch anew, and may read other rows than the sink has.",
		Codes:  []string{"log-empty", "log-malformed", "log-version-unknown", "checksum-mismatch", "metadata-malformed"}, ask: askWhole,
	}
	jsonFile = &Topic{
		About:  "a text that should be JSON is not",
		Checks: "Metadata, plans, commits, the logs of sources and what RocksDB snapshots list are JSON. The message seldom names the file; the lines \"at …\" of the trace tell which part of Spark read it.",
		Proves: "It proves that some text was not the JSON that was expected. It does not say which file that was, where the message names none: it may also be the data that the query reads.",
		Next:   copyFirst + "Look at the newest plan, the one before it, the newest commit and metadata: a start reads these first.",
		Avoid:  "Do not edit a log file until it is known which one was read.",
		Codes:  []string{"log-empty", "log-malformed", "metadata-malformed", "checksum-mismatch"}, ask: askWhole,
	}
	sourceLine = &Topic{
		About:  "the position of a source in a plan cannot be read",
		Checks: "The line of a source in offsets is opaque to Spark: only the source reads it. Lines belong to sources by their order alone.",
		Proves: "It proves that the line was not one of this kind of source. It does not tell whether the line is broken or the query has other sources, or the same in another order.",
		Next:   "Compare the sources of the code, in their order, with those of the checkpoint: --spec FILE, or the drift screen.",
		Avoid:  "Do not edit the line: a position that only looks right loses or repeats rows without a word.",
		Codes:  []string{"log-malformed", "source-kind-changed", "source-count-changed", "offset-invalid", "source-log-hole"},
		home:   inQuery,
	}
	twoWriters = &Topic{
		About:  "a file was there that Spark was about to write",
		Checks: "A batch is planned by writing offsets/N and completed by writing commits/N. Spark never overwrites them: if the file is there when its turn comes, it stops.",
		Proves: "It proves that a file of that name was there. It does not prove that a second query is running: a commit that was left ahead of the plans does the same, and so does a rename that the storage answered twice.",
		Next:   "Make sure that one run of the query, and no other, is alive: in all clusters and schedulers that know this location. Only then restart.",
		Avoid:  "Do not delete the file that is in the way before it is known which run wrote it.",
		Codes:  []string{"second-writer", "commit-without-offset", "leftover-temp-file"}, ask: askWriters,
	}
	sameSession = &Topic{
		About:  "the query was started twice",
		Checks: "Spark compares the query's id and name with those of the queries that run in the same session or on the same cluster.",
		Proves: "It proves that a start met another one of the same query. It says nothing about the files of the checkpoint.",
		Next:   "Find out what starts the query a second time: a scheduler's retry, a notebook that is still open.",
		Codes:  []string{"second-writer"}, home: outside,
	}
	sourceCount = &Topic{
		About:  "the query has other sources than the plan",
		Checks: "Spark lays the lines of the newest plan beside the sources of the query, in their order. Their number must be the same; since 4.2 names can be given to them.",
		Proves: "It proves that the number of lines and the number of sources differ. Where the plan has fewer than before, the plan is damaged; else the code has changed.",
		Next:   "Start the code that wrote this checkpoint, or give the changed query a checkpoint of its own with start positions from this one (tidemark offsets LOCATION --as starting-offsets).",
		Avoid:  "Do not add a line to a plan, or take one away.",
		Codes:  []string{"source-count-changed", "log-malformed"}, ask: askCount, home: inQuery,
	}
	otherTable = &Topic{
		About:  "the source is another table",
		Checks: "Delta compares the id of the table that it reads with the one in the plan. A table that was dropped and made again has a new id, under the same name and path.",
		Proves: "It proves that the ids differ. It does not tell whether the rows are the same.",
		Next:   "Find out when the table was made again, and decide from where the new one is to be read, with a new checkpoint.",
		Avoid:  "Do not write the new id into the plan: versions of the two tables do not count the same commits.",
		Codes:  []string{"source-identity-changed"}, home: outside,
	}
	sourceGone = &Topic{
		About:  "the source no longer holds what comes next",
		Checks: "A source is asked for what lies behind the position that the newest plan records.",
		Proves: "It proves that the source did not give that position to this identity at that moment. What the source holds does not stand in a checkpoint, so nothing here can confirm it.",
		Next:   "Look up in the source what its oldest position is now, and compare it with the positions of this checkpoint (tidemark offsets LOCATION).",
		Avoid:  "Do not delete the checkpoint: it is the only record of how far was read.",
		Codes:  []string{"source-data-gone", "source-start-gone", "offset-regression", "source-identity-changed"}, home: outside,
	}
	kafka = &Topic{
		About:  "Kafka does not hold what comes next",
		Checks: "The Kafka source compares the offsets of the newest plan with what the brokers hold. Unless failOnDataLoss is false it stops where an offset is below the oldest one that is kept, beyond the newest, or its partition is gone.",
		Proves: "It proves that the brokers did not offer this offset at that moment. It does not tell whether the topic was made again, or its records were too old. What Kafka keeps does not stand in a checkpoint.",
		Next:   "Ask Kafka for the oldest and newest offsets of these partitions, and for when the topic was made, and compare them with the positions of this checkpoint (tidemark offsets LOCATION).",
		Avoid:  "Do not set failOnDataLoss to false to get past it before you know what is missing: it skips rows without a word.",
		Codes:  []string{"offset-regression", "partition-vanished", "offset-invalid", "source-data-gone", "source-identity-changed"}, ask: askOffsets, home: outside,
	}
	sourceSchema = &Topic{
		About:  "the schema of the source changed",
		Checks: "Delta compares the schema of each version that it reads with the one that the query was planned with.",
		Proves: "It proves that the schema changed behind the position of this checkpoint. A first stop like that is how it is meant to be: a restart takes up the new schema.",
		Next:   "Read what the message asks for, check that the query can take the new schema, and restart it.",
		Avoid:  "Do not delete the checkpoint because of a changed schema.",
		home:   outside,
	}
	sourceChanges = &Topic{
		About:  "the source changed rows that were read",
		Checks: "A Delta source gives new rows only. A version that updates or deletes stops it unless skipChangeCommits or one of the older options is set.",
		Proves: "It proves that such a version lies behind the position of this checkpoint. The checkpoint itself is not concerned.",
		Next:   "Find out what that version changed, and decide whether the sink needs it, before an option passes it over.",
		Avoid:  "Do not pass it over because the query then runs again: deletions may have to reach the sink.",
		home:   outside,
	}
	sourceAny = &Topic{
		About:  "Delta Lake refused something",
		Checks: "The name of the condition tells what. A source is asked for the versions behind the newest plan; a sink for the newest batch that it holds of this query.",
		Proves: "It proves nothing about the files of the checkpoint.",
		Next:   "Look the condition up in the documentation of Delta Lake, with its name.",
		Avoid:  "Do not delete the checkpoint over it.",
		Codes:  []string{"source-identity-changed"}, home: outside,
	}
	deltaSink = &Topic{
		About:  "two wrote to one table at a time",
		Checks: "Delta compares what a commit read with what others committed meanwhile.",
		Proves: "It proves that this write did not happen. The batch stays uncommitted and is run again at the next start.",
		Next:   "Restart the query; if the error is repeated, find out what else writes to the table.",
		home:   outside,
	}
	connector = &Topic{
		About:  "a connector's own file is missing",
		Checks: "Kinesis connectors keep where the shards ended in files beside the plans, sources/N/shard-commit, and look there for the batch before.",
		Proves: "It proves that this file could not be found.",
		Next:   copyFirst + "Look for the file in the versions or the trash of the storage.",
		Avoid:  "Do not write it by hand.",
		Codes:  []string{"connector-file-missing", "partial-copy", "housekeeping-damage"}, ask: askThere,
	}
	sourceFolder = &Topic{
		About:  "a file source reads another folder",
		Checks: "A file source resolves the files of its log below the folder that the query names now.",
		Proves: "It proves that the two do not fit: the folder of the source was changed, or sources of the query changed places.",
		Next:   "Compare the folder in the code with the paths in sources (tidemark show LOCATION sources/0/…).",
		Avoid:  "Do not edit the paths in the log: files whose names changed count as new.",
		Codes:  []string{"source-log-hole"}, home: inQuery,
	}
	inputGone = &Topic{
		About:  "a data file of the input is missing",
		Checks: "The files of a planned batch are listed when it is planned and opened when it runs.",
		Proves: "It proves that the file was gone or unreadable when the batch ran. The checkpoint only holds its name.",
		Next:   "Put the file back, or decide that it may be skipped (spark.sql.files.ignoreMissingFiles).",
		Avoid:  "Do not take its entry out of the source's log.",
		home:   outside,
	}
	stateFolder = &Topic{
		About:  "the folder of state is missing",
		Checks: "Before a query with state goes on, Spark 4.2 and later list the folders of its operators in state.",
		Proves: "It proves that Spark saw no state there. It does not tell whether it was deleted, not copied, or lies in a place of its own.",
		Next:   copyFirst + "Look for the folder in the versions, the trash or a backup of the storage, and whether a lifecycle rule covers it.",
		Avoid:  "Do not switch that check off: the query would go on from empty state, with wrong results.",
		Codes:  []string{"state-empty", "state-version-missing", "partial-copy", "housekeeping-damage"}, ask: askState,
	}
	stateLeft = &Topic{
		About:  "state is there before batch 0",
		Checks: "Where offsets holds no plan, batch 0 is next; and then there must be no state yet.",
		Proves: "It proves that the plans are gone and the state is not, as Spark saw it. It does not tell whether somebody deleted the logs, or a copy left them out.",
		Next:   copyFirst + "Look for offsets and commits in the versions, the trash or a backup of the storage. To start over, use a new, empty checkpoint.",
		Avoid:  "Do not empty the folder of state to make the message go away: the query would read everything again into the sink.",
		Codes:  []string{"state-without-log", "partial-copy"},
	}
	stateMissing = &Topic{
		About:  "a state file is missing",
		Checks: "A batch loads the state version of the batch before it, partition by partition: the newest snapshot up to it, and each delta or changelog from there on. Each of them must be there.",
		Proves: "It proves that this file could not be found by the task. It does not tell who removed it; where the query's number of partitions or its provider has changed, the file never was there.",
		Next:   copyFirst + "Look for the file in the versions, the trash or a backup of the storage, and put back exactly that file.",
		Avoid:  "Do not make an empty file of that name, and do not delete the state: the counts would begin anew without a word.",
		Codes:  []string{"state-version-missing", "state-file-missing", "state-empty", "housekeeping-damage", "partial-copy"},
		ask:    askThere,
	}
	stateDamaged = &Topic{
		About:  "a state file is damaged",
		Checks: "A task reads each state file of the version that it loads to its end, and RocksDB checks its blocks.",
		Proves: "It proves that the bytes which the task got were not a whole file. It does not tell whether they lie so in the storage or were spoilt on the way.",
		Next:   copyFirst + "Look for an older version of that file in the storage; where one is whole, put it back.",
		Avoid:  "Do not delete the damaged file: a snapshot's absence can make Spark take an older way, but only where every change since is there.",
		Codes:  []string{"state-file-damaged", "state-size-mismatch", "state-file-missing", "checksum-mismatch"}, ask: askWhole,
	}
	checksum = &Topic{
		About:  "a file and its checksum disagree",
		Checks: "Hadoop compares files of local and HDFS-like file systems with the hidden .crc beside them; Spark 4.1 and later can write a checksum of their own beside state files.",
		Proves: "It proves that file and checksum were not written together. It does not tell which of the two is right: a batch that was tried twice can leave such a pair behind.",
		Next:   copyFirst + "Find out whether the file was edited or put back by hand.",
		Avoid:  "Do not delete the checksum before it is known that the file is the right one.",
		Codes:  []string{"checksum-mismatch", "state-file-damaged", "state-size-mismatch", "log-malformed"}, ask: askWhole,
	}
	stateAny = &Topic{
		About:  "state could not be loaded",
		Checks: "A batch loads the state version of the batch before it, partition by partition, and each file must be there, be read to its end and fit the query.",
		Proves: "It proves that a task could not get past its part of the state, or past a file. Which one, the message does not say.",
		Next:   copyFirst + "Look for the task's partition in the log of its executor, and look at that partition's files here.",
		Avoid:  "Do not delete the state: the query would go on from nothing, with wrong results.",
		Codes: []string{"state-version-missing", "state-file-damaged", "state-file-missing", "state-size-mismatch", "state-empty",
			"checksum-mismatch"}, ask: askWhole,
	}
	stateLock = &Topic{
		About:  "a store was held by another task",
		Checks: "Only one task at a time may use a RocksDB store on an executor; another one waits, and gives up after a while.",
		Proves: "It proves that an older task did not let go in time. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, look for a task that hangs, or for two runs on one executor.",
		Codes:  []string{"second-writer"}, home: outside,
	}
	stateIDs = &Topic{
		About:  "state files carry ids",
		Checks: "With checkpoint format 2 (4.0 and later) the names of state files hold an id, and the commits say which id counts.",
		Proves: "It proves, where the text is the name of a state file, that this run does not expect ids: its setting checkpointFormatVersion differs from the one that wrote the files, or the commit does not name them.",
		Next:   "Compare spark.sql.streaming.stateStore.checkpointFormatVersion of the query with what the newest commit holds.",
		Avoid:  "Do not rename state files.",
		Codes:  []string{"state-version-missing", "log-malformed"}, home: inQuery,
	}
	stateSchema = &Topic{
		About:  "the query and its state have different schemas",
		Checks: "In the first batch a task compares key and value of the query's operators with the recorded schema of the state, column by column: number and types count, names do not.",
		Proves: "It proves that they differ. In most cases the code has changed and the checkpoint is whole; releases also differ in what may be null.",
		Next:   "Start the code that wrote this checkpoint, or compare the two with --spec; a changed key needs a checkpoint of its own.",
		Avoid:  "Do not switch the check off (spark.sql.streaming.stateStore.stateSchemaCheck): the query would take the bytes of one column for another.",
		Codes:  []string{"drift", "state-format-old"}, ask: askSchema, home: inQuery,
	}
	operators = &Topic{
		About:  "the query has other stateful operators",
		Checks: "Spark 4.0 and later compare number, order and names of the query's stateful operators with those that state/N/_metadata records.",
		Proves: "It proves that they differ: the code has changed.",
		Next:   "Start the code that wrote this checkpoint, or give the changed query a checkpoint of its own.",
		Avoid:  "Do not delete the metadata of an operator to get past it: the state would be read as that of another one.",
		Codes:  []string{"drift"}, ask: askOperators, home: inQuery,
	}
	stateRecord = &Topic{
		About:  "what is recorded of state cannot be read",
		Checks: "Name, partitions and schema of an operator stand in state/N/_metadata and beside the stores.",
		Proves: "It proves that this file could not be read.",
		Next:   copyFirst + "Look at the file, and for an older version of it in the storage.",
		Avoid:  "Do not delete it: the check that it serves would then not take place.",
		Codes:  []string{"state-file-damaged", "checksum-mismatch"}, ask: askWhole,
	}
	repartition = &Topic{
		About:  "a change of state partitions is not finished",
		Checks: "An offline change of the number of state partitions writes a batch of its own. While that is not committed, no query starts.",
		Proves: "It proves that this command ended before its end.",
		Next:   "Run the same command to its end.",
		Avoid:  "Do not remove its batch from the logs.",
	}
	codec = &Topic{
		About:  "a codec does not fit",
		Checks: "State files are compressed with the codec that the plan pins, and read with it again.",
		Proves: "It proves that the codec is not there or is not the one that wrote the file.",
		Next:   "Compare the codec that the newest plan pins with those of older plans (tidemark show LOCATION offsets/N).",
		Avoid:  "Do not edit the plan.",
		Codes:  []string{"conf-changed", "state-file-damaged"}, home: inQuery,
	}
	setting = &Topic{
		About:  "a setting does not fit",
		Checks: "Some settings are pinned by the newest plan, and those win over what the session asks for.",
		Proves: "It proves that Spark of this release does not take the value. It does not tell whether the value comes from the plan or from the session.",
		Next:   "Compare the settings that the newest plan pins with those of the session (tidemark show LOCATION offsets/N).",
		Avoid:  "Do not edit the plan before it is known that it holds the value.",
		Codes:  []string{"conf-changed", "conf-missing"}, home: inQuery,
	}
	query = &Topic{
		About:  "the query is not one that Spark runs",
		Checks: "The plan of the query, before any file of the checkpoint counts.",
		Proves: "It proves nothing about the checkpoint.",
		Next:   "Compare the query's code with the one that ran before.",
		Codes:  []string{"drift"}, home: outside,
	}
	access = &Topic{
		About:  "access was denied",
		Checks: "Every read and write needs a right of the identity under which the query runs.",
		Proves: "It proves that this identity lacked a right at that moment. That it can be read here says nothing: this is another identity.",
		Next:   "Compare the rights of the job's identity on this location with what it did: list, read, write, and the key of an encrypted bucket.",
		Avoid:  "Do not move the checkpoint to get past it.",
		Codes:  []string{"access-denied"}, home: outside,
	}
	machine = &Topic{
		About:  "a machine gave up",
		Checks: "Nothing of the checkpoint: memory, disk or the process itself failed.",
		Proves: "It proves nothing about the files of the checkpoint; a batch that was cut short by it is run again at the next start.",
		Next:   "Look at the size of state and of the batch, and at the machine's own log.",
		home:   outside,
	}
	assertion = &Topic{
		About:  "Spark took something for granted",
		Checks: "Of a start: that offsets is empty only where commits is, and that a file source's position does not go backwards.",
		Proves: "It proves that one of many such conditions did not hold; the lines \"at …\" tell which. Without them it is not known whether it is about the checkpoint at all.",
		Next:   "Look at the first line \"at org.apache.spark\" of the trace, and at what stands here.",
		Codes:  []string{"commit-without-offset", "source-log-hole", "offset-regression", "partial-copy"}, home: inQuery,
	}
	fileMissing = &Topic{
		About:  "a file is missing",
		Checks: "A file is opened by its name.",
		Proves: "It proves that this file could not be found by the process that looked. It does not tell whether it ever was there.",
		Next:   copyFirst + "Look for the file in the versions or the trash of the storage.",
		Avoid:  "Do not make an empty file of that name.",
		Codes:  []string{"state-version-missing", "state-file-missing", "offset-gap", "source-log-hole", "state-empty"}, ask: askThere,
	}
	userCode = &Topic{
		About:  "the query's own code failed",
		Checks: "A function that the query's author wrote: of foreachBatch, or a UDF.",
		Proves: "It proves nothing about the files of the checkpoint. The batch stays uncommitted and is run again; what the function had already written stays written.",
		Next:   "Look at the exception below it, and whether the function can run twice for one batch.",
		home:   outside,
	}
)
