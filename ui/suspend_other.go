//go:build !unix

package ui

// jobControl reports whether a shell can continue the program after ctrl+z.
func jobControl() bool { return false }
