// Package replay is the screen of what the next start reads, and what of it the source still has.
package replay
