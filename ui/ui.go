// Package ui is the explorer: findings and facts of a checkpoint on a screen.
//
// App is the only Bubble Tea model. It owns a stack of screens, one file each, and draws the frame
// around the top one. Reading happens in commands (stream.go): a screen never waits, and nothing is
// read before the first frame is drawn. Nothing here can write: there is no key that changes a file.
package ui

import (
	"context"
	"iter"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
)

// Options are what the explorer is told by the command line.
type Options struct {
	Location string // for the header, as typed, without credentials
	// Open opens the checkpoint. It is called in the background after the first frame is drawn,
	// and again for a re-read. nil: the start screen offers Choices.
	Open func(context.Context) (*checkpoint.Checkpoint, error)
	// Look opens it for a round of a following, where that can do with fewer requests than Open; nil: Open.
	Look     func(context.Context) (*checkpoint.Checkpoint, error)
	Examine  examine.Options
	Identity func(location string) string // as whom a location is read: "profile prod, AKIA…WXYZ"; nil or "": not known
	Follow   bool                         // a running query: look again every few seconds, from the first verdict on
	Traffic  func() Traffic               // what the storage has done so far; nil: not shown
	// OpenAt is how a location that a person types is opened; nil: nothing but Open and Choices.
	OpenAt  func(location string) Choice
	Find    Finder              // looks for checkpoints below a location; nil: nothing is looked for
	Here    string              // where the start screen looks for checkpoints; "" for nowhere
	Tour    []Chapter           // a guided tour, which begins at Location; nil: none
	Choices []Choice            // what the start screen offers where Open is nil
	View    string              // the line after ":" that is run once the checkpoint is open; "" for the overview
	Memory  Memory              // what is remembered from run to run; nil: bookmarks of this run
	Keys    map[string][]string // keys of one's own, by the names that CheckKeys knows; nil for the usual ones

	// Reopen is the command line that opens a view of a location again, for a shell; nil: it is not offered.
	Reopen func(location, view string) string
	// Write writes a new file that a person has named, on this machine and in no checkpoint, while location is
	// looked at. It is called in the background. nil: nothing can be written.
	Write func(location, name string, data []byte) error
	Tmux  bool // the terminal is one of tmux: what is for the one around it has to be wrapped

	ASCII   bool              // plain ASCII for symbols and lines
	NoColor bool              // no colour; bold and reverse video stay
	Light   bool              // colours for a light background
	Theme   map[string]string // the user's own styles by meaning; CheckTheme has passed each
	Environ []string          // what the terminal library reads of the environment; nil: that of the process
	Mouse   bool              // the mouse scrolls and selects, until a key changes it
	Far     bool              // the terminal is at the other end of a network
	Still   bool              // nothing counts or redraws by itself more often than every two seconds
	Local   bool              // times of this machine's zone, until a key changes it
	Now     func() time.Time  // the clock; nil: time.Now
}

// Traffic is what the storage has done since the program began.
type Traffic struct {
	Listed, Requests, Bytes int64  // files and folders in listings; what was asked; of files, as received
	Retry                   string // the retry under way: "503 slow down, retry 2/5 in 0.8 s"; "" for none
}

// Choice is one line of the start screen.
type Choice struct {
	Label, Detail, Location string
	Open, Look              func(context.Context) (*checkpoint.Checkpoint, error) // see Options
}

// How often a frame may be drawn, each second. The first one, and the one that answers a key, waits for its turn:
// 25 ms at most on this machine. Over a network there are fewer, which keeps the traffic small, and what is drawn
// in pieces from flickering. Each costs a little also where nothing has changed.
const (
	framesHere = 40
	framesFar  = 20
)

// Run shows the explorer on the terminal until the user quits. An error is one of the terminal, or
// of a program that broke down; what could not be read is shown on the screen and is no error here.
func Run(ctx context.Context, o Options) error {
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
func New(ctx context.Context, o Options) *App {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Memory == nil {
		o.Memory = &runMemory{}
	}
	if o.Identity == nil {
		o.Identity = func(string) string { return "" }
	}
	if o.Traffic == nil {
		o.Traffic = func() Traffic { return Traffic{} }
	}
	a := &App{ctx: ctx, examine: examine.Examine, jumps: jumpKeys()}
	a.after = func(d time.Duration, msg tea.Msg) tea.Cmd {
		return tea.Tick(d, func(time.Time) tea.Msg { return msg })
	}
	a.pointer = o.Mouse
	a.session = session{Options: o, theme: newTheme(o), clock: clock{now: o.Now, local: o.Local}, keymap: newKeymap(o.Keys), asOf: -1}
	a.tour.chapters = o.Tour
	if len(o.Tour) > 0 {
		a.byTheClockOf(&o.Tour[0])
	}
	if o.Open != nil {
		a.push(newOverview(&a.session))
	} else {
		a.push(newStart(&a.session))
	}
	return a
}

// session is what all screens look at: the checkpoint and the verdict on it, as far as they are known.
// Only the app changes it, but for asOf, which belongs to who presses the key.
type session struct {
	Options
	theme  theme
	clock  clock
	keymap *keymap // nil where the keys are the usual ones

	cp        *checkpoint.Checkpoint // nil until it is open
	verdict   checks.Verdict         // grows while examining
	state     []string               // the operators, a line each
	sizes     map[int64]int64        // bytes of the state files of a version, where there are some
	asOf      int64                  // the batch that was gone to with ← and →; -1 for now
	fresh     map[findingKey]bool    // findings that the last round of a following brought
	gone      []checks.Finding       // and those that it did not find any more
	answered  time.Time              // when the examination began that asked sources and output
	lastLook  time.Time              // when the last round of a following began; zero where there was none since
	asIs      bool                   // it is shown as it is, even where it is no checkpoint
	opening   bool
	examining bool
	err       error // why it could not be opened
}

// examiner is checks.Examine, or what a test puts in its place.
type examiner func(context.Context, *checkpoint.Checkpoint, examine.Options) iter.Seq[checks.Event]

// screen is one of the views of the explorer. The app calls its methods; a screen never calls the app.
type screen interface {
	title() string
	keys() []key.Binding // the keys of this screen beside those of everywhere; the footer shows the first ones
	// load begins to read what the screen needs beyond the session. It is called when the screen
	// opens, when the checkpoint is there, and when all is read again.
	load(at scope) tea.Cmd
	resize(w, h int)
	update(msg tea.Msg) (action, tea.Cmd)
	view(w, h int) []string // no more than h lines; what is wider than w is cut
}

// What a screen may be beside.
type (
	// typist is a screen that may want every key as text.
	typist interface{ typing() bool }
	// placed is a screen with a place to show in the footer: "offsets/120:3@69".
	placed interface{ place() string }
	// loader is a screen that may be reading.
	loader interface{ loading() bool }
)

// action is what a screen asks of the app: open, back, or nil.
type action any

type (
	open struct{ screen screen }
	back struct{}
	// reload ends what the screen reads and begins anew.
	reload struct{}
	// begin opens a place, asIs even where it is a folder with checkpoints below it and none itself.
	begin struct {
		choice Choice
		asIs   bool
	}
	// jump goes to a screen by its name.
	jump struct{ to string }
)

// scope is the life of one screen's reading.
type scope struct {
	id   screenID
	life context.Context // ends when the screen is left
	ctx  context.Context // ends with life, and when the user stops the reading
}
