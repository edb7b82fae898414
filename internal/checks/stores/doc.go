// Package stores has the checks of the state stores: which files the next start loads (Needs), what stands in them
// (ReadContents), whether a snapshot agrees with the files before it, and how a version could be rebuilt from others.
// What was looked into is kept for one pass, so that no check reads it again.
package stores
