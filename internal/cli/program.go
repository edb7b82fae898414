package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"
)

// Main runs the command line of this process and returns its exit status. demos has the built-in examples;
// its file demos.txt names them.
func Main(demos fs.FS) int {
	if outClosed() {
		fmt.Fprintln(os.Stderr, "tidemark: stdout is closed")
		return cannotWrite
	}
	return RunProgram(os.Args[1:], demos, os.Stdout, os.Stderr)
}

// cannotWrite is the exit status where nothing can be written.
const cannotWrite = 3

// windDown is how long the program has after a first signal to give the terminal back, write what was
// found and remove a file that is not whole. After that a second one ends it at once.
const windDown = time.Second

// endSignals returns the signals that end the program in order: ctrl+c, a kill, a terminal that is closed, and those that
// would end it at once and leave the terminal as it is. One that the program was started to ignore, as nohup does,
// is left alone.
func endSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}
	return slices.DeleteFunc(all, signal.Ignored)
}

// RunProgram runs one command line, ends it in order at a signal, and returns its exit status.
func RunProgram(args []string, demos fs.FS, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(windDown, stop) })
	return ExitStatus(Run(ctx, Config{
		Args:    args,
		Out:     out,
		Err:     errs,
		Getenv:  os.Getenv,
		Now:     time.Now,
		Demos:   demos,
		Version: version(),
	}))
}

// version returns the release and the commit that this was built from, as far as the build recorded them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" || v == "(devel)" {
		v = "development build"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; len(commit) > 7 {
		v += ", commit " + commit[:7]
		if settings["vcs.modified"] == "true" {
			v += " with changes"
		}
	}
	return v + ", " + info.GoVersion
}
