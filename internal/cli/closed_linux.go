package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// shells are the programs that close a stream where ">&-" is written.
var shells = []string{"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"}

// outClosed reports whether stdout was closed when the program was started, as by ">&-". Go then opens the null device
// in its place, for reading and writing, so that no other file gets its number: what is written vanishes, and nobody
// is told. Programs that want silence give the same device, and some open it the same way (Python's DEVNULL), so it
// counts only where a shell started this, and its own stdout is another one. Where that is not known, it is no.
func outClosed() bool {
	info, err := os.Stdout.Stat()
	null, nerr := os.Stat(os.DevNull)
	if err != nil || nerr != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(os.Stdout.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	parent := fmt.Sprintf("/proc/%d/", os.Getppid())
	name, err := os.ReadFile(parent + "comm")
	byShell := slices.Contains(shells, strings.TrimSpace(string(name))) || filepath.Base(os.Getenv("_")) == filepath.Base(os.Args[0])
	return err == nil && byShell && !nullOf(parent)
}

// nullOf reports whether the stdout of a process is the null device for reading and writing, or is not known.
func nullOf(process string) bool {
	leads, err := os.Readlink(process + "fd/1")
	if err != nil {
		return !os.IsNotExist(err) // none is closed too
	}
	info, err := os.ReadFile(process + "fdinfo/1")
	if leads != os.DevNull || err != nil {
		return leads == os.DevNull
	}
	_, rest, _ := strings.Cut(string(info), "flags:")
	flags, err := strconv.ParseInt(strings.TrimSpace(strings.SplitN(rest, "\n", 2)[0]), 8, 64)
	return err != nil || flags&unix.O_ACCMODE == unix.O_RDWR
}
