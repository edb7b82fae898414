package sink

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/output"
	"tidemark/internal/phrase"
	"tidemark/internal/spec"
)

// NeedsSink is what the checks of the output need.
const NeedsSink = "--sink"

// confSinkCompaction is the setting of how many batches lie between two compactions of a file sink's log.
const confSinkCompaction = "spark.sql.streaming.fileSink.log.compactInterval"

// Reconcile looks at the output and holds it against the checkpoint. The output's Location is set whatever
// comes of it.
func Reconcile(ctx context.Context, s *basics.Start, from output.Sink, newest int) (checks.Output, error) {
	q := output.Query{Planned: s.L, Committed: s.C, Newest: newest, Now: s.Now.UnixMilli()}
	if m := s.Survey.Metadata; m != nil {
		q.ID = m.ID
	}
	if s.Spec != nil {
		q.Table = s.Spec.Sink != nil && s.Spec.Sink.Schema != nil
		q.CompactInterval, _ = strconv.ParseInt(s.Spec.Conf[confSinkCompaction], 10, 64)
	}
	held, err := from.Look(ctx, q)
	out := checks.Output{Held: held, First: -1, Last: -1}
	if err != nil {
		return out, err
	}
	r := &reconciler{Start: s, Output: &out, query: q}
	r.judge()
	return out, nil
}

// batchesAsked is how many of the newest batches an output is asked for by OutputOf.
const batchesAsked = 20

// OutputOf is what an output holds of the query of a checkpoint, with its newest batches one by one and
// no check made.
func OutputOf(ctx context.Context, cp *checkpoint.Checkpoint, from output.Sink, declared *spec.Spec, now time.Time) (checks.Output, error) {
	survey := &statestore.Survey{}
	var err error
	if survey.Standing, err = cp.Standing(ctx); err != nil {
		return checks.Output{}, err
	}
	if survey.Metadata, err = cp.Metadata(ctx); err != nil {
		return checks.Output{}, err
	}
	p := checks.NewPass(cp, survey, nil, nil)
	p.Now, p.Spec = now, declared
	return Reconcile(ctx, basics.NextStart(ctx, p), from, batchesAsked)
}

// reconciler is one comparison.
type reconciler struct {
	*basics.Start
	*checks.Output
	query output.Query
}

// done is the newest batch that the next start takes for complete. Spark runs the newest plan again where it
// has no commit, and takes all before it for done, committed or not.
func (r *reconciler) done() int64 { return r.FirstBatch() - 1 }

func (r *reconciler) judge() {
	r.adopt()
	next, done, held := r.FirstBatch(), r.done(), r.Highest
	if r.Unknown == "" && held > r.L && held >= next && r.movedOn() {
		r.say(checks.Running, -1, -1, "the query goes on while it is looked at: the output has batch %d by now, and so has the checkpoint. Look again when it stands still", held)
		return
	}
	switch {
	case r.Unknown != "":
		r.say(checks.NotTold, -1, -1, "%s", r.Unknown)
	case r.Expired && held >= next:
		r.say(checks.Forgotten, next, held, "%s in the output, and the table forgets such records after %s: what is run again may be written a second time",
			phrase.Batches(next, held)+" "+areOrIs(next, held), r.Expires)
	case held < 0:
		r.noTrace()
	case r.Held.Undone != nil && r.Held.Undone.Last >= min(next, r.Held.Undone.First):
		r.setBack(next, done)
	case held > r.L && r.L < 0:
		r.say(checks.OldOutput, 0, held, "the checkpoint has planned nothing, and the output has batches up to %d: %s", held, r.skips(0, held))
	case held > r.L:
		r.say(checks.Ahead, max(next, 0), held, "the output has batches up to %d, and the newest plan of the checkpoint is batch %d: %s", held, r.L, r.skips(next, held))
	case held == r.L && r.C < r.L:
		r.unacknowledged()
	case held >= done && r.C < r.L:
		r.say(checks.NotInSink, r.L, r.L, "batch %d is planned, and not in the output: it is run again and written once", r.L)
	case held >= done:
		r.say(checks.InStep, -1, -1, "batch %d is the newest that is committed, and the newest that is in the output", held)
	default:
		r.behind(held+1, done)
	}
}

// adopt takes the record of an id that a user chose (txnAppId of foreachBatch) for that of this query: where it
// stands just where the checkpoint does, or where the spec says that the query writes so and there is no other.
// The id of another query is never taken: Spark makes those, and they look it.
func (r *reconciler) adopt() {
	if r.Unknown != "" || r.Highest >= 0 {
		return
	}
	chosen := slices.DeleteFunc(slices.Clone(r.Others), func(w output.Writer) bool { return queryIDForm.MatchString(w.ID) })
	if !declaresForeachBatch(r.Pass) {
		chosen = slices.DeleteFunc(chosen, func(w output.Writer) bool { return r.C < 0 || w.Highest != r.C && w.Highest != r.L })
	}
	if len(chosen) != 1 {
		return
	}
	w := chosen[0]
	r.By, r.Under, r.Highest = output.Identifier, w.ID, w.Highest
	r.Proof = output.Proof{Where: w.Where, Version: -1, Time: w.Time}
	r.Others = slices.DeleteFunc(r.Others, func(o output.Writer) bool { return o.ID == w.ID })
}

// queryIDForm is how Spark writes the id of a query.
var queryIDForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func declaresForeachBatch(p *checks.Pass) bool {
	return p.Spec != nil && p.Spec.Sink != nil && output.Named(p.Spec.Sink.Kind).Delegates
}

func (r *reconciler) say(s checks.Situation, first, last int64, format string, args ...any) {
	r.Situation, r.First, r.Last, r.Says = s, first, last, fmt.Sprintf(format, args...)
}

// skips is what becomes of batches that come again.
func (r *reconciler) skips(first, last int64) string {
	if first == last {
		return fmt.Sprintf("it will skip batch %d when it comes, without an error", first)
	}
	return fmt.Sprintf("it will skip batches %d to %d when they come, without an error", first, last)
}

// movedOn lists the plans once more: a query that is running writes its plan before its output, so a batch
// of the output that is planned by now is no riddle.
func (r *reconciler) movedOn() bool {
	now := r.ListFresh(r.Ctx, "offsets")
	return now.Err == nil && now.Last() >= r.Highest
}

// planSlack is how far the clocks of a driver and of a store may disagree.
const planSlack = time.Minute

// unacknowledged is the newest plan without a commit, and in the output.
func (r *reconciler) unacknowledged() {
	planned := int64(0)
	if r.Standing.Last != nil {
		planned = r.Standing.Last.Timestamp()
	}
	if at := r.Proof.Time; at > 0 && planned > 0 && at+planSlack.Milliseconds() < planned {
		r.say(checks.Replanned, r.L, r.L, "the output has batch %d since %s, and the plan that is here was made later, at %s: what this plan reads will be skipped",
			r.L, checks.Utc(at), checks.Utc(planned))
		return
	}
	r.say(checks.Unacknowledged, r.L, r.L, "batch %d is in the output, and its commit is missing: it is run again, and the output skips it, so that nothing is written twice", r.L)
}

// behind are batches first to last that the start takes for done, and that the output does not have. It is a
// loss only where they had something to read.
func (r *reconciler) behind(first, last int64) {
	r.missing(first, last)
	switch {
	case r.AtLeast:
		r.say(checks.NotTold, first, last, "the output has batch %d at least; whether it has %s is not seen", r.Highest, phrase.Batches(first, last))
	case !read(r.Missing):
		r.say(checks.InStep, first, last, "the output has batches up to %d; the plans of %s read nothing, so that nothing is missing", r.Highest, phrase.Batches(first, last))
	default:
		r.say(checks.Behind, first, last, "%s %s done for the checkpoint, and not in the output: a restart does not write %s again", phrase.Batches(first, last), areOrIs(first, last), them(first, last))
	}
}

// missing takes in what the batches first to last read.
func (r *reconciler) missing(first, last int64) {
	before := r.ReadPlan(first - 1)
	if before == nil && first > 0 {
		for id := range r.Offsets.IDs() {
			if id >= first && id < last {
				before, r.Part = r.ReadPlan(id), true
				break
			}
		}
	}
	if end := r.ReadPlan(last); before != nil && end != nil {
		r.Missing = basics.RangesBetween(before, end)
	}
}

// read reports whether something lies in ranges.
func read(all []checks.Range) bool {
	return slices.ContainsFunc(all, func(x checks.Range) bool {
		switch {
		case x.Counted:
			return x.Count > 0
		case x.From == nil || x.To == nil:
			return true
		}
		return x.From.Text != x.To.Text
	})
}

// setBack are batches that are recorded, and whose rows were taken out by setting the table back.
func (r *reconciler) setBack(next, done int64) {
	u := r.Held.Undone
	text := fmt.Sprintf("version %d set the table back", u.Version)
	if u.To >= 0 {
		text += fmt.Sprintf(" to version %d", u.To)
	}
	text += fmt.Sprintf(", so that the rows of %s are gone; the table still remembers batch %d as written", phrase.Batches(u.First, u.Last), r.Highest)
	if u.Last >= next {
		text += fmt.Sprintf(": %s", r.skips(max(next, u.First), u.Last))
	}
	if u.First <= done {
		r.missing(u.First, min(u.Last, done))
	}
	r.say(checks.SetBack, u.First, u.Last, "%s", text)
}

// noTrace is an output that records none of this query's batches.
func (r *reconciler) noTrace() {
	if u := r.Held.Unlogged; u != nil {
		r.noLog(u)
		return
	}
	close := slices.IndexFunc(r.Others, func(w output.Writer) bool { return w.Highest == r.C || w.Highest == r.L })
	switch {
	case r.query.ID == "" && len(r.Others) > 0:
		r.say(checks.NotTold, -1, -1, "the checkpoint has no query id to look for; the output records %s", writers(r.Others))
	case r.C < 0 && len(r.Others) == 0:
		r.say(checks.NothingYet, -1, -1, "nothing is committed, and nothing of this query is in the output")
	case r.C < 0:
		r.say(checks.OldOutput, -1, -1, "nothing is committed yet, and the output records other ids: %s. Where one of them is this query with an older checkpoint, what it wrote is written again",
			writers(r.Others))
	case r.Absent:
		r.say(checks.NoTrace, 0, r.done(), "nothing is at this location, and the checkpoint has committed batches up to %d", r.C)
	case close >= 0:
		r.say(checks.OtherID, -1, -1, "the output does not know query %s; it records %s, which is where this checkpoint stands", r.query.ID, writers(r.Others[close:close+1]))
	case len(r.Others) > 0:
		r.say(checks.OtherID, -1, -1, "the output does not know query %s; it records %s", r.query.ID, writers(r.Others))
	default:
		r.say(checks.NoTrace, -1, -1, "the output records no batch of query %s, nor of any other", r.query.ID)
	}
	if r.Lost != "" && r.Situation != checks.NothingYet {
		r.Says += ". " + r.Lost + ", so that this proves little"
	}
}

// noLog is a folder of data files without the log that Spark's file sink keeps of them.
func (r *reconciler) noLog(u *output.Unlogged) {
	has := fmt.Sprintf("it has %s and no log of them (_spark_metadata is missing or empty)", dataFiles(u))
	if r.C < 0 {
		r.say(checks.NotTold, -1, -1, "%s; nothing is committed, so that they need not be from this query", has)
		return
	}
	r.say(checks.NoTrace, 0, r.done(), "%s, and batches up to %d are committed: which of the files are from this query, and from which batch, is recorded nowhere", has, r.C)
}

// dataFiles is how many data files there are.
func dataFiles(u *output.Unlogged) string {
	switch {
	case u.More && u.Files == 1:
		return "data files"
	case u.More:
		return fmt.Sprintf("at least %d data files", u.Files)
	case u.Files == 1:
		return "1 data file"
	}
	return fmt.Sprintf("%d data files", u.Files)
}

func writers(all []output.Writer) string {
	var names []string
	for _, w := range all {
		names = append(names, fmt.Sprintf("%s up to %d", w.ID, w.Highest))
	}
	return phrase.List(names, 3)
}

func areOrIs(first, last int64) string {
	if first == last {
		return "is"
	}
	return "are"
}

func them(first, last int64) string {
	if first == last {
		return "it"
	}
	return "them"
}
