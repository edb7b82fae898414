//go:build unix

package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tidemark/internal/cli"
	"tidemark/internal/terminal"
)

// asProgram makes a process of this test the program, or a small shell that runs it.
const asProgram = "TIDEMARK_TEST_AS"

// The tests run in the root of the module, where the files that they read have their usual names.
func TestMain(m *testing.M) {
	switch os.Getenv(asProgram) {
	case "program":
		os.Exit(runProgram(os.Args[1:], os.Stdout, os.Stderr))
	case "shell":
		os.Exit(smallShell())
	}
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Setenv("TERM", "xterm-256color")
	hearAgain()
	os.Exit(m.Run())
}

// runProgram runs one command line with the demos of the root, and returns its exit status.
func runProgram(args []string, out, errs io.Writer) int {
	return cli.RunProgram(args, os.DirFS("testdata/demo"), out, errs)
}

// hearAgain makes sure that the programs that tests start do not inherit deafness: under nohup, or in the background
// of a script, a test ignores signals, and what it starts would be right to leave them alone. A signal that is
// listened for is not inherited as ignored.
func hearAgain() {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

// patience ends a test that waits for what never comes; nothing is timed.
const patience = 2 * time.Minute

// session is the program in a process of its own, on a terminal of its own.
type session struct {
	*terminal.Terminal
	t   *testing.T
	ctx context.Context
	cmd *exec.Cmd
}

// start starts it; TERM is that of the test, which TestMain sets.
func start(t *testing.T, as string, w, h int, args ...string) *session {
	t.Helper()
	term, err := terminal.Open(w, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.Close)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"="+as, "NO_COLOR=", "LANG=C.UTF-8", "LC_ALL=", "XDG_CONFIG_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
	term.Attach(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &session{term, t, ctx, cmd}
}

func (s *session) waitFor(texts ...string) {
	s.t.Helper()
	if err := s.WaitFor(s.ctx, texts...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		if err := s.Press(k); err != nil {
			s.t.Fatal(err)
		}
	}
}

// ended waits for the end of the process and for the terminal as it was, and is the exit status.
func (s *session) ended() int {
	s.t.Helper()
	if _, failed := errors.AsType[*exec.ExitError](s.cmd.Wait()); !failed && s.cmd.ProcessState == nil {
		s.t.Fatal("the program was never waited for")
	}
	if err := s.WaitRestored(s.ctx); err != nil {
		s.t.Error(err)
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestSignalsGiveTheTerminalBack ends the explorer from outside.
func TestSignalsGiveTheTerminalBack(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT} {
		t.Run(sig.String(), func(t *testing.T) {
			s := start(t, "program", 80, 24, "demo")
			s.waitFor("re-run batch 3", "Three questions")
			for range 3 { // whoever ends a session sends several
				if err := s.cmd.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
			}
			if status := s.ended(); status != 130 {
				t.Errorf("exit status %d, want 130", status)
			}
		})
	}
}

// TestExitTextIsSeen holds that what the program says at its end stands on the screen that is left.
func TestExitTextIsSeen(t *testing.T) {
	s := start(t, "program", 80, 24, "demo", "no-such-demo")
	if status := s.ended(); status != 2 {
		t.Errorf("exit status %d, want 2", status)
	}
	s.waitFor(`"no-such-demo" is not an example`)
}

// TestQuitting holds that the explorer ends in order, whatever it found.
func TestQuitting(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c", "ctrl+c"}, {":", "q", "enter"}} {
		s := start(t, "program", 80, 24, "demo", "lost-state")
		s.waitFor("will fail", "Three questions")
		s.press(keys...)
		if status := s.ended(); status != 0 {
			t.Errorf("after %v: exit status %d, want 0", keys, status)
		}
	}
}

// TestResizing makes the terminal one size after the other, down to one cell, faster than it can be drawn.
func TestResizing(t *testing.T) {
	s := start(t, "program", 80, 24, "demo", "lost-state")
	s.waitFor("will fail")
	resize := func(w, h int) {
		if err := s.Resize(w, h); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		resize(1+i*7%150, 1+i*5%60)
	}
	resize(1, 1)
	s.press("B", "S", "T", "?", "O")
	resize(120, 40)
	s.waitFor("read-only", "will fail", "Three questions")
	s.press("q")
	if status := s.ended(); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
}

// TestSuspending stops the program with ctrl+z under a shell, and continues it.
func TestSuspending(t *testing.T) {
	s := start(t, "shell", 80, 24, "demo")
	s.waitFor("re-run batch 3", "Three questions")
	s.press("ctrl+z")
	s.waitFor("the shell is back")
	if err := s.WaitRestored(s.ctx); err != nil {
		t.Error(err)
	}
	s.press("x", "enter") // the shell takes a line, and continues the program
	s.waitFor("re-run batch 3", "Three questions")
	s.press("q")
	if status := s.ended(); status != 0 {
		t.Errorf("exit status %d, want 0", status)
	}
	s.waitFor("the program ended: 0")
}

// TestSuspendingWithoutAShell holds that ctrl+z does not freeze a program that nobody can continue.
func TestSuspendingWithoutAShell(t *testing.T) {
	s := start(t, "program", 80, 24, "demo")
	s.waitFor("re-run batch 3", "Three questions")
	s.press("ctrl+z")
	s.waitFor("no shell to suspend to")
	s.press("q")
	s.ended()
}

// TestPlainOnlyAppends holds a conversation on a terminal that can do nothing but show text.
func TestPlainOnlyAppends(t *testing.T) {
	for _, c := range []struct {
		term string
		args []string
	}{
		{"xterm-256color", []string{"demo", "lost-state", "--plain", "--no-color"}},
		{"dumb", []string{"demo", "lost-state"}},
	} {
		t.Setenv("TERM", c.term)
		s := start(t, "program", 80, 24, c.args...)
		s.waitFor("enter for more, b for back:")
		s.press("b", "enter")
		s.waitFor("choice:")
		for _, line := range []string{"1", "batch 25"} {
			s.press(strings.Split(line, "")...)
			s.press("enter")
		}
		s.waitFor("source 0, file", "nothing new")
		s.press("enter") // a batch is longer than the terminal
		s.waitFor("commits/25, 41 bytes")
		s.press("ctrl+c")
		if status := s.ended(); status != 130 {
			t.Errorf("%s: exit status %d, want 130", c.term, status)
		}
		if strings.Contains(s.Written(), "\x1b") {
			t.Errorf("%s: it writes more than text: %q", c.term, s.Written())
		}
	}
}

// smallShell does what a shell does with a job: it gives it a process group and the terminal, takes the
// terminal back when the job stops, and continues it after a line of input.
func smallShell() int {
	const tty = 0
	give := func(group int) { // a process in the background must not be stopped for asking
		signal.Ignore(syscall.SIGTTOU)
		_ = unix.IoctlSetPointerInt(tty, unix.TIOCSPGRP, group)
		signal.Reset(syscall.SIGTTOU)
	}
	job := exec.Command(os.Args[0], os.Args[1:]...)
	job.Env = append(os.Environ(), asProgram+"=program")
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Foreground: true, Ctty: tty}
	if err := job.Start(); err != nil {
		fmt.Println(err)
		return 1
	}
	pid := job.Process.Pid
	for {
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); errors.Is(err, syscall.EINTR) {
			continue
		} else if err != nil {
			fmt.Println(err)
			return 1
		}
		give(syscall.Getpgrp())
		if !status.Stopped() {
			fmt.Printf("the program ended: %d\r\n", status.ExitStatus())
			return status.ExitStatus()
		}
		fmt.Print("the shell is back\r\n")
		line := make([]byte, 80)
		n, _ := os.Stdin.Read(line)
		if !strings.Contains(string(line[:n]), "x") {
			return 1
		}
		give(pid)
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}
