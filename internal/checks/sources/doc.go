// Package sources has the checks of the sources: their lines in the offset log, their own logs below sources, and what
// they still have of what the next start reads, where they were asked (Ask).
package sources
