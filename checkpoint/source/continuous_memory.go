package source

// ContinuousMemory is ContinuousMemoryStream, and LowLatencyMemoryStream of real-time mode, which
// tests use. A line holds, per partition, how many records were read:
//
//	{"0":3,"1":2}
//
// Nothing can be read again after a restart.
//
// Written by ContinuousMemoryStreamOffset.
var ContinuousMemory = &Kind{
	Name:    "continuous-memory",
	Aliases: []string{"memory"},
	Unit:    "records",
	Claims:  partitionsOnly,
	Parts:   partitionParts,
}
