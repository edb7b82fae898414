package trace

// connectors are what the sources and sinks of other projects say: Iceberg, Hudi, Kinesis, Event Hubs. They have no
// names, only texts.
var connectors = []*Condition{
	// Iceberg.
	{Words: "Cannot load current offset at snapshot", Topic: sourceGone, Says: "The snapshot of the Iceberg table at the query's position was expired or removed.", look: (*look).lookSnapshot, Compares: comparesSnapshot},
	{Words: "Cannot find snapshot after … not an ancestor", Topic: sourceGone.but(Topic{
		About:  "the table was rolled back before the position of the source",
		Proves: "The table's newest snapshot does not descend from the recorded one. The table was rolled back or created again, or the query reads another branch.",
	}), Says: "The newest snapshot of the Iceberg table does not descend from the one at the query's position.", look: (*look).lookSnapshot, Compares: comparesSnapshot},
	{Words: "Cannot process delete snapshot", Topic: tableChanges, Says: "A snapshot of the Iceberg table removed rows, but the query reads new rows only.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Cannot process overwrite snapshot", Topic: tableChanges, Says: "A snapshot of the Iceberg table replaced rows, but the query reads new rows only.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Cannot process unknown snapshot operation", Topic: tableChanges, Says: "A snapshot of the Iceberg table has an operation this release does not know.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Failed to parse StreamingOffset from JSON string", Topic: sourceLine, Says: "This release cannot read the line of an Iceberg source in an offset file.", look: (*look).lookLine, Compares: "the position in the message with the lines of the offset files"},
	{Words: "This version of Iceberg source only supports version", Topic: sourceLine, Says: "The line of an Iceberg source in an offset file has a version this release cannot read.", look: (*look).lookLine, Compares: "the version with those in the offset files"},
	{Words: "Cannot parse StreamingOffset", Topic: sourceLine, Says: "An Iceberg source needs a position and received none."},
	{Words: "is not a StreamingOffset", Topic: sourceLine, Says: "An Iceberg source received the position of another kind of source."},
	{Words: "Failed reading offset from", Topic: sourceLine.but(Topic{
		About: "the file with the first position of an Iceberg source", Checks: "An Iceberg source writes its first position to sources/N/offsets/0 and reads it at every start.",
		Proves: "The source could not read this file at that moment.", Next: copyFirst + "Look for the file in object versions, trash, backups.",
		Avoid: "Do not write it by hand: another first position repeats or loses rows.",
	}), Says: "The file with the first position of an Iceberg source could not be read.", look: (*look).lookFirstOffset, Compares: "whether that file can be read"},
	{Words: "Failed writing offset to", Topic: unwritten, Says: "The file with the first position of an Iceberg source could not be written.", Decides: "It depends on the storage at that moment."},
	{Words: "Failed to read StreamingOffset from json", Topic: sourceLine, Says: "The file with the first position of an Iceberg source is not JSON this release can read.", look: (*look).lookFirstOffset, Compares: "whether sources/N/offsets/0 can be read"},

	// Hudi.
	{Words: "Bad metadata format, failed to find the version line", Topic: hudiStart, Says: "The file with the first position of a Hudi source has no version line.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "Illegal version line: … in the streaming metadata path", Topic: hudiStart, Says: "The file with the first position of a Hudi source does not start with a version.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "UnSupportVersion: max support version is", Topic: hudiStart, Says: "A newer release wrote the file with the first position of a Hudi source.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "UnKnow offset type", Topic: sourceLine, Says: "A Hudi source received the position of another kind of source."},
	{Words: "UnSupport tableType", Topic: kafkaOption.but(Topic{About: "the Hudi source does not support the table", Checks: "The source checks the table type: copy on write or merge on read."}), Says: "The source does not know the type of the Hudi table.", Decides: "It depends on the table and the Hudi release."},
	{Words: "HoodieIncrementalPathNotFoundException", Topic: sourceGone, Says: "Files of the next commit of the Hudi table were cleaned.", look: (*look).lookHudi, Compares: "the commit time in the newest offset file with the table, if its location is known"},
	{Words: "Micro batch id=", Topic: deltaWrite.but(Topic{About: "the Hudi sink rejected the batch", Checks: "A Hudi sink writes the batch, with retries, and commits it to the timeline of the table.", Codes: []string{"sink-behind", "sink-ahead"}}), Says: "A Hudi sink could not write rows of the batch.", look: (*look).lookHudiBatch, Compares: "whether the batch is uncommitted"},
	{Words: "Async Compactor shutdown unexpectedly", Topic: tableService, Says: "The compaction next to a Hudi sink stopped.", Decides: "It depends on the service. The driver log shows why it stopped."},
	{Words: "Async clustering service shutdown unexpectedly", Topic: tableService, Says: "The clustering next to a Hudi sink stopped.", Decides: "It depends on the service. The driver log shows why it stopped."},

	// Kinesis and Event Hubs.
	{Words: "Unable to fetch committed metadata from previous batch", Topic: connector, Says: "The Kinesis connector records the ends of shards in its own files. One it needs is missing."},
	{Words: "ExpiredIteratorException", Topic: kafkaWait.but(Topic{
		About:  "an iterator of a Kinesis shard expired",
		Checks: "A reader gets an iterator for a sequence number from Kinesis and reads with it. An iterator expires after five minutes.",
		Proves: "More than five minutes passed between two reads: a slow or stopped executor, or throttling. It does not show that a record is gone.",
		Next:   "Restart the query: it gets new iterators at the recorded offsets. If the error is repeated, find out what delays the reader.",
		Avoid:  "Do not treat it as lost data."}),
		Says: "An iterator of a Kinesis shard was used after more than five minutes.", Decides: "It depends on the speed of the executors."},
	{Words: "ReceiverDisconnectedException", Topic: sameSession.but(Topic{
		About:  "another reader took over an Event Hubs partition",
		Checks: "In a consumer group, Event Hubs lets one reader with an epoch read a partition. A newer reader disconnects the older one.",
		Proves: "A second reader of this consumer group opened the partition. It does not show whether it is another run, another query, or another attempt of the task.",
		Next:   "Make sure exactly one run of the query is active. Make sure no other query uses its consumer group. Then restart."}),
		Says: "A newer reader of the same consumer group disconnected this one.", Decides: "It depends on the readers of the consumer group."},
	{Words: "supplied sequence number … is invalid", Topic: sourceGone, Says: "The event hub no longer has the next sequence number.", look: (*look).lookKept, Compares: "the next offsets with what the source has, if it was checked"},
	{Words: "supplied offset … is invalid", Topic: sourceGone, Says: "The event hub no longer has the next position.", look: (*look).lookKept, Compares: "the next offsets with what the source has, if it was checked"},
}

const comparesSnapshot = "the snapshot with those in the offset files, and with the table, if its location is known"

var hudiStart = sourceLine.but(Topic{
	About:  "the file with the first position of a Hudi source",
	Checks: "A Hudi source writes its first position to sources/N/0 and reads it at every start.",
	Proves: "The bytes in this file are not what a Hudi source writes.",
	Next:   copyFirst + "Look for an older version of that file in the storage.",
	Avoid:  "Do not delete it: the source would start where its start option says.",
})
