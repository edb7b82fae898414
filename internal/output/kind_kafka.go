package output

// kafka is the Kafka sink.
var kafka = &Kind{
	Name:       "kafka",
	Described:  []string{"org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaTable", "KafkaSink"},
	Recordless: true,
	repeated:   "the Kafka sink is at-least-once and records no batch: the topic may have any part of an uncommitted batch, and a repeated batch is duplicated",
	settle:     "Read the end of the topic and compare keys or values with the input of the batch.",
}
