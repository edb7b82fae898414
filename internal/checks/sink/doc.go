// Package sink holds what the output of a query records of its batches against the checkpoint (Reconcile), and has the
// checks of what comes of that. internal/output reads the output itself.
package sink
