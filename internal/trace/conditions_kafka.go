package trace

// kafkas are what Spark's Kafka source and sink say, and the client of Kafka below them. The texts of Spark 4 do not
// hold the names: both are listed.
var kafkas = []*Condition{
	{Name: "KAFKA_DATA_LOSS.ADDED_PARTITION_DOES_NOT_START_FROM_OFFSET_ZERO", Releases: "4.0-4.2", Words: "Added partition … starts from … instead of 0", Topic: kafkaSet.but(Topic{
		About:  "a new Kafka partition begins later than its first record",
		Proves: "It proves that the partition was new to the query and that Kafka's oldest offset of it was above 0: what lay before was removed before the query saw it.",
		Next:   "Find out when the partition was added and how long the topic keeps records. What is gone of it was never read; decide whether it is needed.",
	}), Says: "A partition is new to the query, and Kafka no longer holds its first records.", look: (*look).lookAdded,
		Compares: "the partition with those of the newest plan, its offset with what Kafka holds where that was told"},
	{Name: "KAFKA_DATA_LOSS.COULD_NOT_READ_OFFSET_RANGE", Releases: "4.0-4.2", Words: "Could not read records in offset [", Topic: kafka, Says: saysRange, look: (*look).lookFetched, Compares: comparesOffsets},
	{Name: "KAFKA_DATA_LOSS.INITIAL_OFFSET_NOT_FOUND_FOR_PARTITIONS", Releases: "4.0-4.2", Words: "Cannot find initial offsets for partitions", Topic: kafkaSet, Says: saysNoFirst, look: (*look).lookFirst, Compares: comparesParts},
	{Words: "Cannot find earliest offsets of", Topic: kafkaSet, Says: saysNoFirst, look: (*look).lookFirst, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITIONS_DELETED_AND_GROUP_ID_CONFIG_PRESENT", Releases: "4.0-4.2", Words: "have been deleted… has been set on this query", Topic: kafkaSet.but(Topic{
		Proves: "It proves that the source was not shown these partitions. With a group id of one's own that can be because another consumer of the same group has them: then nothing is deleted.",
		Next:   "Take kafka.group.id out of the query's options, or make sure that no other query uses the same one, and start again. Compare the partitions of the topic with the newest plan.",
	}), Says: "Partitions of the newest plan were not shown to the source, which uses a group id of its own.", look: (*look).lookGone, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITIONS_DELETED", Releases: "4.0-4.2", Words: "Partitions … have been deleted", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Words: " are gone. ", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Words: "Some partitions were deleted", Topic: kafkaSet, Says: saysGone, look: (*look).lookGone, Compares: comparesParts},
	{Name: "KAFKA_DATA_LOSS.PARTITION_OFFSET_CHANGED", Releases: "4.0-4.2", Words: "offset was changed from", Topic: kafka, Says: "Kafka's newest offset of a partition is below the one that the plan has already.", look: (*look).lookChanged, Compares: comparesOffsets},
	{Name: "KAFKA_DATA_LOSS.START_OFFSET_RESET", Releases: "4.0-4.2", Words: "Starting offset for … was … but consumer reset to", Topic: startOption, Says: saysReset, look: (*look).lookStart, Compares: comparesStart},
	{Words: "startingOffsets for … was … but consumer reset to", Topic: startOption, Says: saysReset, look: (*look).lookStart, Compares: comparesStart},
	{Name: "KAFKA_START_OFFSET_DOES_NOT_MATCH_ASSIGNED", Releases: "4.0-4.2", Words: "Partitions specified for Kafka start offsets don't match what are assigned", Topic: startOption, Says: saysAssigned, look: (*look).lookStart, Compares: comparesStart},
	{Words: "If startingOffsets contains specific offsets, you must specify all", Topic: startOption, Says: saysAssigned, look: (*look).lookStart, Compares: comparesStart},
	{Name: "KAFKA_TIMESTAMP_OFFSET_DOES_NOT_MATCH_ASSIGNED", Releases: "4.0-4.2", Words: "Partitions specified for Kafka timestamp based", Topic: startOption, Says: saysTimes, look: (*look).lookStart, Compares: comparesStart},
	{Words: "ffsetsByTimestamp contains specific offsets, you must specify all", Topic: startOption, Says: saysTimes, look: (*look).lookStart, Compares: comparesStart},
	{Words: "No offset matched from request of topic-partition", Topic: startOption.but(Topic{
		Proves: "It proves that no record of a partition is as new as the time that the option names. Nothing was read yet: no data is lost.",
		Next:   "Take an older time, or set startingOffsetsByTimestampStrategy to latest, then start again.",
	}), Says: "startingTimestamp names a time after the newest record of a partition.", look: (*look).lookStart, Compares: comparesStart},

	// Trigger.AvailableNow.
	{Name: "MISMATCHED_TOPIC_PARTITIONS_BETWEEN_END_OFFSET_AND_PREFETCHED", Releases: "3.4-4.2", Words: "should provide the same topic partitions in pre-fetched offset to end offset", Topic: availableNow,
		Says: "A batch has other partitions than those fetched at the start with Trigger.AvailableNow: mostly an open batch, and partitions added since.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "END_OFFSET_HAS_GREATER_OFFSET_FOR_TOPIC_PARTITION_THAN_PREFETCHED", Releases: "3.4-4.2", Words: "lower or equal offset per each topic partition than pre-fetched offset", Topic: availableNow,
		Says: "A batch ends behind the newest offsets fetched at the start with Trigger.AvailableNow: mostly an open batch, and a topic that was made again since.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "LOST_TOPIC_PARTITIONS_IN_END_OFFSET_WITH_TRIGGER_AVAILABLENOW", Releases: "3.4-4.2", Words: "have been lost during running query with Trigger.AvailableNow", Topic: availableNow,
		Says: "Partitions of a batch were not among those Kafka listed, with Trigger.AvailableNow.", look: (*look).lookPrefetched, Compares: comparesOpen},
	{Name: "END_OFFSET_HAS_GREATER_OFFSET_FOR_TOPIC_PARTITION_THAN_LATEST_WITH_TRIGGER_AVAILABLENOW", Releases: "3.4-4.2", Words: "report available offset which is less than end offset", Topic: availableNow,
		Says: "A batch ends behind the newest offsets that Kafka reported, with Trigger.AvailableNow.", look: (*look).lookPrefetched, Compares: comparesOpen},

	{Name: "KAFKA_MALFORMED_RECORD_TIMESTAMP", Releases: "4.2", Words: "overflows when converting to Spark's microsecond-precision", Topic: kafkaOption.but(Topic{
		About: "a Kafka record has a time that Spark cannot hold", Checks: "The time of each record is turned into Spark's own, in microseconds.",
		Proves: "It proves that one record carries such a time: its producer wrote it. It says nothing about the checkpoint, whose offsets stay as they are.",
		Next:   "Look at the record that the message names and at the clock of its producer.",
	}), Says: "The time of a Kafka record is beyond what Spark can hold.", Decides: "The record in Kafka does."},

	// Two ends of one range.
	{Name: "RESOLVED_START_OFFSET_GREATER_THAN_END_OFFSET", Releases: "4.1-4.2", Words: "resolved start offset … is greater than the resolved end offset", Topic: kafka, Says: saysBackwards, look: (*look).lookTwoEnds, Compares: comparesOffsets},
	{Words: "Beginning offset … is after the ending offset", Topic: kafka, Says: saysBackwards, look: (*look).lookTwoEnds, Compares: comparesOffsets},
	{Name: "UNRESOLVED_START_OFFSET_GREATER_THAN_END_OFFSET", Releases: "4.1-4.2", Words: "The specified start … is greater than the end", Topic: kafkaOption, Says: "The options of a batch read name a start behind its end.", Decides: "The options of a batch read do: a streaming query has no end option."},
	{Name: "MISMATCHED_TOPIC_PARTITIONS_BETWEEN_START_OFFSET_AND_END_OFFSET", Releases: "4.1-4.2", Words: "specified start offset and end offset should have the same topic-partitions", Topic: kafkaOption, Says: "The options of a batch read name other partitions for its start than for its end.", Decides: "The options of a batch read do: a streaming query has no end option."},
	{Words: "different topic partitions for starting offsets topics", Topic: kafkaOption, Says: "The options of a batch read name other partitions for its start than for its end.", Decides: "The options of a batch read do: a streaming query has no end option."},
	{Name: "KAFKA_NULL_TOPIC_IN_DATA", Releases: "4.1-4.2", Words: "data sent to the producer contains a null topic", Topic: kafkaOption, Says: "A row for the Kafka sink had no topic, and no option names one.", Decides: "The rows of the batch and the option topic of the sink do."},
	{Words: "null topic present in the data", Topic: kafkaOption, Says: "A row for the Kafka sink had no topic, and no option names one.", Decides: "The rows of the batch and the option topic of the sink do."},
	{Words: "topic option required when no", Topic: kafkaOption, Says: "The rows for the Kafka sink have no column topic, and no option names one.", Decides: "The columns of the query and the option topic of the sink do."},

	// Records that did not come.
	{Words: "Cannot fetch record for offset … milliseconds", Topic: kafkaWait, Says: "An executor asked Kafka for one offset and got no answer within kafkaConsumer.pollTimeoutMs.", look: (*look).lookSlow, Compares: comparesOffsets, Decides: "The brokers and the network do: how long they took, nothing records."},
	{Words: "Cannot fetch records in", Topic: kafka, Says: saysRange, look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Cannot fetch offset", Topic: kafka, Says: "A consumer asked Kafka for an offset and got none.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Tried to fetch … but the returned record offset was", Topic: kafka, Says: "Kafka gave a later record than the one that was asked for.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "poll but the offset was reset", Topic: kafka, Says: "A consumer asked Kafka for an offset and was put elsewhere: the partition does not have it.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Skip missing records in", Topic: kafka.but(Topic{
		About:  "records of Kafka were passed over",
		Proves: "It proves that failOnDataLoss is false and that these records did not come. The query went on without them: they are missing in the output.",
		Avoid:  "Do not take a query that runs for one that has read everything.",
	}), Says: "A consumer did not get a range of offsets, and the query went on without it.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "Failed to get records for", Topic: kafkaWait, Says: "An executor asked Kafka for records and got none in time.", Decides: "The brokers and the network do: how long they took, nothing records."},
	{Words: "OffsetOutOfRangeException", Topic: kafka, Says: "A consumer asked Kafka for an offset that the partition does not have.", look: (*look).lookFetched, Compares: comparesOffsets},
	{Words: "doesn't have a from offset", Topic: kafkaSet, Says: "The source was given a partition without a start offset, which Spark takes for impossible.", Decides: "A fault of Spark or a plan edited by hand does; nothing records it."},
	{Words: "UnknownTopicOrPartitionException", Topic: kafkaSet, Says: "Kafka has no such topic or partition, or does not show it to this user.", look: (*look).lookGone, Compares: comparesParts},
	{Words: "TopicAuthorizationException", Topic: access.but(Topic{
		About:  "Kafka denied access",
		Checks: "Each read and write of a topic needs a right (an ACL) of the user as whom the query connects to Kafka.",
		Proves: "It proves that this user lacked a right on the topic at that moment. The checkpoint is not concerned, and no record is lost.",
		Next:   "Compare the ACLs of the topic and of the consumer group with the user of the query, then restart.",
		Avoid:  "Do not set failOnDataLoss to false: nothing says that a record is gone."}),
		Says: "Kafka does not let this user read or write the topic.", Decides: "The rights in Kafka do."},
	{Words: "GroupAuthorizationException", Topic: access, Says: "Kafka does not let this user use the consumer group.", Decides: "The rights in Kafka do."},
	{Words: "SaslAuthenticationException", Topic: access, Says: "Kafka did not take the login of this user.", Decides: "The login options of the query do."},
	{Words: "LeaderNotAvailableException", Topic: kafkaWait, Says: "A partition had no leader at that moment.", Decides: "The brokers do."},
	{Words: "NotLeaderForPartitionException", Topic: kafkaWait, Says: "A broker was asked that no longer led the partition.", Decides: "The brokers do."},
	{Words: "org.apache.kafka.common.errors.TimeoutException", Topic: kafkaWait, Says: "A request to Kafka got no answer in time.", Decides: "The brokers and the network do."},
	{Words: "No resolvable bootstrap urls", Topic: kafkaWait, Says: "None of the addresses in kafka.bootstrap.servers has a name that resolves.", Decides: "The option and the name service do."},
	{Words: "must be specified for Kafka source", Topic: kafkaOption, Says: "The options of a Kafka source name no topic, or name them in two ways.", Decides: "The options of the query do."},
	{Words: "can be specified for Kafka source", Topic: kafkaOption, Says: "The options of a Kafka source name its topics in two ways.", Decides: "The options of the query do."},
	{Words: "Kafka option … is not supported", Topic: kafkaOption, Says: "An option is given that Spark keeps for itself.", Decides: "The options of the query do."},
	{Words: "must be specified for configuring Kafka consumer", Topic: kafkaOption, Says: "The options do not name the brokers.", Decides: "The options of the query do."},
	{Words: "ot valid in streaming queries", Topic: kafkaOption, Says: "An end is given for a source of a stream, which has none.", Decides: "The options of the query do."},
	{Words: "higher than the maxOffsetsPerTrigger", Topic: kafkaOption, Says: "The smallest batch that is asked for is larger than the largest.", Decides: "The options of the query do."},
	{Words: "specified value for option 'subscribe", Topic: kafkaOption, Says: "The option that names the topics is empty.", Decides: "The options of the query do."},
	{Words: "specified value for option 'assign'", Topic: kafkaOption, Says: "The option that names the partitions is empty.", Decides: "The options of the query do."},
	{Words: "attribute unsupported type", Topic: kafkaOption, Says: "A column for the Kafka sink has a type that it does not take.", Decides: "The columns of the query do."},
	{Words: "Required attribute 'value' not found", Topic: kafkaOption, Says: "The rows for the Kafka sink have no column value.", Decides: "The columns of the query do."},
	{Words: "RecordTooLargeException", Topic: kafkaOption, Says: "A row for the Kafka sink was larger than the topic takes.", Decides: "The row and the topic's max.message.bytes do."},
	{Words: "ProducerFencedException", Topic: kafkaOption.but(Topic{About: "another producer took over", Next: "Make sure that one run of the query, and no other, is active."}), Says: "Another producer with the same transactional id took over.", Decides: "The brokers do."},

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

	comparesParts   = "the partitions with those of the newest plan, and with what Kafka has where that was told"
	comparesOffsets = "the offsets with the ranges of the newest plans, and with what Kafka holds where that was told"
	comparesStart   = "whether the source has begun to read: plans, and sources/N/0"
	comparesOpen    = "partitions and offsets with those of the open batch's plan, and with what Kafka holds where that was told"
)
