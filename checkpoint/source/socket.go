package source

// Socket is the text socket source in micro-batches. A line is the index of the last text line that
// was read, from 0; -1 before the first:
//
//	120
//
// What was read is kept in the memory of the driver and nowhere else: nothing can be read again
// after a restart.
//
// Written by TextSocketMicroBatchStream (LongOffset).
var Socket = &Kind{
	Name:      "socket",
	Unit:      "records",
	Claims:    bareInteger,
	Parts:     bareParts,
	Inclusive: true,
	OnGarbled: notANumber,
	Described: []string{"TextSocketV2[", "TextSocketSource["},
	Volatile:  true,
}
