// Package output finds out what the output of a query proves of its batches: which of them are in it, what it will
// skip when they come again, and what cannot be told.
//
// Each kind of output is a row of Kinds. To add one, write a file with its row, and with what reads its log where it has
// one, and a line in Kinds.
package output
