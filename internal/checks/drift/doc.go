// Package drift compares what a query declares, in a spec, with what its checkpoint records (Compare), and the pinned
// settings of one batch with those of the next. It also writes what a checkpoint records as a spec (RecordOf).
package drift
