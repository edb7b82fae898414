//go:build unix

package ui

import (
	"context"
	"io"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"tidemark/checkpoint"
	"tidemark/checks"
)

// terminal is a pseudo terminal with an emulator that shows what a person would see.
type terminal struct {
	t        *testing.T
	ptmx     io.ReadWriteCloser
	fd       uintptr
	mu       sync.Mutex
	emulator *vt.Emulator
	before   *term.State
	done     chan error
}

// runInTerminal runs the explorer as a program on a terminal of its own.
func runInTerminal(t *testing.T, ctx context.Context, a *App) *terminal {
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, ptmx: ptmx, fd: tty.Fd(), emulator: vt.NewEmulator(80, 24), before: before, done: make(chan error, 1)}
	go func() { // what the emulator answers to queries goes back to the program
		io.Copy(ptmx, x.emulator)
	}()
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := ptmx.Read(buf)
			x.mu.Lock()
			x.emulator.Write(buf[:n])
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		x.done <- run(ctx, a, tea.WithInput(tty), tea.WithOutput(tty), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	}()
	t.Cleanup(func() { tty.Close(); ptmx.Close() })
	return x
}

func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.emulator.String()
}

// waitFor waits until the screen shows a text.
func (x *terminal) waitFor(text string) {
	x.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(x.screen(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("the screen never shows %q:\n%s", text, x.screen())
		}
	}
}

// restored holds that the terminal is as it was before the program ran.
func (x *terminal) restored() {
	x.t.Helper()
	after, err := term.GetState(x.fd)
	if err != nil {
		x.t.Fatal(err)
	}
	if *after != *x.before {
		x.t.Errorf("the terminal is left in another mode:\n%+v, was\n%+v", after, x.before)
	}
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		x.mu.Lock()
		alt, hidden := x.emulator.IsAltScreen(), x.emulator.CursorHidden()
		x.mu.Unlock()
		if !alt && !hidden {
			return
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("the terminal is left on the other screen (%t) or without a cursor (%t)", alt, hidden)
		}
	}
}

// TestPanicInAGoroutineLeavesTheTerminalUsable runs the real program: what panics is a sequence that
// is read in a goroutine of ours, which the library does not guard.
func TestPanicInAGoroutineLeavesTheTerminalUsable(t *testing.T) {
	a := New(t.Context(), openTree(tree()))
	events := everything(t, tree())
	a.examine = func(context.Context, *checkpoint.Checkpoint, checks.Options) iter.Seq[checks.Event] {
		return func(yield func(checks.Event) bool) {
			for _, e := range events[:4] {
				yield(e)
			}
			panic("in a goroutine")
		}
	}
	x := runInTerminal(t, t.Context(), a)
	x.waitFor("not everything was looked at")
	x.waitFor("RE-RUNS batch 11")
	io.WriteString(x.ptmx, "q")
	select {
	case err := <-x.done:
		if err != nil {
			t.Errorf("quitting ends with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("q does not end the program")
	}
	x.restored()
}

// TestCancelFromOutsideRestoresTheTerminal ends the program as a signal would.
func TestCancelFromOutsideRestoresTheTerminal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	x := runInTerminal(t, ctx, New(ctx, openTree(tree())))
	x.waitFor("IF YOU RESTART NOW")
	cancel()
	select {
	case err := <-x.done:
		if err == nil {
			t.Error("a cancelled program ends without an error")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("cancelling does not end the program")
	}
	x.restored()
}
