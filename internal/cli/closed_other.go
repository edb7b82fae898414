//go:build !linux

package cli

// outClosed is not known here.
func outClosed() bool { return false }
