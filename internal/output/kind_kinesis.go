package output

// kinesis is the Kinesis sink.
var kinesis = &Kind{
	Name:       "kinesis",
	Recordless: true,
	repeated:   "the Kinesis sink writes at least once and records no batch",
	settle:     "Read the end of the stream and compare with what the plan of the batch reads.",
}
