package trace

// connectors are what the sources and sinks of other projects say: Iceberg, Hudi, Kinesis, Event Hubs. They have no
// names, only texts.
var connectors = []*Condition{
	// Iceberg.
	{Words: "Cannot load current offset at snapshot", Topic: sourceGone, Says: "The snapshot of the Iceberg table at the query's position was expired or removed.", look: (*look).lookSnapshot, Compares: comparesSnapshot},
	{Words: "Cannot find snapshot after … not an ancestor", Topic: sourceGone.but(Topic{
		About:  "the table was taken back behind the position of the source",
		Proves: "It proves that the table's newest snapshot did not come from the one of the plan: the table was rolled back, made again, or another branch is read.",
	}), Says: "The newest snapshot of the Iceberg table does not follow from the one at the query's position.", look: (*look).lookSnapshot, Compares: comparesSnapshot},
	{Words: "Cannot process delete snapshot", Topic: tableChanges, Says: "A snapshot of the Iceberg table removed rows, and the query takes only new rows.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Cannot process overwrite snapshot", Topic: tableChanges, Says: "A snapshot of the Iceberg table replaced rows, and the query takes only new rows.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Cannot process unknown snapshot operation", Topic: tableChanges, Says: "A snapshot of the Iceberg table was made by an operation that this release does not know.", look: (*look).lookAhead, Compares: comparesSnapshot},
	{Words: "Failed to parse StreamingOffset from JSON string", Topic: sourceLine, Says: "The line of an Iceberg source in a plan is not one that this release reads.", look: (*look).lookLine, Compares: "the position in the message with the lines of the plans"},
	{Words: "This version of Iceberg source only supports version", Topic: sourceLine, Says: "The line of an Iceberg source in a plan is of a version that this release does not read.", look: (*look).lookLine, Compares: "the version with those of the plans"},
	{Words: "Cannot parse StreamingOffset", Topic: sourceLine, Says: "An Iceberg source was given no position where it needs one."},
	{Words: "is not a StreamingOffset", Topic: sourceLine, Says: "An Iceberg source was given the position of another kind of source."},
	{Words: "Failed reading offset from", Topic: sourceLine.but(Topic{
		About: "the file in which an Iceberg source keeps where it began", Checks: "An Iceberg source writes its first position into sources/N/offsets/0 and reads it at every start.",
		Proves: "It proves that this file could not be read at that moment.", Next: copyFirst + "Look for the file in the versions or the trash of the storage.",
		Avoid: "Do not write it by hand: another first position reads rows again, or loses them.",
	}), Says: "The file with the first position of an Iceberg source could not be read.", look: (*look).lookFirstOffset, Compares: "whether that file can be read"},
	{Words: "Failed writing offset to", Topic: unwritten, Says: "The file with the first position of an Iceberg source could not be written.", Decides: "The storage at that moment does."},
	{Words: "Failed to read StreamingOffset from json", Topic: sourceLine, Says: "The file with the first position of an Iceberg source is not JSON that this release reads.", look: (*look).lookFirstOffset, Compares: "whether sources/N/offsets/0 can be read"},

	// Hudi.
	{Words: "Bad metadata format, failed to find the version line", Topic: hudiStart, Says: "The file with the first position of a Hudi source has no version line.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "Illegal version line: … in the streaming metadata path", Topic: hudiStart, Says: "The file with the first position of a Hudi source begins with something that is no version.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "UnSupportVersion: max support version is", Topic: hudiStart, Says: "The file with the first position of a Hudi source was written by a newer release.", look: (*look).lookFirstOffset, Compares: "whether sources/N/0 can be read"},
	{Words: "UnKnow offset type", Topic: sourceLine, Says: "A Hudi source was given the position of another kind of source."},
	{Words: "UnSupport tableType", Topic: kafkaOption.but(Topic{About: "the Hudi source does not take the table", Checks: "The type of the table, copy on write or merge on read."}), Says: "The Hudi table has a type that the source does not know.", Decides: "The table and the release of Hudi do."},
	{Words: "HoodieIncrementalPathNotFoundException", Topic: sourceGone, Says: "Files of a commit of the Hudi table that comes next were cleaned away.", look: (*look).lookHudi, Compares: "the newest plan's commit time with what the table holds where that was told"},
	{Words: "Micro batch id=", Topic: deltaWrite.but(Topic{About: "the Hudi table did not take the batch", Checks: "A Hudi sink writes the batch, with retries, and commits it to the table's timeline.", Codes: []string{"sink-behind", "sink-ahead"}}), Says: "A Hudi sink could not write rows of the batch.", look: (*look).lookHudiBatch, Compares: "whether the batch is still open"},
	{Words: "Async Compactor shutdown unexpectedly", Topic: tableService, Says: "The compaction that runs next to a Hudi sink ended.", Decides: "The driver's log does: it names what ended it."},
	{Words: "Async clustering service shutdown unexpectedly", Topic: tableService, Says: "The clustering that runs next to a Hudi sink ended.", Decides: "The driver's log does: it names what ended it."},

	// Kinesis and Event Hubs.
	{Words: "Unable to fetch committed metadata from previous batch", Topic: connector, Says: "The Kinesis connector keeps where shards ended in files of its own, and one that it needs is not there."},
	{Words: "ExpiredIteratorException", Topic: kafkaWait.but(Topic{
		About:  "an iterator over a Kinesis shard was too old",
		Checks: "A reader asks Kinesis for an iterator at a sequence number and reads on with it. Kinesis takes an iterator for five minutes.",
		Proves: "It proves that more than five minutes passed between two reads: a slow or stopped executor, or throttling. It does not show that a record is gone.",
		Next:   "Restart the query: it asks for new iterators at the positions of the plan. If it comes again, look for what holds the reader up.",
		Avoid:  "Do not take it for lost data."}),
		Says: "An iterator over a Kinesis shard was older than five minutes when it was used.", Decides: "How fast the executors read does."},
	{Words: "ReceiverDisconnectedException", Topic: sameSession.but(Topic{
		About:  "another reader took over a partition of Event Hubs",
		Checks: "In a consumer group, Event Hubs lets one reader with an epoch read a partition; a newer one ends the older.",
		Proves: "It proves that a second reader of this consumer group opened the partition. It does not tell whether that is another run of this query, another query, or another attempt of the same task.",
		Next:   "Make sure that one run of the query is active, and that no other query uses its consumer group. Then restart."}),
		Says: "A newer reader of the same consumer group ended this one.", Decides: "The readers of the consumer group do."},
	{Words: "supplied sequence number … is invalid", Topic: sourceGone, Says: "The event hub does not hold the sequence number that the plan says is next.", look: (*look).lookKept, Compares: "what the next start reads with what the source holds where that was told"},
	{Words: "supplied offset … is invalid", Topic: sourceGone, Says: "The event hub does not hold the position that the plan says is next.", look: (*look).lookKept, Compares: "what the next start reads with what the source holds where that was told"},
}

const comparesSnapshot = "the snapshot with those of the plans, and with what the table has where that was told"

var hudiStart = sourceLine.but(Topic{
	About:  "the file in which a Hudi source keeps where it began",
	Checks: "A Hudi source writes its first position into sources/N/0 and reads it at every start.",
	Proves: "It proves that the bytes Spark read there were not what a Hudi source writes.",
	Next:   copyFirst + "Look for an older version of that file in the storage.",
	Avoid:  "Do not delete it: the source would begin where its start option says.",
})
