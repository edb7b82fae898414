// Package statestore lists the state stores of a checkpoint and reads what is in them: the files of each operator,
// partition and store, the rows that a batch left, what differs between two batches, how many rows there are, and which
// files would not load. It asks a Store for bytes; what the bytes mean stands in packages state, sst and row.
package statestore
