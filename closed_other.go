//go:build !linux

package main

// outClosed is not known here.
func outClosed() bool { return false }
