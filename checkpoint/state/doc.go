// Package state is what the files of a state store are, which of them rebuild a version, and what stands
// in them: keys and values as they were stored. What those mean is for package row.
//
// A version is what one batch left: batch b loads version b and writes version b+1. Version 0 is the
// empty store and has no file.
package state
