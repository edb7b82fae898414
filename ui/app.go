package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/examine"
	"tidemark/ui/kit"
)

// App is the explorer: a stack of screens over one session, and the frame around the top one.
type App struct {
	kit.Session
	ctx     context.Context
	examine examiner
	stack   []*layer
	parked  []*layer     // screens of tabs that were replaced: they keep what they have read, their cursor and their focus
	ids     kit.ScreenID // the last one given

	reading     kit.Scope // of the checkpoint itself: opening and examining
	stopReading func()
	endReading  func()

	w, h     int
	prompt   prompt  // the command line
	history  history // the views that were visited
	traveled bool    // the message led back or forward in them
	saving   kit.Ask // the name of a file, where one is asked for
	asking   asking  // what is told beside the checkpoint, where it is asked for
	told     bool    // something was told that the command line has not
	untold   examine.Options
	menu     *menu          // what can be chosen from; nil where nothing is asked
	waiting  func() tea.Cmd // a line that asks for what is still being read; nil for none
	notice   string         // one line for the footer, until the next key
	quitAsk  bool           // ctrl+c was pressed: once more quits
	eating   bool           // a filter was begun where there is no list: what is typed of it does nothing
	ticking  bool
	began    time.Time // when the reading that is under way began
	pointer  bool      // the mouse is on
	noted    string    // the word on the checkpoint that was remembered last
	forgot   bool      // that nothing can be remembered was told
	walked   int       // findings that ! has gone through
	follow   following
	tour     tour
	after    func(time.Duration, tea.Msg) tea.Cmd // sends a message later; a test has none
	seeks    int                                  // searches for a line that were begun
}

// layer is a screen on the stack with the life of its reading.
type layer struct {
	kit.Screen
	kit.Scope
	spec      *kit.Spec // the row that it was opened by; nil for none
	end, stop func()
}

// opened is the checkpoint, or why there is none.
type opened struct {
	to     kit.ScreenID
	cp     *checkpoint.Checkpoint
	err    error
	around string // the checkpoint that this is a part of; "" for none
}

func (o opened) Address() kit.ScreenID { return o.to }

// tick redraws what the storage has done while something is read.
type tick struct{}

// How often what is counted is drawn anew while something is read; with Still more seldom.
const (
	tickEvery  = 300 * time.Millisecond
	stillEvery = 2 * time.Second
)

// ---- the model

// Init begins to open the checkpoint. The first frame is drawn without waiting for it.
func (a *App) Init() tea.Cmd {
	if a.Open == nil {
		return a.load(a.top())
	}
	return tea.Batch(a.read(), a.firstView())
}

// read opens the checkpoint, anew if it is open. What was known stays on the screen until it is.
func (a *App) read() tea.Cmd {
	a.dropParked()
	a.dropRound()
	a.Fresh, a.Gone = nil, nil
	if a.endReading != nil {
		a.endReading()
	}
	a.ids++
	life, end := context.WithCancel(a.ctx)
	ctx, stop := context.WithCancel(life)
	a.reading, a.endReading, a.stopReading = kit.Scope{ID: a.ids, Life: life, Ctx: ctx}, end, stop
	a.Opening, a.Examining, a.Err, a.began = true, false, nil, a.Now()
	to, openIt, location, around := a.ids, a.Open, a.Location, a.Around
	return tea.Batch(a.tick(), func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = opened{to: to, err: kit.BrokeDown(p)}
			}
		}()
		o := opened{to: to}
		if o.cp, o.err = openIt(ctx); around != nil && ctx.Err() == nil && (o.err != nil || !o.cp.IsCheckpoint()) {
			o.around = around(ctx, location)
		}
		return o
	})
}

// busy reports whether anything is being read.
func (a *App) busy() bool {
	if a.Opening || a.Examining || a.asking.busy {
		return true
	}
	l, ok := a.top().Screen.(kit.Loader)
	return ok && l.Loading()
}

// layers are the screens that are open, and those that are parked.
func (a *App) layers() []*layer { return slices.Concat(a.stack, a.parked) }

func (a *App) top() *layer { return a.stack[len(a.stack)-1] }

// push opens a screen on top; c is the row that it was opened by.
func (a *App) push(s kit.Screen, c *kit.Spec) tea.Cmd {
	l := &layer{Screen: s, spec: c}
	a.stack = append(a.stack, l)
	s.Resize(a.w, a.bodyHeight())
	return a.load(l)
}

// load begins the reading of a screen, and ends the one before.
func (a *App) load(l *layer) tea.Cmd {
	if l.end != nil {
		l.end()
	}
	a.ids++
	life, end := context.WithCancel(a.ctx)
	ctx, stop := context.WithCancel(life)
	l.Scope, l.end, l.stop = kit.Scope{ID: a.ids, Life: life, Ctx: ctx}, end, stop
	return l.Screen.Load(l.Scope)
}

// popTo makes layer i the top one.
func (a *App) popTo(i int) tea.Cmd {
	for len(a.stack) > i+1 {
		a.pop()
	}
	return a.tell(a.top(), kit.Uncovered{})
}

// pop leaves the top screen. That of a tab is parked: the tab shows it again as it was.
func (a *App) pop() {
	l := a.top()
	a.stack = a.stack[:len(a.stack)-1]
	if title, own := l.home(); own && a.Checkpoint != nil && title != first.Title {
		if old := a.unpark(l.spec); old != nil {
			old.end()
		}
		a.parked = append(a.parked, l)
		return
	}
	l.end()
}

// unpark takes the parked screen of a tab; nil where there is none.
func (a *App) unpark(c *kit.Spec) *layer {
	i := slices.IndexFunc(a.parked, func(l *layer) bool { return l.spec.Title == c.Title })
	if i < 0 {
		return nil
	}
	l := a.parked[i]
	a.parked = slices.Delete(a.parked, i, i+1)
	return l
}

// dropParked ends the parked screens: what they show is of another checkpoint, or of an earlier reading.
func (a *App) dropParked() {
	for _, l := range a.parked {
		l.end()
	}
	a.parked = nil
}

// close ends all reading.
func (a *App) close() {
	a.dropParked()
	for _, l := range a.stack {
		l.end()
	}
	if a.endReading != nil {
		a.endReading()
	}
	a.dropRound()
}

// ---- update

// Update takes one message. A panic in a screen costs that screen, not the program.
func (a *App) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if p := recover(); p != nil {
			a.notice = kit.BrokeDown(p).Error()
			m, cmd = a, nil
		}
	}()
	was, top, location := a.seen(), a.top(), a.Location
	cmd = a.take(msg)
	a.record(was, top, location)
	if a.busy() {
		cmd = tea.Batch(cmd, a.tick())
	}
	return a, cmd
}

func (a *App) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = msg.Width, msg.Height
		for _, l := range a.layers() {
			l.Resize(a.w, a.bodyHeight())
		}
		return a.tell(a.top(), msg)
	case tick:
		a.ticking = false
		return nil
	case tea.MouseMsg:
		return a.mouse(msg)
	case opened:
		if msg.to == a.reading.ID {
			return a.isOpen(msg)
		}
		return nil
	case kit.Chunk[checks.Event]:
		if msg.To == a.reading.ID {
			return a.grow(msg)
		}
		return a.follows(msg)
	case beat, listedAgain:
		return a.followed(msg)
	case remembered:
		if a.notice = msg.done; msg.err != nil {
			a.notice = "the bookmark was not saved: " + msg.err.Error()
		}
	case bookmarksRead:
		return a.offerBookmarks(msg)
	case lineFound:
		return a.found(msg)
	case forgetful:
		if !a.forgot {
			a.notice = "opened checkpoints are not remembered: " + msg.err.Error()
		}
		a.forgot = true
	case answerRead:
		return a.isTold(msg)
	case copied:
		return a.takeCopy(msg)
	case saved:
		a.isSaved(msg)
	case kit.Broke:
		a.notice = msg.Err.Error()
	case kit.Addressed:
		for _, l := range a.layers() {
			if l.ID == msg.Address() {
				return a.tell(l, msg)
			}
		}
		return nil
	case tea.KeyPressMsg:
		return a.key(msg)
	case tea.PasteMsg:
		switch {
		case a.menu != nil:
			return a.choose(msg)
		case a.saving.IsOpen():
			return a.heardFile(msg)
		case a.asking.IsOpen():
			return a.heardAnswer(msg)
		case a.prompt.Typing:
			return a.prompted(msg)
		}
		return a.pasted(msg)
	}
	return nil
}

// isOpen begins to examine a checkpoint that was opened, and lets the screens read from it.
func (a *App) isOpen(msg opened) tea.Cmd {
	var seen tea.Cmd
	a.Opening = false
	if msg.around != "" && a.Checkpoint == nil && !a.AsIs && a.OpenAt != nil {
		return a.showFolder(msg.around)
	}
	if msg.err != nil {
		a.Err = msg.err
		return a.tryAgain()
	}
	if a.isFolder(msg.cp) {
		return a.showFolder("")
	}
	if a.Checkpoint == nil && msg.cp.IsCheckpoint() {
		seen = a.visited("")
	}
	a.Checkpoint, a.Verdict, a.StateWords, a.StateSizes, a.Examining, a.walked = msg.cp, checks.Verdict{}, nil, nil, true, 0
	a.Answered, a.LastLook = a.Now(), time.Time{}
	opt := a.Examine
	if opt.Now.IsZero() {
		opt.Now = a.Now()
	}
	cmds := []tea.Cmd{seen, kit.StreamPaced(a.reading.Life, a.reading.ID, kit.Each(a.examine(a.reading.Ctx, a.Checkpoint, opt)),
		a.pace(kit.ChunkTime))}
	for _, l := range a.stack {
		if _, ok := l.Screen.(kit.Chooser); !ok {
			cmds = append(cmds, a.load(l))
		}
	}
	return tea.Batch(append(cmds, a.tryAgain())...)
}

// grow takes in what became known.
func (a *App) grow(p kit.Chunk[checks.Event]) tea.Cmd {
	for _, e := range p.Items {
		a.Verdict.Add(e)
		if e.Facts != nil {
			a.StateWords, a.StateSizes = kit.DescribeOperators(e.Facts.Operators), kit.SizesByVersion(e.Facts.Operators)
		}
	}
	if p.Err != nil {
		a.Verdict.Add(checks.Event{Done: &checks.Done{Err: p.Err}})
	}
	if a.Examining = p.Next != nil && !a.Verdict.Done; !a.Examining && !a.Verdict.Done {
		a.Verdict.Add(checks.Event{Done: &checks.Done{Err: fmt.Errorf("the checks ended early")}})
	}
	cmds := []tea.Cmd{p.Next, a.visitedAll()}
	if !a.Examining && a.asking.pending {
		cmds = append(cmds, a.judge())
	}
	for _, l := range a.layers() {
		cmds = append(cmds, a.tell(l, kit.Grown{}))
	}
	if a.Follow && !a.Examining {
		a.Follow = false
		cmds = append(cmds, a.followKey())
	}
	return tea.Batch(append(cmds, a.tryAgain())...)
}

// tell hands a message to a screen and does what it asks.
func (a *App) tell(l *layer, msg tea.Msg) tea.Cmd {
	act, cmd := l.Update(msg)
	if act != nil {
		return tea.Batch(cmd, a.do(act))
	}
	return cmd
}

func (a *App) do(act kit.Action) tea.Cmd {
	switch act := act.(type) {
	case kit.Go:
		return a.goTo(act)
	case kit.Back:
		if len(a.stack) > 1 {
			a.pop()
			return a.tell(a.top(), kit.Uncovered{})
		}
	case kit.Reload:
		return a.load(a.top())
	case kit.Home:
		return a.goHome()
	case bookmarkView:
		return a.bookmark()
	case listBookmarks:
		return a.openBookmarks()
	case leaveFor:
		return a.openAt(act.location)
	case tells:
		return a.ask(act)
	case quit:
		return tea.Quit
	case kit.Note:
		a.notice = act.Text
	case kit.ClosePlace:
		a.closeCheckpoint(act.Location)
	case kit.OpenChoice:
		a.closeCheckpoint(act.Choice.Location)
		a.Options.Open, a.Options.Poll, a.AsIs = act.Choice.Open, act.Choice.Poll, act.AsIs
		return tea.Batch(a.push(first.New(&a.Session), &first), a.read(), a.firstView())
	}
	return nil
}
