package examine

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/drift"
	"tidemark/internal/checks/recovery"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/sink"
	"tidemark/internal/checks/sources"
	"tidemark/internal/checks/stores"
	"tidemark/internal/output"
	"tidemark/internal/spec"
)

// Options are what an examination is given besides the checkpoint.
type Options struct {
	Spark spark.Version       // the release that will do the restart; zero: that of Spec, else the newest that can have written this
	Now   time.Time           // for ages
	Deep  bool                // verify every byte of state
	Spec  *spec.Spec          // what the query declares; nil: nothing is compared
	Sink  output.Sink         // the output of the query; nil: it is not read
	Kept  availability.Prober // tells what the sources still have; nil: they are not asked
}

// progressEvery is how many batches lie between two Progress events.
const progressEvery = 500

// floodLimit is how many findings of one code are reported one by one; the rest are counted in a last one.
const floodLimit = 100

// Examine reads a checkpoint and yields what becomes known, what matters first: Facts, Restart,
// then findings as they are found, and Done last. Facts come a second time where state files name the
// files that they build on. It reads as it is ranged over; a caller that stops ranging stops the reading. A canceled ctx ends it early
// with a Done that says so.
func Examine(ctx context.Context, cp *checkpoint.Checkpoint, opt Options) iter.Seq[checks.Event] {
	return func(yield func(checks.Event) bool) {
		all := All
		if !cp.IsCheckpoint() {
			all = elsewhere
		}
		newExamination(ctx, cp, opt, all, yield).run()
	}
}

func newExamination(ctx context.Context, cp *checkpoint.Checkpoint, opt Options, all []*checks.Check, yield func(checks.Event) bool) *examination {
	return &examination{ctx: ctx, cp: cp, opt: opt, all: all, yield: yield, told: map[string]*told{}, seen: map[string]bool{}}
}

type examination struct {
	ctx   context.Context
	cp    *checkpoint.Checkpoint
	opt   Options
	all   []*checks.Check
	yield func(checks.Event) bool

	stopped  bool // the caller does not want more
	err      error
	pass     *checks.Pass
	findings []checks.Finding // kept for the questions; no more than floodLimit of a code
	told     map[string]*told // by code
	broken   bool             // a check broke down
	salvaged int              // damaged files that were read once more
	unread   []checkpoint.Unread
	seen     map[string]bool // names in unread
}

func (x *examination) emit(e checks.Event) {
	if !x.stopped {
		x.stopped = true // where the caller panics there is nobody to tell any more
		x.stopped = !x.yield(e)
	}
}

// run examines. What breaks down here, and not in one check, ends the examination: what was found stays.
func (x *examination) run() {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if x.stopped {
			panic(p) // of the caller
		}
		x.emit(checks.Event{Done: &checks.Done{Err: fmt.Errorf("the checks failed, which is a bug of tidemark: %v", p)}})
	}()
	x.examine()
}

func (x *examination) examine() {
	survey, err := statestore.ReadSurvey(x.ctx, x.cp)
	x.err = err
	x.note(survey.Unread...)
	x.pass = checks.NewPass(x.cp, survey, x.found, func(u checkpoint.Unread) { x.note(u) })
	x.pass.Now, x.pass.Deep, x.pass.Spec = x.opt.Now, x.opt.Deep, x.opt.Spec
	x.pass.Written = basics.WrittenBy(x.cp, survey)
	x.pass.Spark = cmp.Or(x.opt.Spark, basics.ReleaseOf(x.pass.Written, x.opt.Spec))
	facts := gather(x.pass)
	x.emit(checks.Event{Facts: &facts})
	x.state()
	if len(stores.CommittedIDs(x.pass)) > 0 { // now the lineages are read
		facts := facts
		facts.Loads, facts.MoreLoads = stores.Loads(x.pass)
		x.emit(checks.Event{Facts: &facts})
	}
	x.ask()
	x.pass.Compared = drift.Compare(basics.NextStart(x.ctx, x.pass))
	for i := range x.pass.Compared.Drift {
		x.emit(checks.Event{Drift: &x.pass.Compared.Drift[i]})
	}
	if x.pass.Spec != nil {
		x.emit(checks.Event{Compared: &x.pass.Compared})
	}
	x.predict()
	x.output()
	x.refused()
	x.checks()
	x.finish()
}

// state looks into the state that the next start loads.
func (x *examination) state() {
	switch err := stores.ReadContents(x.ctx, x.pass); {
	case checkpoint.Stopped(err):
		x.err = cmp.Or(x.err, err)
	case err != nil:
		x.broken = true
		x.emit(checks.Event{NotRun: &checks.NotRun{Needs: "state could not be read completely: " + err.Error()}})
	}
}

// ask asks the sources what they keep.
func (x *examination) ask() {
	if x.opt.Kept == nil || x.err != nil || !x.cp.IsCheckpoint() {
		return
	}
	whole, err := sources.Ask(x.ctx, x.pass, x.opt.Kept, x.emit)
	x.err, x.broken = err, x.broken || !whole
}

// output reads what the query wrote. It is read after the checkpoint was listed, so that a batch which
// is committed in the listing is in the output by then.
func (x *examination) output() {
	if x.opt.Sink == nil || x.err != nil || !x.cp.IsCheckpoint() {
		return
	}
	out, err := sink.Reconcile(x.ctx, basics.NextStart(x.ctx, x.pass), x.opt.Sink, 1)
	switch {
	case checkpoint.Stopped(err):
		x.err = err
	case err != nil:
		x.note(checkpoint.Unread{Name: out.Location, Err: err})
	default:
		x.pass.Sink, x.pass.Asked = &out, x.opt.Sink
		x.emit(checks.Event{Sink: &out})
	}
}

// refused is the next start once more, where the output has a say in it: a table that refuses the batch, or one that has it already and lets
// it read nothing.
func (x *examination) refused() {
	out := x.pass.Sink
	if out == nil || out.Flaw == nil && out.Refusal == nil && x.pass.Restart.Outcome != checks.Refuses {
		return
	}
	x.predict()
}

// predict says what the next start does, by what is known so far.
func (x *examination) predict() {
	r := restart.Predict(x.ctx, x.pass)
	x.pass.Restart = r
	x.emit(checks.Event{Restart: &r})
}

// lacks is what a check needs and does not have; "" for nothing.
func (x *examination) lacks(c *checks.Check) string {
	switch {
	case c.Needs == sources.NeedsKept && x.pass.Kept != nil:
		return ""
	case c.Needs != sink.NeedsSink:
		return c.Needs
	case x.opt.Sink == nil:
		return sink.NeedsSink
	case x.pass.Sink == nil:
		return "the sink could not be read"
	case x.pass.Sink.Unknown != "":
		return "the contents of the sink are unknown"
	}
	return ""
}

func (x *examination) checks() {
	var walkers []checks.Walker
	var walking []*checks.Check
	for _, c := range x.all {
		if x.stopped {
			return
		}
		if needs := x.lacks(c); needs != "" {
			x.emit(c.NotRun(needs))
			continue
		}
		if c.Run != nil && x.err == nil {
			x.guard(c, func() {
				if err := c.Run(x.ctx, x.pass.For(c)); checkpoint.Stopped(err) {
					x.err = err
				} else if err != nil {
					x.broken = true
					x.emit(c.NotRun(err.Error()))
				}
			})
		}
		if c.Walk != nil {
			walkers, walking = append(walkers, c.Walk(x.pass.For(c))), append(walking, c)
		}
	}
	x.walk(walkers, walking)
	for _, c := range x.all {
		if c.Unread != nil && len(x.unread) > 0 {
			x.guard(c, func() { c.Unread(x.pass.For(c), x.unread) })
		}
	}
}

// walk is the one pass over all batches.
func (x *examination) walk(walkers []checks.Walker, walking []*checks.Check) {
	var before *checkpoint.Batch
	var n, of int64
	for range x.cp.IDs() {
		of++
	}
	whole := x.err == nil
	if whole {
		for b, err := range x.pass.Survey.All(x.ctx, x.cp) {
			if x.stopped {
				return
			}
			if err != nil {
				x.err, whole = err, false
				break
			}
			x.note(b.Unread...)
			for i, w := range walkers {
				if w.Batch != nil {
					x.guard(walking[i], func() { w.Batch(before, b) })
				}
			}
			before = b
			if n++; n%progressEvery == 0 {
				x.emit(checks.Event{Progress: &checks.Progress{Batches: n, Of: of}})
			}
		}
	}
	x.emit(checks.Event{Progress: &checks.Progress{Batches: n, Of: of}})
	for i, w := range walkers {
		if w.Done != nil && !x.stopped {
			x.guard(walking[i], func() { w.Done(whole) })
		}
	}
}

// guard turns a panic of a check into a line of what was not run: one bad file must not end the run.
func (x *examination) guard(c *checks.Check, run func()) {
	defer func() {
		if p := recover(); p != nil {
			x.broken = true
			x.emit(c.NotRun(fmt.Sprintf("this check failed, which is a bug of tidemark: %v", p)))
		}
	}()
	run()
}

// told is how many findings of one code there are.
type told struct {
	one, more int            // reported one by one; only counted
	worst     checks.Finding // of those only counted
}

func (x *examination) found(f checks.Finding) {
	t := x.told[f.Code]
	if t == nil {
		t = new(told)
		x.told[f.Code] = t
	}
	if t.one == floodLimit {
		if t.more++; t.more == 1 || f.Outweighs(&t.worst) {
			t.worst = f
		}
		return
	}
	t.one++
	x.salvage(&f)
	x.findings = append(x.findings, f)
	x.emit(checks.Event{Finding: &f})
}

func (x *examination) note(found ...checkpoint.Unread) {
	for _, u := range found {
		if !x.seen[u.Name] {
			x.seen[u.Name] = true
			x.unread = append(x.unread, u)
		}
	}
}

func (x *examination) finish() {
	complete := x.err == nil && !x.broken
	for _, u := range x.unread {
		if u.Why() != "gone" {
			complete = false
			x.emit(checks.Event{NotRun: &checks.NotRun{Needs: fmt.Sprintf("%s could not be %s: %s", u.Name, map[bool]string{true: "listed", false: "read"}[u.List], u.Reason())}})
		}
	}
	unverified := cmp.Or(stores.Unverified(x.pass), stores.OddSnapshot(x.pass))
	for _, c := range x.all {
		if t := x.told[c.Code]; t != nil && t.more > 0 {
			if c.OfState {
				unverified = "not all findings about state are listed"
			}
			p := checks.NewPass(x.cp, x.pass.Survey, func(f checks.Finding) { x.emit(checks.Event{Finding: &f}) }, nil)
			w := &t.worst
			p.For(c).Report(checks.Finding{Batch: -1, Severity: w.Severity, OnlyIf: w.OnlyIf, Harmless: w.Harmless,
				Evidence: fmt.Sprintf("%d more of this kind are not listed", t.more)})
		}
	}
	ways := x.recoveries()
	x.emit(checks.Event{Done: &checks.Done{Complete: complete, Err: x.err, Questions: questions(x.pass, x.findings, complete), Unverified: unverified,
		Migration: restart.Migrate(basics.NextStart(x.ctx, x.pass), checks.Starts{Sources: sources.Of(x.pass), Kept: x.pass.Kept}),
		Recover:   ways}})
}

// recoveries looks for the ways from damaged files to a start. None is reported where the reading was stopped before, or is on
// the way.
func (x *examination) recoveries() (ways checks.Recoveries) {
	if x.err != nil || x.stopped {
		return ways
	}
	defer func() {
		if p := recover(); p != nil {
			x.emit(checks.Event{NotRun: &checks.NotRun{Needs: fmt.Sprintf("the ways back could not be found, which is a bug of tidemark: %v", p)}})
			ways = checks.Recoveries{}
		}
	}()
	ways, err := recovery.Find(x.ctx, x.pass, x.findings, All)
	if err != nil {
		x.emit(checks.Event{NotRun: &checks.NotRun{Needs: "the ways back were not checked: " + err.Error()}})
		return checks.Recoveries{}
	}
	return ways
}
