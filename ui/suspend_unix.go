//go:build unix

package ui

import "golang.org/x/sys/unix"

// jobControl reports whether a shell can continue the program after ctrl+z. Without one, in a container
// or started over ssh, the signal is dropped and the program would wait for ever to be continued.
// Shells give each job a process group of its own, so that the group of the session's leader is not
// ours.
func jobControl() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}
