// Package source knows the offsets of every kind of streaming source: the line that a source writes
// into the offset log, in one shape for all kinds.
//
// The offset log does not record the kind of a source, and some kinds share a shape. A claim is
// therefore a possibility: an Offset keeps every kind that fits, likeliest first.
package source
