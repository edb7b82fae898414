package ui

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/ui/kit"
)

// Run shows the explorer on the terminal until the user quits. An error is one of the terminal, or
// of a program that broke down; what could not be read is shown on the screen and is no error here.
func Run(ctx context.Context, o kit.Options) error {
	a := New(ctx, o)
	return run(ctx, a, a)
}

// run ends the program by its own way out when ctx ends: the library's would close the terminal under
// the goroutine that still reads it. Signals reach the program through ctx. m is the app, or what a
// test puts around it.
func run(ctx context.Context, m tea.Model, a *App, more ...tea.ProgramOption) error {
	frames := framesHere
	if a.Far {
		frames = framesFar
	}
	options := []tea.ProgramOption{tea.WithoutSignalHandler(), tea.WithFPS(frames)}
	if a.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII)) // the library takes NO_COLOR=yes for no answer
	}
	if a.Environ != nil {
		options = append(options, tea.WithEnvironment(a.Environ))
	}
	p := tea.NewProgram(m, append(options, more...)...)
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	a.close()
	if err == nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// New is the explorer before its first frame.
func New(ctx context.Context, o kit.Options) *App {
	if o.Memory == nil {
		o.Memory = &runMemory{}
	}
	a := &App{ctx: ctx, examine: examine.Examine}
	a.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		return tea.Tick(d, func(time.Time) tea.Msg { return msg })
	}
	a.pointer = o.Mouse
	a.Session = kit.NewSession(o, specs)
	a.tour.chapters = o.Tour
	if len(o.Tour) > 0 {
		a.byTheClockOf(&o.Tour[0])
	}
	a.Session.Top = func() kit.Screen { return a.top().Screen }
	if o.Open != nil {
		a.push(first.New(&a.Session), &first)
	} else {
		a.push(choose.New(&a.Session), &choose)
	}
	return a
}

// examiner is examine.Examine, or what a test puts in its place.
type examiner func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event]

// How often a frame may be drawn, each second. The first one, and the one that answers a key, waits for its turn:
// 25 ms at most on this machine. Over a network there are fewer, which keeps the traffic small, and what is drawn
// in pieces from flickering. Each costs a little also where nothing has changed.
const (
	framesHere = 40
	framesFar  = 20
)
