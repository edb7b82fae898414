// Package sink is what the output of a query proves of its batches: which of them are in it, what it will
// skip when they come again, and what cannot be told.
package output
