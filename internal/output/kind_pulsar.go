package output

// pulsar is the Pulsar sink.
var pulsar = &Kind{
	Name:       "pulsar",
	Recordless: true,
	repeated:   "the Pulsar sink writes at least once and records no batch",
	settle:     "Read the end of the topic and compare with what the plan of the batch reads.",
}
