// Package delta reads the log of a Delta table: which commits there are, what they say of transactions and of
// the table itself, and checkpoints as far as these two are in them. It does not read data files.
//
// See PROTOCOL.md of Delta for the formats, and DeltaSink for what a streaming query writes.
package delta
