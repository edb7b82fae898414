package output

// pulsar is the Pulsar sink.
var pulsar = &Kind{
	Name:       "pulsar",
	Recordless: true,
	repeated:   "the Pulsar sink is at-least-once and records no batch",
	settle:     "Read the end of the topic and compare it with the input of the batch.",
}
