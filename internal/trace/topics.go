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

const copyFirst = "Copy the whole checkpoint first. "

var (
	metadataFile = &Topic{
		About:  "the query ID file, metadata, is missing or unreadable",
		Checks: "At the start Spark reads the query ID from the file metadata. If it is missing, Spark up to 4.1 silently creates a new ID. Spark 4.2 and later fail if the logs contain batches.",
		Proves: "Spark could not read this file at that moment. It does not show that a batch is lost: offsets and commits are separate files.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups. The driver log also has the ID (\"id = …\").",
		Avoid:  "Do not let Spark create a new ID: sinks that deduplicate by query ID would accept repeated batches as new.",
		Codes:  []string{"metadata-missing", "metadata-malformed", "partial-copy"}, ask: askThere,
	}
	batchMissing = &Topic{
		About:  "a log file is missing",
		Checks: "Each start reads the newest offset file and the one before it. Each file source also needs the source log entries the newest batch reads. Older entries are never read.",
		Proves: "Spark could not find this entry when it listed or opened the log. It does not show who removed it, or whether its rows reached the sink.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups. Found: put exactly that file back.",
		Avoid:  "Do not write the missing file by hand, and do not delete the newest offset file to skip the gap.",
		Codes: []string{"offset-gap", "commit-gap", "commit-without-offset", "source-log-hole", "partial-copy", "housekeeping-damage",
			"async-progress-holes"}, ask: askEntry,
	}
	sourceLog = &Topic{
		About:  "a compacted log has a missing file",
		Checks: "A file source records the files it has read in its own log, sources/N. A file sink does the same in _spark_metadata of its output. Spark compacts such a log into a .compact file. Each start reads the newest one and all files after it.",
		Proves: "Spark could not find the newest .compact file, or one after it. It does not show that input or output is lost.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups.",
		Avoid:  "Do not remove the log: a file source without it reads everything again, and a sink without it shows no files.",
		Codes:  []string{"source-log-hole", "sink-log-damaged", "partial-copy", "housekeeping-damage"}, ask: askThere,
	}
	logFile = &Topic{
		About:  "a log file cannot be read",
		Checks: "Spark compares the first line of a log file with the supported versions and parses the other lines as JSON. A start reads the newest offset file, the one before it, and the newest commit file.",
		Proves: "The bytes Spark read are not a valid log file. It does not show the cause: a full disk, an interrupted write, an edit, or another Spark release.",
		Next:   copyFirst + "Open the file and check its bytes. Look for an older version of it in the storage.",
		Avoid:  "Do not delete the file: without the newest offset file Spark plans the batch again and may read other rows.",
		Codes:  []string{"log-empty", "log-malformed", "log-version-unknown", "checksum-mismatch", "metadata-malformed"}, ask: askWhole,
	}
	jsonFile = &Topic{
		About:  "a file is not valid JSON",
		Checks: "The metadata file, offset files, commit files, source logs and the file lists of RocksDB snapshots contain JSON. The message seldom names the file. The \"at …\" lines of the trace show which part of Spark read it.",
		Proves: "Spark expected JSON and read something else. If the message names no file, it may also be the data that the query reads.",
		Next:   copyFirst + "Check the files each start reads first: the newest two offset files, the newest commit file, and metadata.",
		Avoid:  "Do not edit a log file before you know which file Spark read.",
		Codes:  []string{"log-empty", "log-malformed", "metadata-malformed", "checksum-mismatch"}, ask: askWhole,
	}
	sourceLine = &Topic{
		About:  "the offset of a source cannot be parsed",
		Checks: "In an offset file, each source has one line, and only that source can parse it. Spark assigns lines to sources by order.",
		Proves: "The line is not an offset of this kind of source. It does not show whether the line is damaged or the query's sources changed.",
		Next:   "Compare the sources in the code, in their order, with those of the checkpoint: --spec FILE, or the drift screen.",
		Avoid:  "Do not edit the line: an offset that only looks right silently loses or repeats rows.",
		Codes:  []string{"log-malformed", "source-kind-changed", "source-count-changed", "offset-invalid", "source-log-hole"},
		home:   inQuery,
	}
	twoWriters = &Topic{
		About:  "a file Spark wanted to write already existed",
		Checks: "Spark writes offsets/N before batch N runs and commits/N after it. Spark never overwrites these files: if one exists already, the query fails.",
		Proves: "A file of that name existed. It does not prove that a second query is running. A commit file without its offset file causes this too, and so does a repeated rename.",
		Next:   "Make sure exactly one run of the query is active, in all clusters and schedulers that know this location. Then restart.",
		Avoid:  "Do not delete the existing file before you know which run wrote it.",
		Codes:  []string{"second-writer", "commit-without-offset", "leftover-temp-file"}, ask: askWriters,
	}
	sameSession = &Topic{
		About:  "the query was started twice",
		Checks: "Spark compares the query ID and name with those of the active queries in the session or on the cluster.",
		Proves: "A second start met an active run of the same query. It says nothing about the files of the checkpoint.",
		Next:   "Find what starts the query a second time: a scheduler's retry, or a notebook that is still open.",
		Codes:  []string{"second-writer"}, home: outside,
	}
	sourceCount = &Topic{
		About:  "the number of sources changed",
		Checks: "Spark assigns the lines of the newest offset file to the sources of the query, in their order. The numbers must match. Since 4.2 sources can have names.",
		Proves: "The number of lines and the number of sources differ. If the offset file has fewer lines than the one before, the file is damaged. Otherwise the code changed.",
		Next:   "Start the code that wrote this checkpoint. Or start a new checkpoint from these offsets (tidemark offsets LOCATION --as starting-offsets).",
		Avoid:  "Do not add a line to an offset file or remove one.",
		Codes:  []string{"source-count-changed", "log-malformed"}, ask: askCount, home: inQuery,
	}
	otherTable = &Topic{
		About:  "the source is a different table",
		Checks: "Delta compares the table ID with the one in the offset file. A table that was dropped and created again has a new ID under the same name and path.",
		Proves: "The IDs differ. It does not show whether the rows are the same.",
		Next:   "Find out when the table was created again. Decide where to start reading the new one, with a new checkpoint.",
		Avoid:  "Do not write the new ID into the offset file: the versions of the two tables count different commits.",
		Codes:  []string{"source-identity-changed"}, home: outside,
	}
	sourceGone = &Topic{
		About:  "the source no longer has the next data",
		Checks: "Spark asks the source for the data after the newest recorded offset.",
		Proves: "The source did not return that offset to this identity at that moment. A checkpoint does not record what the source still has, so nothing here can confirm it.",
		Next:   "Look up the oldest offset the source still has. Compare it with the offsets of this checkpoint (tidemark offsets LOCATION).",
		Avoid:  "Do not delete the checkpoint: it is the only record of how far the query has read.",
		Codes:  []string{"source-data-gone", "source-start-gone", "offset-regression", "source-identity-changed"}, home: outside,
	}
	kafka = &Topic{
		About:  "Kafka no longer has the next offsets",
		Checks: "The Kafka source compares the newest offset file with what the brokers have. It fails if an offset is below the oldest, beyond the newest, or its partition is gone. With failOnDataLoss=false it continues.",
		Proves: "The brokers did not have this offset at that moment. It does not show whether the topic was created again or its records expired. A checkpoint does not record what Kafka keeps.",
		Next:   "Ask Kafka for the oldest and newest offsets of these partitions, and when the topic was created. Compare them with the offsets of this checkpoint (tidemark offsets LOCATION).",
		Avoid:  "Do not set failOnDataLoss to false before you know what is missing: Spark skips rows and only logs a warning.",
		Codes:  []string{"offset-regression", "partition-vanished", "offset-invalid", "source-data-gone", "source-identity-changed"}, ask: askOffsets, home: outside,
	}
	sourceSchema = &Topic{
		About:  "the schema of the source changed",
		Checks: "Delta compares the schema of each version it reads with the schema the query was planned with.",
		Proves: "The schema changed after the position of this checkpoint. The first failure is by design: a restart uses the new schema.",
		Next:   "Read what the message asks for. Check that the query accepts the new schema. Then restart it.",
		Avoid:  "Do not delete the checkpoint because of a schema change.",
		home:   outside,
	}
	sourceChanges = &Topic{
		About:  "the source changed rows the query already read",
		Checks: "A Delta source returns new rows only. A version that updates or deletes rows fails the query, unless skipChangeCommits or one of the older options is set.",
		Proves: "Such a version follows the position of this checkpoint. The checkpoint itself is not affected.",
		Next:   "Find out what that version changed. Decide whether the sink needs the change before you set an option that skips it.",
		Avoid:  "Do not skip the version only because the query then runs: the sink may need the deletions.",
		home:   outside,
	}
	sourceAny = &Topic{
		About:  "Delta Lake reported an error",
		Checks: "The name of the condition says which check failed. Spark asks a source for the versions after the newest offset, and a sink for its newest batch.",
		Proves: "It proves nothing about the files of the checkpoint.",
		Next:   "Look up the condition by its name in the documentation of Delta Lake.",
		Avoid:  "Do not delete the checkpoint because of it.",
		Codes:  []string{"source-identity-changed"}, home: outside,
	}
	deltaSink = &Topic{
		About:  "two writers wrote to one table at once",
		Checks: "Delta compares what a commit read with what other writers committed in the meantime.",
		Proves: "This write failed. The batch stays uncommitted, and Spark re-runs it at the next start.",
		Next:   "Restart the query. If the error is repeated, find out what else writes to the table.",
		home:   outside,
	}
	connector = &Topic{
		About:  "a file of the connector is missing",
		Checks: "Kinesis connectors record the ends of shards in sources/N/shard-commit and read the entry of the batch before.",
		Proves: "The connector could not find this file.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups.",
		Avoid:  "Do not write it by hand.",
		Codes:  []string{"connector-file-missing", "partial-copy", "housekeeping-damage"}, ask: askThere,
	}
	sourceFolder = &Topic{
		About:  "a file source reads another folder",
		Checks: "A file source expects the files of its log below the folder the query names now.",
		Proves: "The folder and the log do not match. The folder of the source changed, or the order of the sources changed.",
		Next:   "Compare the folder in the code with the paths in sources (tidemark show LOCATION sources/0/…).",
		Avoid:  "Do not edit the paths in the log: Spark treats files with changed names as new.",
		Codes:  []string{"source-log-hole"}, home: inQuery,
	}
	inputGone = &Topic{
		About:  "a data file of the source is missing",
		Checks: "Spark lists the files of a batch when it plans the batch, and opens them when the batch runs.",
		Proves: "The file was missing or unreadable when the batch ran. The checkpoint contains only its name.",
		Next:   "Put the file back, or decide to skip it (spark.sql.files.ignoreMissingFiles).",
		Avoid:  "Do not remove its entry from the file source log.",
		home:   outside,
	}
	stateFolder = &Topic{
		About:  "the state folder is missing",
		Checks: "Before a stateful query continues, Spark 4.2 and later list the folders of its operators in state.",
		Proves: "Spark saw no state. It does not show whether the state was deleted, was not copied, or is in another place.",
		Next:   copyFirst + "Look for the folder in object versions, trash, backups. Check whether a lifecycle rule covers it.",
		Avoid:  "Do not turn this check off: the query would continue with empty state and wrong results.",
		Codes:  []string{"state-empty", "state-version-missing", "partial-copy", "housekeeping-damage"}, ask: askState,
	}
	stateLeft = &Topic{
		About:  "state exists before batch 0",
		Checks: "If offsets contains no batch, Spark starts with batch 0 and requires an empty state folder.",
		Proves: "Spark saw state, but no offset files. It does not show whether the logs were deleted or a copy missed them.",
		Next:   copyFirst + "Look for offsets and commits in object versions, trash, backups. To start over, use a new, empty checkpoint.",
		Avoid:  "Do not empty the state folder to remove the error: the query would read everything again into the sink.",
		Codes:  []string{"state-without-log", "partial-copy"},
	}
	stateMissing = &Topic{
		About:  "a state file is missing",
		Checks: "Each task loads the state version the batch before wrote: the newest snapshot up to it, and every delta or changelog after that snapshot.",
		Proves: "The task could not find this file. It does not show who removed it. If the number of partitions or the provider changed, the file never existed.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups. Found: put exactly that file back.",
		Avoid:  "Do not create an empty file of that name, and do not delete the state: counts would silently start again from zero.",
		Codes:  []string{"state-version-missing", "state-file-missing", "state-empty", "housekeeping-damage", "partial-copy"},
		ask:    askThere,
	}
	stateDamaged = &Topic{
		About:  "a state file is damaged",
		Checks: "A task reads each state file of the version it loads to its end, and RocksDB verifies its blocks.",
		Proves: "The task did not get a complete file. It does not show whether the file in the storage is damaged or the transfer was.",
		Next:   copyFirst + "Look for an older version of that file in the storage. If one is intact, put it back.",
		Avoid:  "Do not delete the damaged file: Spark can use an older snapshot only if every later change still exists.",
		Codes:  []string{"state-file-damaged", "state-size-mismatch", "state-file-missing", "checksum-mismatch"}, ask: askWhole,
	}
	checksum = &Topic{
		About:  "a file does not match its checksum",
		Checks: "On local and HDFS-like file systems Hadoop compares a file with its hidden .crc file. Spark 4.1 and later can write an additional checksum next to state files.",
		Proves: "File and checksum were not written together. It does not show which one is right: a batch that was tried twice can cause this.",
		Next:   copyFirst + "Find out whether the file was edited or put back by hand.",
		Avoid:  "Do not delete the checksum before you know that the file is the right one.",
		Codes:  []string{"checksum-mismatch", "state-file-damaged", "state-size-mismatch", "log-malformed"}, ask: askWhole,
	}
	stateAny = &Topic{
		About:  "state could not be loaded",
		Checks: "Each task loads the state version the batch before wrote. Each file must exist, be complete and match the query.",
		Proves: "A task could not load its state partition or one of its files. The message does not say which one.",
		Next:   copyFirst + "Look for the partition of the task in the executor log. Check that partition's files here.",
		Avoid:  "Do not delete the state: the query would start from empty state, with wrong results.",
		Codes: []string{"state-version-missing", "state-file-damaged", "state-file-missing", "state-size-mismatch", "state-empty",
			"checksum-mismatch"}, ask: askWhole,
	}
	stateLock = &Topic{
		About:  "another task still used the state store",
		Checks: "Only one task at a time can use a RocksDB store on an executor. Another task waits and fails after a timeout.",
		Proves: "An older task did not release the store in time. It says nothing about the files of the checkpoint.",
		Next:   "Restart the query. If the error is repeated, look for a task that hangs, or for two runs on one executor.",
		Codes:  []string{"second-writer"}, home: outside,
	}
	stateIDs = &Topic{
		About:  "names of state files contain IDs",
		Checks: "With checkpoint format 2 (Spark 4.0 and later) the names of state files contain an ID. The commit files record the valid IDs.",
		Proves: "If the text is the name of a state file, this run does not expect IDs. Its checkpointFormatVersion differs from the one that wrote the files, or the commit file has no IDs.",
		Next:   "Compare spark.sql.streaming.stateStore.checkpointFormatVersion of the query with the newest commit file.",
		Avoid:  "Do not rename state files.",
		Codes:  []string{"state-version-missing", "log-malformed"}, home: inQuery,
	}
	stateSchema = &Topic{
		About:  "the query and its state have different schemas",
		Checks: "In the first batch a task compares the key and value columns of each operator with the recorded state schema. Number and types count, names do not.",
		Proves: "The schemas differ. In most cases the code changed and the checkpoint is intact. Releases also differ in nullability.",
		Next:   "Start the code that wrote this checkpoint, or compare the two with --spec. A changed key needs a new checkpoint.",
		Avoid:  "Do not turn stateSchemaCheck off (spark.sql.streaming.stateStore.stateSchemaCheck): Spark would read one column as another.",
		Codes:  []string{"drift", "state-format-old"}, ask: askSchema, home: inQuery,
	}
	operators = &Topic{
		About:  "the query has other stateful operators",
		Checks: "Spark 4.0 and later compare number, order and names of the stateful operators with state/N/_metadata.",
		Proves: "The operators differ: the code changed.",
		Next:   "Start the code that wrote this checkpoint, or start a new checkpoint.",
		Avoid:  "Do not delete the metadata of an operator: Spark would read its state as that of another operator.",
		Codes:  []string{"drift"}, ask: askOperators, home: inQuery,
	}
	stateRecord = &Topic{
		About:  "the metadata or schema of the state cannot be read",
		Checks: "state/N/_metadata and the schema files record the name, partitions and schema of an operator.",
		Proves: "Spark could not read this file.",
		Next:   copyFirst + "Check the file. Look for an older version of it in the storage.",
		Avoid:  "Do not delete it: Spark would skip the check that needs it.",
		Codes:  []string{"state-file-damaged", "checksum-mismatch"}, ask: askWhole,
	}
	repartition = &Topic{
		About:  "a change of the number of state partitions is not finished",
		Checks: "An offline change of the number of state partitions writes a batch. Until that batch is committed, no query starts.",
		Proves: "The command stopped before it finished.",
		Next:   "Run the same command again until it finishes.",
		Avoid:  "Do not remove its batch from the logs.",
	}
	codec = &Topic{
		About:  "a codec does not match",
		Checks: "Spark compresses state files with the codec the offset log records, and reads them with it.",
		Proves: "The codec is not available, or it is not the one that wrote the file.",
		Next:   "Compare the codec in the newest offset file with older ones (tidemark show LOCATION offsets/N).",
		Avoid:  "Do not edit the offset file.",
		Codes:  []string{"conf-changed", "state-file-damaged"}, home: inQuery,
	}
	setting = &Topic{
		About:  "a setting does not match",
		Checks: "The newest offset file records some settings. They override the settings of the session.",
		Proves: "This Spark release does not accept the value. It does not show whether the value is from the offset file or the session.",
		Next:   "Compare the settings in the newest offset file with those of the session (tidemark show LOCATION offsets/N).",
		Avoid:  "Do not edit the offset file before you know that it contains the value.",
		Codes:  []string{"conf-changed", "conf-missing"}, home: inQuery,
	}
	query = &Topic{
		About:  "Spark cannot run this query",
		Checks: "Spark checks the query before it reads any file of the checkpoint.",
		Proves: "It proves nothing about the checkpoint.",
		Next:   "Compare the query's code with the one that ran before.",
		Codes:  []string{"drift"}, home: outside,
	}
	access = &Topic{
		About:  "access was denied",
		Checks: "Each read and write needs a permission of the identity that runs the query.",
		Proves: "This identity lacked a permission at that moment. That tidemark can read the file proves nothing: it uses another identity.",
		Next:   "Compare the permissions of the job's identity on this location with what it did: list, read, write, and use the encryption key.",
		Avoid:  "Do not move the checkpoint to avoid the error.",
		Codes:  []string{"access-denied"}, home: outside,
	}
	machine = &Topic{
		About:  "a machine failed",
		Checks: "This is not about the checkpoint: memory, disk or the process itself failed.",
		Proves: "It proves nothing about the files of the checkpoint. Spark re-runs an interrupted batch at the next start.",
		Next:   "Check the size of the state and of the batch, and the machine's own log.",
		home:   outside,
	}
	assertion = &Topic{
		About:  "an assertion in Spark failed",
		Checks: "A start has two: offsets may be empty only if commits is, and the offset of a file source may not decrease.",
		Proves: "One of many assertions failed. The \"at …\" lines show which one. Without them, it may not be about the checkpoint at all.",
		Next:   "Read the first line \"at org.apache.spark\" of the trace. Compare it with the files of the checkpoint.",
		Codes:  []string{"commit-without-offset", "source-log-hole", "offset-regression", "partial-copy"}, home: inQuery,
	}
	fileMissing = &Topic{
		About:  "a file is missing",
		Checks: "Spark opens a file by its name.",
		Proves: "The process could not find this file. It does not show whether the file ever existed.",
		Next:   copyFirst + "Look for the file in object versions, trash, backups.",
		Avoid:  "Do not create an empty file of that name.",
		Codes:  []string{"state-version-missing", "state-file-missing", "offset-gap", "source-log-hole", "state-empty"}, ask: askThere,
	}
	userCode = &Topic{
		About:  "the query's own code failed",
		Checks: "This is code the query's author wrote: a foreachBatch function, or a UDF.",
		Proves: "It proves nothing about the files of the checkpoint. The batch stays uncommitted and Spark re-runs it. What the function already wrote remains.",
		Next:   "Read the exception below it. Check whether the function can run twice for one batch.",
		home:   outside,
	}
)
