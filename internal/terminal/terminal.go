//go:build unix

package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Terminal is a terminal of some size. Its methods may be called from any goroutine.
type Terminal struct {
	TTY    *os.File // the side of the program
	ptmx   *os.File // the side of the person
	before *term.State

	mu       sync.Mutex
	changed  chan struct{} // closed, and made anew, when something was written
	emulator *vt.Emulator
	written  []byte // all that the program wrote
}

// Open is a new terminal of w by h cells.
func Open(w, h int) (*Terminal, error) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		return nil, err
	}
	t := &Terminal{TTY: tty, ptmx: ptmx, emulator: vt.NewEmulator(w, h), changed: make(chan struct{})}
	if err := pty.Setsize(ptmx, size(w, h)); err != nil {
		return nil, err
	}
	if t.before, err = term.GetState(tty.Fd()); err != nil {
		return nil, err
	}
	go func() { // what a terminal answers to questions goes back to the program
		_, _ = io.Copy(ptmx, t.emulator)
	}()
	go t.listen()
	return t, nil
}

func size(w, h int) *pty.Winsize { return &pty.Winsize{Rows: uint16(h), Cols: uint16(w)} }

// Close ends the terminal.
func (t *Terminal) Close() {
	_ = t.TTY.Close()
	_ = t.ptmx.Close()
	// The emulator's own Close sets a flag that its Read looks at, without a lock. The end of what it answers ends both.
	if answers, ok := t.emulator.InputPipe().(io.Closer); ok {
		_ = answers.Close()
	}
}

func (t *Terminal) listen() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.ptmx.Read(buf)
		t.mu.Lock()
		_, _ = t.emulator.Write(buf[:n])
		t.written = append(t.written, buf[:n]...)
		close(t.changed)
		t.changed = make(chan struct{})
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Attach makes a command that was not started yet run on the terminal, as the leader of a session of
// its own as a shell is: a key that interrupts reaches it.
func (t *Terminal) Attach(cmd *exec.Cmd) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TTY, t.TTY, t.TTY
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
}

// names are the keys that have no letter.
var names = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H",
	"end": "\x1b[F",
}

// Press presses a key: a letter, one of the names above, or "ctrl+c".
func (t *Terminal) Press(key string) error {
	text := key
	if name, ok := names[key]; ok {
		text = name
	} else if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
		text = string(letter[0] & 0x1f)
	}
	return t.Type(text)
}

// Type sends bytes as they are.
func (t *Terminal) Type(text string) error {
	_, err := io.WriteString(t.ptmx, text)
	return err
}

// Resize makes the terminal another size; the program gets a signal.
func (t *Terminal) Resize(w, h int) error {
	t.mu.Lock()
	t.emulator.Resize(w, h)
	t.mu.Unlock()
	return pty.Setsize(t.ptmx, size(w, h))
}

// Wait waits until a condition holds, and looks again whenever something was written. Its error has
// what was on the screen at the end.
func (t *Terminal) Wait(ctx context.Context, what string, holds func(screen string) bool) error {
	for {
		t.mu.Lock()
		screen, changed := t.emulator.String(), t.changed
		t.mu.Unlock()
		if holds(screen) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the terminal never %s: %w; it shows\n%s", what, ctx.Err(), screen)
		}
	}
}

// WaitFor waits until the screen shows all of some texts.
func (t *Terminal) WaitFor(ctx context.Context, texts ...string) error {
	return t.Wait(ctx, fmt.Sprintf("shows %q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// WaitRestored waits until the terminal is as it was before the program ran: the first screen, with
// a cursor, and keys shown and taken as a shell wants them.
func (t *Terminal) WaitRestored(ctx context.Context) error {
	if err := t.Wait(ctx, "is on its first screen with a cursor", func(string) bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return !t.emulator.IsAltScreen() && !t.emulator.CursorHidden()
	}); err != nil {
		return err
	}
	after, err := term.GetState(t.TTY.Fd())
	if err != nil {
		return err
	}
	if *after != *t.before {
		return fmt.Errorf("the terminal is left in another mode: %+v, was %+v", after, t.before)
	}
	return nil
}

// Screen is what the terminal shows, without styles.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emulator.String()
}

// Styled is what the terminal shows, with escapes for colors.
func (t *Terminal) Styled() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emulator.Render()
}

// Written is all that the program has written so far.
func (t *Terminal) Written() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.written)
}
