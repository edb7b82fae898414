// Package hudi reads the active timeline of a Hudi table as far as it tells which batches of a streaming query
// were written: table versions up to 6, whose commits are JSON.
package hudi
