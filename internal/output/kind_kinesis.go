package output

// kinesis is the Kinesis sink.
var kinesis = &Kind{
	Name:       "kinesis",
	Recordless: true,
	repeated:   "the Kinesis sink is at-least-once and records no batch",
	settle:     "Read the end of the stream and compare it with the input of the batch.",
}
