//go:build unix

package ui

import (
	"context"
	"iter"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/internal/terminal"
	"tidemark/ui/kit"
)

// program is the explorer, run as a program on a terminal of its own.
type program struct {
	*terminal.Terminal
	t    *testing.T
	ctx  context.Context // ends what waits too long; nothing is timed
	done chan error
}

const patience = 60 * time.Second

func runInTerminal(t *testing.T, ctx context.Context, m tea.Model, a *App, w, h int) *program {
	term, err := terminal.Open(w, h)
	if err != nil {
		t.Fatal(err)
	}
	waiting, enough := context.WithTimeout(t.Context(), patience)
	p := &program{term, t, waiting, make(chan error, 1)}
	go func() {
		p.done <- run(ctx, m, a, tea.WithInput(term.TTY), tea.WithOutput(term.TTY), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	}()
	t.Cleanup(func() { enough(); term.Close() })
	return p
}

func (p *program) waitFor(texts ...string) {
	p.t.Helper()
	if err := p.WaitFor(p.ctx, texts...); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		if err := p.Press(k); err != nil {
			p.t.Fatal(err)
		}
	}
}

// ended waits for the end of the program, holds that the terminal is as it was before, and is what Run
// returned.
func (p *program) ended() error {
	p.t.Helper()
	select {
	case err := <-p.done:
		if err := p.WaitRestored(p.ctx); err != nil {
			p.t.Error(err)
		}
		return err
	case <-p.ctx.Done():
		p.t.Fatalf("the program does not end; it shows\n%s", p.Screen())
		return nil
	}
}

// TestPanicsLeaveTheTerminalUsable runs the real program with a fault of ours in each place where code of
// ours runs beside the library: its goroutines and its commands. It goes on, says so, and gives the
// terminal back.
func TestPanicsLeaveTheTerminalUsable(t *testing.T) {
	breaks := func(ctx context.Context, _ *checkpoint.Checkpoint, _ examine.Options) iter.Seq[checks.Event] {
		return func(yield func(checks.Event) bool) { panic("a fault of ours") }
	}
	found := func(t *testing.T) examiner {
		events := everything(t, tree())
		return func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event] {
			return func(yield func(checks.Event) bool) {
				for _, e := range events {
					if !yield(e) {
						return
					}
				}
			}
		}
	}
	for _, c := range []struct {
		name  string
		fault func(a *App)
		keys  []string
		shows string
	}{
		{"opening, in a command", func(a *App) {
			a.Open = func(context.Context) (*checkpoint.Checkpoint, error) { panic("a fault of ours") }
		}, nil, "report it: a fault of ours"},
		{"examining, in a goroutine", func(a *App) { a.examine = breaks }, nil, "NO VERDICT"},
		{"reading of a screen, in a goroutine", func(a *App) { firstScreen(a).reads = true }, []string{"x"}, "report it"},
		{"a key", func(a *App) { firstScreen(a).presses = true }, []string{"x"}, "report it: a fault of ours"},
		{"drawing a screen", func(a *App) { firstScreen(a).draws = true }, nil, "report it: a fault of ours"},
		{"drawing the frame", func(a *App) { a.Traffic = func() kit.Traffic { panic("a fault of ours") } }, nil, "report it: a fault of ours"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := New(t.Context(), openTree(tree()))
			a.examine = found(t)
			c.fault(a)
			p := runInTerminal(t, t.Context(), a, a, 80, 24)
			if c.keys != nil {
				p.waitFor("Three questions")
				p.press(c.keys...)
			}
			p.waitFor(c.shows)
			p.press("ctrl+c", "ctrl+c")
			if err := p.ended(); err != nil {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}

// faulty is a screen with a fault.
type faulty struct {
	kit.Screen
	at                    kit.Scope
	reads, presses, draws bool
}

// firstScreen puts a faulty screen around the first one.
func firstScreen(a *App) *faulty {
	f := &faulty{Screen: a.stack[0].Screen, at: a.stack[0].Scope}
	a.stack[0].Screen = f
	return f
}

func (f *faulty) Load(at kit.Scope) tea.Cmd {
	f.at = at
	return f.Screen.Load(at)
}

func (f *faulty) Update(msg tea.Msg) (kit.Action, tea.Cmd) {
	if k, ok := msg.(kit.Input); ok && kit.Pressed(k, kit.Keys.Hex) {
		switch {
		case f.presses:
			panic("a fault of ours")
		case f.reads:
			return nil, kit.Stream(f.at.Life, f.at.ID, func(yield func(int, error) bool) {
				yield(1, nil)
				panic("a fault of ours")
			})
		}
	}
	if p, ok := msg.(kit.Chunk[int]); ok {
		if p.Err != nil {
			return nil, kit.Guard(f.at.ID, func() tea.Msg { panic(p.Err) })
		}
		return nil, p.Next
	}
	return f.Screen.Update(msg)
}

func (f *faulty) View(w, h int) []string {
	if f.draws {
		panic("a fault of ours")
	}
	return f.Screen.View(w, h)
}

// TestCancelFromOutsideRestoresTheTerminal ends the program as a signal would.
func TestCancelFromOutsideRestoresTheTerminal(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := New(ctx, openTree(tree()))
	p := runInTerminal(t, ctx, a, a, 80, 24)
	p.waitFor("Three questions")
	cancel()
	if err := p.ended(); err == nil {
		t.Error("a canceled program ends without an error")
	}
}
