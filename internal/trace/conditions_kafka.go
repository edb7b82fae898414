package trace

// kafkas are what Spark's Kafka source and sink say, and the client of Kafka below them. The texts of Spark 4 do not
// hold the names: both are listed.
var kafkas = []*Condition{
	{Name: "KAFKA_DATA_LOSS.ADDED_PARTITION_DOES_NOT_START_FROM_OFFSET_ZERO", Releases: "4.0-4.2", Words: "Added partition … starts from … instead of 0", Topic: kafkaSet.but(Topic{
		About:  "a new Kafka partition starts after its first record",
		Proves: "The partition was new to the query, and its oldest offset in Kafka was above 0. The records before were removed before the query saw them.",
		Next:   "Find out when the partition was added and how long the topic keeps records. The query never read the removed records. Decide whether you need them.",
	}), Says: "A partition is new to the query, and Kafka no longer has its first records.", look: (*look).lookAdded,
		Compares: "the partition with those in the newest offset file, its offset with what Kafka has, if it was checked"},
	{Name: "KAFKA_DATA_LOSS.COULD_NOT_READ_OFFSET_RANGE", Releases: "4.0-4.2", Words: "Could not read records in offset [", Topic: kafka, Says: saysRange, look: (*look).lookFetched, Compares: comparesOffsets},
	{Name: "KAFKA_DATA_LOSS.INITIAL_OFFSET_NOT_FOUND_FOR_PARTITIONS", Releases: "4.0-4.2", Words: "Cannot find initial offsets for partitions", Topic: kafkaSet, Says: saysNoFirst, look: (*look).lookFirst, Compares: comparesParts},
	{Words: "Cannot find earliest offsets of", Topic: kafkaSet, Says: saysNoFirst, look: (*look).lookFirst, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITIONS_DELETED_AND_GROUP_ID_CONFIG_PRESENT", Releases: "4.0-4.2", Words: "have been deleted… has been set on this query", Topic: kafkaSet.but(Topic{
		Proves: "The source did not see these partitions. With a custom group ID, another consumer of the same group may have them. Then nothing is deleted.",
		Next:   "Remove kafka.group.id from the query's options, or make sure no other query uses the same one. Then start again. Compare the partitions of the topic with the newest offset file.",
	}), Says: "The source, which uses a custom group ID, did not see partitions of the newest offset file.", look: (*look).lookGone, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITIONS_DELETED", Releases: "4.0-4.2", Words: "Partitions … have been deleted", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Words: " are gone. ", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Words: "Some partitions were deleted", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", Releases: "4.0-4.2", Words: "offset was changed from", Topic: kafka, Says: "Kafka's newest offset of a partition is below the recorded one.", look: (*look).lookChanged, Compares: comparesOffsets},
	{Name: "KAFKA_DATA_LOSS.START_OFFSET_RESET", Releases: "4.0-4.2", Words: "Starting offset for … was … but consumer reset to", Topic: startOption, Says: saysReset, look: (*look).lookStart, Compares: comparesStart},
	{Words: "startingOffsets for … was … but consumer reset to", Topic: startOption, Says: saysReset, look: (*look).lookStart, Compares: comparesStart},
	{Name: "KAFKA_START_OFFSET_DOES_NOT_MATCH_ASSIGNED", Releases: "4.0-4.2", Words: "Partitions specified for Kafka start offsets don't match what are assigned", Topic: startOption, Says: saysAssigned, look: (*look).lookStart, Compares: comparesStart},
	{Words: "If startingOffsets contains specific offsets, you must specify all", Topic: startOption, Says: saysAssigned, look: (*look).lookStart, Compares: comparesStart},
	{Name: "KAFKA_TIMESTAMP_OFFSET_DOES_NOT_MATCH_ASSIGNED", Releases: "4.0-4.2", Words: "Partitions specified for Kafka timestamp based", Topic: startOption, Says: saysTimes, look: (*look).lookStart, Compares: comparesStart},
	{Words: "ffsetsByTimestamp contains specific offsets, you must specify all", Topic: startOption, Says: saysTimes, look: (*look).lookStart, Compares: comparesStart},
	{Words: "No offset matched from request of topic-partition", Topic: startOption.but(Topic{
		Proves: "No record of a partition is as new as the time in the option. The query has read nothing yet, so no data is lost.",
		Next:   "Use an older time, or set startingOffsetsByTimestampStrategy to latest. Then start again.",
	}), Says: "startingTimestamp is after the newest record of a partition.", look: (*look).lookStart, Compares: comparesStart},

	// Trigger.AvailableNow.
	{Name: "MISMATCHED_TOPIC_PARTITIONS_BETWEEN_END_OFFSET_AND_PREFETCHED", Releases: "3.4-4.2", Words: "should provide the same topic partitions in pre-fetched offset to end offset", Topic: availableNow,
		Says: "A batch has other partitions than Trigger.AvailableNow fetched at the start. Mostly the batch was uncommitted and partitions were added since.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "END_OFFSET_HAS_GREATER_OFFSET_FOR_TOPIC_PARTITION_THAN_PREFETCHED", Releases: "3.4-4.2", Words: "lower or equal offset per each topic partition than pre-fetched offset", Topic: availableNow,
		Says: "A batch ends after the newest offsets Trigger.AvailableNow fetched at the start. Mostly the batch was uncommitted and the topic was created again.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "LOST_TOPIC_PARTITIONS_IN_END_OFFSET_WITH_TRIGGER_AVAILABLENOW", Releases: "3.4-4.2", Words: "have been lost during running query with Trigger.AvailableNow", Topic: availableNow,
		Says: "Kafka did not list some partitions of a batch, with Trigger.AvailableNow.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "END_OFFSET_HAS_GREATER_OFFSET_FOR_TOPIC_PARTITION_THAN_LATEST_WITH_TRIGGER_AVAILABLENOW", Releases: "3.4-4.2", Words: "report available offset which is less than end offset", Topic: availableNow,
		Says: "A batch ends after the newest offsets Kafka reported, with Trigger.AvailableNow.", look: (*look).lookPrefetched, Compares: comparesOpen},

	{Name: "KAFKA_MALFORMED_RECORD_TIMESTAMP", Releases: "4.2", Words: "overflows when converting to Spark's microsecond-precision", Topic: kafkaOption.but(Topic{
		About: "a Kafka record has a time Spark cannot represent", Checks: "Spark converts the time of each record to microseconds.",
		Proves: "One record has such a time: its producer wrote it. It says nothing about the checkpoint, whose offsets remain unchanged.",
		Next:   "Check the record the message names and the clock of its producer.",
	}), Says: "The time of a Kafka record exceeds the range of Spark.", Decides: "It depends on the record in Kafka."},

	// Two ends of one range.
	{Name: "RESOLVED_START_OFFSET_GREATER_THAN_END_OFFSET", Releases: "4.1-4.2", Words: "resolved start offset … is greater than the resolved end offset", Topic: kafka, Says: saysBackwards, look: (*look).lookTwoEnds, Compares: comparesOffsets},
	{Words: "Beginning offset … is after the ending offset", Topic: kafka, Says: saysBackwards, look: (*look).lookTwoEnds, Compares: comparesOffsets},
	{Name: "UNRESOLVED_START_OFFSET_GREATER_THAN_END_OFFSET", Releases: "4.1-4.2", Words: "The specified start … is greater than the end", Topic: kafkaOption, Says: "The options of a batch read define a start after its end.", Decides: "It depends on the options of a batch read: a streaming query has no end option."},
	{Name: "MISMATCHED_TOPIC_PARTITIONS_BETWEEN_START_OFFSET_AND_END_OFFSET", Releases: "4.1-4.2", Words: "specified start offset and end offset should have the same topic-partitions", Topic: kafkaOption, Says: "The options of a batch read name other partitions for its start than for its end.", Decides: "It depends on the options of a batch read: a streaming query has no end option."},
	{Words: "different topic partitions for starting offsets topics", Topic: kafkaOption, Says: "The options of a batch read name other partitions for its start than for its end.", Decides: "It depends on the options of a batch read: a streaming query has no end option."},
	{Name: "KAFKA_NULL_TOPIC_IN_DATA", Releases: "4.1-4.2", Words: "data sent to the producer contains a null topic", Topic: kafkaOption, Says: "A row for the Kafka sink has no topic, and no option names one.", Decides: "It depends on the rows of the batch and the topic option of the sink."},
	{Words: "null topic present in the data", Topic: kafkaOption, Says: "A row for the Kafka sink has no topic, and no option names one.", Decides: "It depends on the rows of the batch and the topic option of the sink."},
	{Words: "topic option required when no", Topic: kafkaOption, Says: "The rows for the Kafka sink have no column topic, and no option names one.", Decides: "It depends on the columns of the query and the topic option of the sink."},

	// Records that did not come.
	{Words: "Cannot fetch record for offset … milliseconds", Topic: kafkaWait, Says: "An executor asked Kafka for one offset and got no answer within kafkaConsumer.pollTimeoutMs.", look: (*look).lookSlow, Compares: comparesOffsets, Decides: "It depends on the brokers and the network: no file records their response times."},
	{Words: "Cannot fetch records in", Topic: kafka, Says: saysRange, look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Cannot fetch offset", Topic: kafka, Says: "A consumer asked Kafka for an offset and got none.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Tried to fetch … but the returned record offset was", Topic: kafka, Says: "Kafka returned a later record than the requested one.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "poll but the offset was reset", Topic: kafka, Says: "A consumer asked Kafka for an offset the partition does not have, and got another position.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Skip missing records in", Topic: kafka.but(Topic{
		About:  "Spark skipped Kafka records",
		Proves: "failOnDataLoss is false, and these records did not arrive. The query continued without them: the sink does not have them.",
		Avoid:  "Do not assume that a running query has read everything.",
	}), Says: "A consumer did not get a range of offsets, and the query continued without it.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Failed to get records for", Topic: kafkaWait, Says: "An executor asked Kafka for records and got none in time.", Decides: "It depends on the brokers and the network: no file records their response times."},
	{Words: "OffsetOutOfRangeException", Topic: kafka, Says: "A consumer asked Kafka for an offset the partition does not have.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "doesn't have a from offset", Topic: kafkaSet, Says: "The source received a partition without a start offset, which Spark considers impossible.", Decides: "It depends on a bug in Spark or an edited offset file. No file records it."},
	{Words: "UnknownTopicOrPartitionException", Topic: kafkaSet, Says: "Kafka has no such topic or partition, or does not show it to this user.", look: (*look).lookGone, Compares: comparesParts},
	{Words: "TopicAuthorizationException", Topic: access.but(Topic{
		About:  "Kafka denied access",
		Checks: "Each read and write of a topic needs a permission (an ACL) of the Kafka user of the query.",
		Proves: "This user lacked a permission on the topic at that moment. The checkpoint is not affected, and no record is lost.",
		Next:   "Compare the ACLs of the topic and of the consumer group with the user of the query. Then restart.",
		Avoid:  "Do not set failOnDataLoss to false: nothing shows that a record is gone."}),
		Says: "Kafka does not let this user read or write the topic.", Decides: "It depends on the permissions in Kafka."},
	{Words: "GroupAuthorizationException", Topic: access, Says: "Kafka does not let this user use the consumer group.", Decides: "It depends on the permissions in Kafka."},
	{Words: "SaslAuthenticationException", Topic: access, Says: "Kafka rejected the login of this user.", Decides: "It depends on the login options of the query."},
	{Words: "LeaderNotAvailableException", Topic: kafkaWait, Says: "A partition had no leader at that moment.", Decides: "It depends on the brokers."},
	{Words: "NotLeaderForPartitionException", Topic: kafkaWait, Says: "Spark asked a broker that no longer led the partition.", Decides: "It depends on the brokers."},
	{Words: "org.apache.kafka.common.errors.TimeoutException", Topic: kafkaWait, Says: "A request to Kafka got no answer in time.", Decides: "It depends on the brokers and the network."},
	{Words: "No resolvable bootstrap urls", Topic: kafkaWait, Says: "No address in kafka.bootstrap.servers can be resolved.", Decides: "It depends on the option and the name service."},
	{Words: "must be specified for Kafka source", Topic: kafkaOption, Says: "The options of a Kafka source name no topic, or name them in two ways.", Decides: "It depends on the options of the query."},
	{Words: "can be specified for Kafka source", Topic: kafkaOption, Says: "The options of a Kafka source name its topics in two ways.", Decides: "It depends on the options of the query."},
	{Words: "Kafka option … is not supported", Topic: kafkaOption, Says: "The query sets an option that is reserved for Spark.", Decides: "It depends on the options of the query."},
	{Words: "must be specified for configuring Kafka consumer", Topic: kafkaOption, Says: "The options do not name the brokers.", Decides: "It depends on the options of the query."},
	{Words: "ot valid in streaming queries", Topic: kafkaOption, Says: "A streaming source has an end option, but a stream has no end.", Decides: "It depends on the options of the query."},
	{Words: "higher than the maxOffsetsPerTrigger", Topic: kafkaOption, Says: "The smallest allowed batch is larger than the largest.", Decides: "It depends on the options of the query."},
	{Words: "specified value for option 'subscribe", Topic: kafkaOption, Says: "The option that names the topics is empty.", Decides: "It depends on the options of the query."},
	{Words: "specified value for option 'assign'", Topic: kafkaOption, Says: "The option that names the partitions is empty.", Decides: "It depends on the options of the query."},
	{Words: "attribute unsupported type", Topic: kafkaOption, Says: "A column for the Kafka sink has a type the sink does not support.", Decides: "It depends on the columns of the query."},
	{Words: "Required attribute 'value' not found", Topic: kafkaOption, Says: "The rows for the Kafka sink have no column value.", Decides: "It depends on the columns of the query."},
	{Words: "RecordTooLargeException", Topic: kafkaOption, Says: "A row for the Kafka sink was larger than the topic allows.", Decides: "It depends on the row and the topic's max.message.bytes."},
	{Words: "ProducerFencedException", Topic: kafkaOption.but(Topic{About: "another producer took over", Next: "Make sure exactly one run of the query is active."}), Says: "Another producer with the same transactional ID took over.", Decides: "It depends on the brokers."},

	// What only says that something is, or may be, lost.
	{Name: "KAFKA_DATA_LOSS", Releases: "4.0-4.2", Words: "ome data may have been lost because they are not available in Kafka", Topic: kafka, Says: saysLoss, look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "ome data may have been missed", Topic: kafka, Says: saysLoss, look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "failOnDataLoss", Topic: kafka, Says: saysLoss, look: (*look).lookFetched, Compares: comparesOffsets},
}

// What several releases say in other words.
const (
	saysRange     = "A consumer asked Kafka for a range of offsets and did not get it all."
	saysNoFirst   = "Partitions that are new to the query were gone again before their oldest offset could be asked for."
	saysGone      = "Partitions of the newest plan are not among those Kafka lists now."
	saysReset     = "startingOffsets names an offset that the partition does not have."
	saysAssigned  = "startingOffsets does not list exactly the partitions that the source is assigned."
	saysTimes     = "The times from which to read are not given for exactly the partitions or topics that the source is assigned."
	saysBackwards = "The start of a range of a Kafka partition is after its end."
	saysLoss      = "Kafka does not hold, or no longer holds, what the plan says must be read next."

	comparesParts   = "the partitions with those in the newest offset file, and with Kafka, if it was checked"
	comparesOffsets = "the offsets with the ranges of the newest offset files, and with Kafka, if it was checked"
	comparesStart   = "whether the source has begun to read: plans, and sources/N/0"
	comparesOpen    = "partitions and offsets with those of the uncommitted batch, and with Kafka, if it was checked"
)
