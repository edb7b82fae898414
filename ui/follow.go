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
	"tidemark/internal/report"
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

	round scope
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
	to  screenID
	cp  *checkpoint.Checkpoint
	err error
}

// renewed tells a screen that the checkpoint in the session is a newer listing of the same one.
type renewed struct{}

// outdated is a screen that is loaded anew where it no longer shows what there is. The others take in what
// they need by renewed, or show what does not change.
type outdated interface{ outdated() bool }

// followKey begins to follow, or ends it.
func (a *App) followKey() tea.Cmd {
	if a.follow.on {
		a.unfollow()
		a.notice = "not following any more · f follows again"
		return nil
	}
	if a.cp == nil {
		a.notice = "the checkpoint is not open yet"
		return nil
	}
	a.follow = following{on: true, turn: a.follow.turn + 1, wait: shortWait, next: a.Now()}
	return tea.Batch(a.lookAgain(), a.after(a.pace(beatEvery), beat{a.follow.turn}))
}

// unfollow ends following and what it reads.
func (a *App) unfollow() {
	a.dropRound()
	a.follow.on = false
	a.fresh, a.gone = nil, nil
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
	if f.looking || a.opening || a.examining || a.Now().Before(f.next) {
		return nil
	}
	f.looking, f.again, f.began = true, false, a.Now()
	return a.poll()
}

// poll lists the checkpoint for a round.
func (a *App) poll() tea.Cmd {
	a.ids++
	ctx, end := context.WithCancel(a.ctx)
	a.follow.round, a.follow.end = scope{a.ids, ctx, ctx}, end
	to, openIt := a.ids, a.Look
	if openIt == nil {
		openIt = a.Open
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = listedAgain{to: to, err: brokeDown(p)}
			}
		}()
		cp, err := openIt(ctx)
		return listedAgain{to, cp, err}
	}
}

// polled goes on with a round: where the logs have changed, or were not examined for long, by examining.
func (a *App) polled(msg listedAgain) tea.Cmd {
	f := &a.follow
	if !f.looking || msg.to != f.round.id {
		return nil
	}
	if msg.err != nil {
		a.endRound(msg.err, false)
		return nil
	}
	if !f.again && f.quiet+1 < quietRounds && sameLogs(a.cp, msg.cp) {
		f.quiet++
		a.endRound(nil, false)
		a.tellAll(grown{})
		return nil
	}
	f.cp, f.found, f.asked = msg.cp, checks.Verdict{}, a.Now()
	opt := a.Examine
	if opt.Now.IsZero() {
		opt.Now = a.Now()
	}
	return stream(f.round.life, f.round.id, each(a.examine(f.round.ctx, f.cp, opt)))
}

// follows takes in what a round has found so far.
func (a *App) follows(p page[checks.Event]) tea.Cmd {
	f := &a.follow
	if !f.looking || p.to != f.round.id {
		return nil
	}
	for _, e := range p.items {
		f.found.Add(e)
	}
	switch {
	case p.next != nil && !f.found.Done:
		return p.next
	case p.err != nil || !f.found.Done:
		a.endRound(cmp.Or(p.err, fmt.Errorf("the examination ended before its end")), false)
		return nil
	case f.found.Err != nil:
		a.endRound(f.found.Err, false)
		return nil
	case !f.again && f.surprises(&a.verdict):
		f.again = true
		f.end()
		return a.poll()
	}
	return a.renew()
}

// surprises reports whether a round has found something of weight that was not there before.
func (f *following) surprises(before *checks.Verdict) bool {
	known := keysOf(before)
	return slices.ContainsFunc(f.found.Findings, func(x checks.Finding) bool { return x.Severity > checks.Info && !known[keyOfFinding(&x)] })
}

// renew puts what a round has found in the place of what was known.
func (a *App) renew() tea.Cmd {
	f := &a.follow
	before, after := keysOf(&a.verdict), keysOf(&f.found)
	fresh, gone := map[findingKey]bool{}, []checks.Finding(nil)
	for k := range after {
		if !before[k] {
			fresh[k] = true
		}
	}
	for _, x := range a.verdict.Findings {
		if a.verdict.Complete && !f.found.Complete {
			break // it may be there still: not everything was looked at this time
		}
		if !after[keyOfFinding(&x)] {
			gone = append(gone, x)
		}
	}
	a.cp, a.verdict, a.answered, a.err, a.walked = f.cp, f.found, f.asked, nil, 0
	a.state, a.sizes = operators(a.verdict.Operators), stateSizes(a.verdict.Operators)
	f.quiet = 0
	a.endRound(nil, true)
	a.fresh, a.gone = fresh, gone
	cmds := []tea.Cmd{a.tellAll(renewed{})}
	for _, l := range a.stack {
		if x, ok := l.screen.(outdated); ok && x.outdated() {
			cmds = append(cmds, a.load(l))
		}
	}
	return tea.Batch(append(cmds, a.tellAll(grown{}))...)
}

// endRound sets when the next one is: soon after one that brought something, later after one that did not or
// that took long, and never sooner than the round took.
func (a *App) endRound(err error, changed bool) {
	f := &a.follow
	a.fresh, a.gone = nil, nil
	f.failed, f.wait = err, min(f.wait*2, longWait)
	if changed {
		f.wait = shortWait
	}
	a.lastLook = f.began
	took := a.Now().Sub(f.began)
	f.wait = max(min(max(f.wait, 5*took), longWait), took)
	a.dropRound()
}

// tellAll hands a message to every screen.
func (a *App) tellAll(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, l := range a.stack {
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

// findingKey says which finding one is from round to round: its words may count further.
type findingKey struct {
	code, file string
	batch      int64
}

func keyOfFinding(f *checks.Finding) findingKey {
	return findingKey{f.Code, f.Where.File, f.Batch}
}

func keysOf(v *checks.Verdict) map[findingKey]bool {
	all := make(map[findingKey]bool, len(v.Findings))
	for i := range v.Findings {
		all[keyOfFinding(&v.Findings[i])] = true
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
		return "following, looking …"
	}
	left := max(int64(f.next.Sub(a.Now())+time.Second-1)/int64(time.Second), 0)
	words := fmt.Sprintf("following, next look in %d s", left)
	if f.failed != nil {
		words = fmt.Sprintf("following, could not look (%s), again in %d s", checkpoint.Why(f.failed), left)
	}
	return words
}

// askedAgo says how old an answer of the sources or the output is; "" where no look is younger.
func (s *session) askedAgo(asked time.Time) string {
	if !s.lastLook.After(asked) {
		return ""
	}
	return "   asked " + s.clock.age(asked.UnixMilli())
}

// newsMark says behind the counts what the last round changed; "" for nothing.
func (s *session) newsMark() string {
	text := ""
	if n := len(s.fresh); n > 0 {
		text += fmt.Sprintf("   + %s new", report.Count(int64(n)))
	}
	if n := len(s.gone); n > 0 {
		text += fmt.Sprintf("   - %s gone", report.Count(int64(n)))
	}
	return s.theme.strong.Styled(text)
}

// news is "new" before the words on a finding that the last round brought.
func (s *session) news(f *checks.Finding) string {
	if s.fresh[keyOfFinding(f)] {
		return "new: "
	}
	return ""
}
