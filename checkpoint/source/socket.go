package source

// socket is the text socket source in micro-batches. A line is the index of the last text line that
// was read, from 0; -1 before the first:
//
//	120
//
// What was read is kept in the memory of the driver and nowhere else: nothing can be read again
// after a restart.
//
// Written by TextSocketMicroBatchStream (LongOffset).
var socket = &Kind{Name: "socket", Unit: "records", Claims: bareInteger, Parts: bareParts, Inclusive: true}
