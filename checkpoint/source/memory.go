package source

// Memory is MemoryStream, which tests use. A line is the index of the last call that added data, from
// 0; -1 before the first:
//
//	4
//
// Nothing can be read again after a restart.
//
// Written by MemoryStream (LongOffset).
var Memory = &Kind{
	Name:      "memory",
	Unit:      "calls",
	Claims:    bareInteger,
	Parts:     bareParts,
	Inclusive: true,
	OnGarbled: notANumber,
	Described: []string{"MemoryStream["},
	Volatile:  true,
}
