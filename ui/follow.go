package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/ui/kit"
)

// Following a running query: every few seconds the checkpoint is listed again, and where it has changed
// examined again, beside what is on the screen. Only when a round is over does it take its place, and every
// screen keeps what is under its cursor. While nothing is followed there is no timer.
//
// The sources and the output are asked when all is examined, and only then: while the logs stand still their last
// answer stands, with its age. Where the logs have changed an older answer would not do: it knows nothing of the
// batch that was planned or committed since, and would make it look lost. The second look asks once more for the
// same reason as it reads once more.
//
// A query that runs changes files while they are read, so what one look finds may be half of a change. A
// round that finds something new therefore looks once more, at once, and only what the second look finds too
// is shown.

// following is the state of it.
type following struct {
	on      bool
	turn    int           // a timer of a following before this one is dropped
	next    time.Time     // when it looks again
	wait    time.Duration // between the end of a round and the next one
	quiet   int           // looks in a row that found nothing changed
	looking bool          // a round is under way
	again   bool          // and it is its second look
	began   time.Time
	failed  error // why the last round told nothing

	round kit.Scope
	end   func()
	cp    *checkpoint.Checkpoint // of the round
	asked time.Time              // when its examination began
	found checks.Verdict         // of the round, as far as it has come
}

const (
	shortWait = 5 * time.Second
	longWait  = 30 * time.Second
	beatEvery = time.Second // the footer counts down
	// quietRounds is how many looks in a row may rest on the listing of the logs alone. Then all is examined,
	// for what changes without a new batch.
	quietRounds = 6
)

// beat is the timer of a following.
type beat struct{ turn int }

// listedAgain is the checkpoint as it was listed for a round, or why it was not.
type listedAgain struct {
	to  kit.ScreenID
	cp  *checkpoint.Checkpoint
	err error
}

// followKey begins to follow, or ends it.
func (a *App) followKey() tea.Cmd {
	if a.follow.on {
		a.unfollow()
		a.notice = "stopped following · f follows again"
		return nil
	}
	if a.Checkpoint == nil {
		a.notice = "the checkpoint is still being opened"
		return nil
	}
	a.follow = following{on: true, turn: a.follow.turn + 1, wait: shortWait, next: a.Now()}
	return tea.Batch(a.lookAgain(), a.after(a.pace(beatEvery), beat{a.follow.turn}))
}

// unfollow ends following and what it reads.
func (a *App) unfollow() {
	a.dropRound()
	a.follow.on = false
	a.Fresh, a.Gone = nil, nil
}

// dropRound forgets a round that is under way: all is read again for another reason, or it was stopped.
func (a *App) dropRound() {
	if a.follow.end != nil {
		a.follow.end()
	}
	a.follow.end, a.follow.looking, a.follow.again = nil, false, false
	a.follow.next = a.Now().Add(a.follow.wait)
}

// followed takes a message of a following.
func (a *App) followed(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case beat:
		return a.onBeat(msg)
	case listedAgain:
		return a.polled(msg)
	}
	return nil
}

// onBeat looks again when the time has come. A person's own reading goes first.
func (a *App) onBeat(b beat) tea.Cmd {
	if !a.follow.on || b.turn != a.follow.turn {
		return nil
	}
	return tea.Batch(a.lookAgain(), a.after(a.pace(beatEvery), b))
}

// lookAgain begins a round, where it is time for one.
func (a *App) lookAgain() tea.Cmd {
	f := &a.follow
	if f.looking || a.Opening || a.Examining || a.Now().Before(f.next) {
		return nil
	}
	f.looking, f.again, f.began = true, false, a.Now()
	return a.poll()
}

// poll lists the checkpoint for a round.
func (a *App) poll() tea.Cmd {
	a.ids++
	ctx, end := context.WithCancel(a.ctx)
	a.follow.round, a.follow.end = kit.Scope{ID: a.ids, Life: ctx, Ctx: ctx}, end
	to, openIt := a.ids, a.Poll
	if openIt == nil {
		openIt = a.Open
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = listedAgain{to: to, err: kit.BrokeDown(p)}
			}
		}()
		cp, err := openIt(ctx)
		return listedAgain{to, cp, err}
	}
}

// polled goes on with a round: where the logs have changed, or were not examined for long, by examining.
func (a *App) polled(msg listedAgain) tea.Cmd {
	f := &a.follow
	if !f.looking || msg.to != f.round.ID {
		return nil
	}
	if msg.err != nil {
		a.endRound(msg.err, false)
		return nil
	}
	if !f.again && f.quiet+1 < quietRounds && sameLogs(a.Checkpoint, msg.cp) {
		f.quiet++
		a.endRound(nil, false)
		a.tellAll(kit.Grown{})
		return nil
	}
	f.cp, f.found, f.asked = msg.cp, checks.Verdict{}, a.Now()
	opt := a.Examine
	if opt.Now.IsZero() {
		opt.Now = a.Now()
	}
	return kit.Stream(f.round.Life, f.round.ID, kit.Each(a.examine(f.round.Ctx, f.cp, opt)))
}

// follows takes in what a round has found so far.
func (a *App) follows(p kit.Chunk[checks.Event]) tea.Cmd {
	f := &a.follow
	if !f.looking || p.To != f.round.ID {
		return nil
	}
	for _, e := range p.Items {
		f.found.Add(e)
	}
	switch {
	case p.Next != nil && !f.found.Done:
		return p.Next
	case p.Err != nil || !f.found.Done:
		a.failRound(cmp.Or(p.Err, fmt.Errorf("the checks ended early")))
		return nil
	case f.found.Err != nil:
		a.failRound(f.found.Err)
		return nil
	case a.asking.use != nil:
		return a.renewTold()
	case !f.again && f.surprises(&a.Verdict):
		f.again = true
		f.end()
		return a.poll()
	}
	return a.renew()
}

// surprises reports whether a round has found something of weight that was not there before.
func (f *following) surprises(before *checks.Verdict) bool {
	known := keysOf(before)
	return slices.ContainsFunc(f.found.Findings, func(x checks.Finding) bool {
		return x.Severity > checks.Info &&
			!known[kit.KeyOfFinding(&x)]
	})
}

// renew puts what a round has found in the place of what was known.
func (a *App) renew() tea.Cmd {
	f := &a.follow
	before, after := keysOf(&a.Verdict), keysOf(&f.found)
	fresh, gone := map[kit.FindingKey]bool{}, []checks.Finding(nil)
	for k := range after {
		if !before[k] {
			fresh[k] = true
		}
	}
	for _, x := range a.Verdict.Findings {
		if a.Verdict.Complete && !f.found.Complete {
			break // it may be there still: not everything was looked at this time
		}
		if !after[kit.KeyOfFinding(&x)] {
			gone = append(gone, x)
		}
	}
	a.Checkpoint, a.Verdict, a.Answered, a.Err, a.walked = f.cp, f.found, f.asked, nil, 0
	a.StateWords, a.StateSizes = kit.DescribeOperators(a.Verdict.Operators), kit.SizesByVersion(a.Verdict.Operators)
	f.quiet = 0
	a.endRound(nil, true)
	a.Fresh, a.Gone = fresh, gone
	cmds := []tea.Cmd{a.tellAll(kit.Renewed{})}
	for _, l := range a.stack {
		if x, ok := l.Screen.(kit.Outdated); ok && x.Outdated() {
			cmds = append(cmds, a.load(l))
		}
	}
	return tea.Batch(append(cmds, a.tellAll(kit.Grown{}))...)
}

// endRound sets when the next one is: soon after one that brought something, later after one that did not or
// that took long, and never sooner than the round took.
func (a *App) endRound(err error, changed bool) {
	f := &a.follow
	a.Fresh, a.Gone = nil, nil
	f.failed, f.wait = err, min(f.wait*2, longWait)
	if changed {
		f.wait = shortWait
	}
	a.LastLook = f.began
	took := a.Now().Sub(f.began)
	f.wait = max(min(max(f.wait, 5*took), longWait), took)
	a.dropRound()
}

// tellAll hands a message to every screen.
func (a *App) tellAll(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, l := range a.layers() {
		cmds = append(cmds, a.tell(l, msg))
	}
	return tea.Batch(cmds...)
}

// sameLogs reports whether two listings of a checkpoint show the same batches and folders.
func sameLogs(a, b *checkpoint.Checkpoint) bool {
	files := func(x, y *checkpoint.LogDir) bool {
		return x.Err == nil && y.Err == nil && slices.Equal(x.Files, y.Files)
	}
	entries := func(x, y *checkpoint.Listing) bool {
		if x.Err != nil || y.Err != nil || len(x.Entries) != len(y.Entries) {
			return false
		}
		for i, e := range x.Entries {
			if f := y.Entries[i]; e.Name != f.Name || e.Dir != f.Dir || e.Size != f.Size || !e.Modified.Equal(f.Modified) {
				return false
			}
		}
		return true
	}
	return files(&a.Offsets, &b.Offsets) && files(&a.Commits, &b.Commits) && entries(&a.State, &b.State) && entries(&a.Sources, &b.Sources)
}

func keysOf(v *checks.Verdict) map[kit.FindingKey]bool {
	all := make(map[kit.FindingKey]bool, len(v.Findings))
	for i := range v.Findings {
		all[kit.KeyOfFinding(&v.Findings[i])] = true
	}
	return all
}

// ---- in words

// followWords stand in the footer while something is followed.
func (a *App) followWords() string {
	f := &a.follow
	switch {
	case !f.on:
		return ""
	case f.looking:
		return "following, reading …"
	}
	left := max(int64(f.next.Sub(a.Now())+time.Second-1)/int64(time.Second), 0)
	words := fmt.Sprintf("following, reads again in %d s", left)
	if f.failed != nil {
		words = fmt.Sprintf("following, could not read (%s), again in %d s", checkpoint.Why(f.failed), left)
	}
	return words
}
