// Package kafka asks the brokers of a cluster what the topics of a query still keep. It only ever asks: for metadata,
// offsets and settings, never for a record, and nothing on the cluster changes by it.
//
// A probe takes a few rounds of requests, each for all topics at once, and each round one request to every
// broker that leads one of the partitions:
//
//	Metadata         which partitions there are (and all topics where the query subscribes to a pattern)
//	ListOffsets      the first, the next, the last stable offset; the first at a time, in up to 6 rounds
//	DescribeConfigs  how long records are kept
//
// The rights that this takes are Describe and DescribeConfigs on the topics.
//
// The requests are those of kmsg, sent by kgo. kadm would make them too, but its calls hide what is told here:
//
//   - Its metadata and its settings are nothing but an error where a right is missing on one of the topics; here all
//     else is told, and which right is missing on which topic. It also asks for all settings of a topic, not for three.
//   - Its ListStartOffsets, ListEndOffsets and ListCommittedOffsets ask for whole topics, so a broker that does not
//     answer is waited for in every round. Here its partitions are not asked again.
//   - Its ListOffsetsAfterMilli asks for one time, and puts the end of the log where no record is that late. Here each
//     partition has a time of its own, and "none" is an answer.
package kafka
