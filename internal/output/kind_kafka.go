package output

// kafka is the Kafka sink.
var kafka = &Kind{
	Name:       "kafka",
	Described:  []string{"org.apache.spark.sql.kafka010.KafkaSourceProvider$KafkaTable", "KafkaSink"},
	Recordless: true,
	repeated:   "the Kafka sink writes at least once and records no batch: any part of an uncommitted batch may be in the topic, and a repeated batch is written again",
	settle:     "Read the end of the topic and compare keys or values with what the plan of the batch reads.",
}
