package storage

import (
	"io/fs"
	"syscall"
)

// changed does as on Linux, under the name that macOS has for it.
func changed(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ctimespec.Nano())
	}
	return 0
}

// Links returns how many names a file has; 1 where that is not known.
func Links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}
