package storage

import (
	"io/fs"
	"syscall"
)

// changed returns when anything of a file was changed last, its name and its times among them, in ns since the
// epoch: the ctime, which tools that keep times cannot set. 0 where it is not known.
func changed(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ctim.Nano())
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
