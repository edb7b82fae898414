// Package logs has the checks of the files that every checkpoint has: metadata, offsets and commits, their watermarks, and of
// the location itself. None of them looks into state or asks a source.
package logs
