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
	out.Refusal = refusal(s.Spec, &held)
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
	p.Now, p.Spec, p.Spark = now, declared, basics.ReleaseOf(basics.WrittenBy(cp, survey), declared)
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
		r.say(checks.Running, -1, -1, "the query is running: sink and checkpoint both reached batch %d. Press r after it stops", held)
		return
	}
	switch {
	case r.Unknown != "":
		r.say(checks.NotTold, -1, -1, "%s", r.Unknown)
	case r.Expired && held >= next:
		r.say(checks.Forgotten, next, held, "%s in the sink, and the table deletes such records after %s: re-run batches may be written twice",
			phrase.Batches(next, held)+" "+areOrIs(next, held), r.Expires)
	case held < 0:
		r.noTrace()
	case r.Held.Undone != nil && r.Held.Undone.Last >= min(next, r.Held.Undone.First):
		r.setBack(next, done)
	case held > r.L && r.L < 0:
		r.say(checks.OldOutput, 0, held, "the checkpoint has no batch, and the sink has batches up to %d: %s", held, r.skips(0, held))
	case held > r.L:
		r.say(checks.Ahead, max(next, 0), held, "the sink has batches up to %d, and the newest offset file of the checkpoint is offsets/%d: %s", held, r.L, r.skips(next, held))
	case held == r.L && r.C < r.L:
		r.unacknowledged()
	case held >= done && r.C < r.L:
		r.say(checks.NotInSink, r.L, r.L, "batch %d is uncommitted and not in the sink: Spark re-runs it and writes it once", r.L)
	case held >= done:
		r.say(checks.InStep, -1, -1, "batch %d is the newest committed batch and the newest batch in the sink", held)
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
		return fmt.Sprintf("it will skip batch %d without an error", first)
	}
	return fmt.Sprintf("it will skip batches %d to %d without an error", first, last)
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
		r.say(checks.Replanned, r.L, r.L, "the sink has batch %d since %s, and offsets/ has a newer offset file for it, from %s: its input will be skipped",
			r.L, checks.Utc(at), checks.Utc(planned))
		return
	}
	r.say(checks.Unacknowledged, r.L, r.L, "batch %d is in the sink and its commit is missing: Spark re-runs it, the sink skips it, and nothing is written twice", r.L)
}

// behind are batches first to last that the start takes for done, and that the output does not have. It is a
// loss only where they had something to read.
func (r *reconciler) behind(first, last int64) {
	r.missing(first, last)
	switch {
	case r.AtLeast:
		r.say(checks.NotTold, first, last, "the sink has batch %d or a newer one; it does not show whether it has %s", r.Highest, phrase.Batches(first, last))
	case !read(r.Missing):
		r.say(checks.InStep, first, last, "the sink has batches up to %d; %s read nothing, so nothing is missing", r.Highest, phrase.Batches(first, last))
	default:
		r.say(checks.Behind, first, last, "%s %s committed in the checkpoint and missing in the sink: a restart does not write %s again", phrase.Batches(first, last), areOrIs(first, last), them(first, last))
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
	text := fmt.Sprintf("version %d restored the table", u.Version)
	if u.To >= 0 {
		text += fmt.Sprintf(" to version %d", u.To)
	}
	text += fmt.Sprintf(", so the rows of %s are gone; the table still records batch %d as written", phrase.Batches(u.First, u.Last), r.Highest)
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
	if output.Named(r.Kind).EveryBatch && r.done() >= 0 && len(r.Others) == 0 && r.query.ID != "" && (r.Absent || r.Lost == "" || r.youngTable() != "") {
		r.noRecord()
		return
	}
	close := slices.IndexFunc(r.Others, func(w output.Writer) bool { return w.Highest == r.C || w.Highest == r.L })
	switch {
	case r.query.ID == "" && len(r.Others) > 0:
		r.say(checks.NotTold, -1, -1, "the checkpoint has no query ID to look for; the sink records %s", writers(r.Others))
	case r.C < 0 && len(r.Others) == 0:
		r.say(checks.NothingYet, -1, -1, "nothing is committed, and the sink has nothing of this query")
	case r.C < 0:
		r.say(checks.OldOutput, -1, -1, "nothing is committed yet, and the sink records other IDs: %s. If one is this query with an older checkpoint, its rows are written again",
			writers(r.Others))
	case r.Absent:
		r.say(checks.NoTrace, 0, r.done(), "this location is empty, and the checkpoint has committed batches up to %d", r.C)
	case close >= 0:
		r.say(checks.OtherID, -1, -1, "the sink does not know query %s; it records %s, the same batch as this checkpoint", r.query.ID, writers(r.Others[close:close+1]))
	case len(r.Others) > 0:
		r.say(checks.OtherID, -1, -1, "the sink does not know query %s; it records %s", r.query.ID, writers(r.Others))
	default:
		r.say(checks.NoTrace, -1, -1, "the sink records no batch of query %s or of any other query", r.query.ID)
	}
	if r.Lost != "" && r.Situation != checks.NothingYet {
		r.Says += ". " + r.Lost + ", so this proves little"
	}
}

// noRecord is a Delta table that records no query at all, although batches are committed.
func (r *reconciler) noRecord() {
	has := "the table records no batch of any query"
	if r.Absent {
		has = "this location has no Delta table: its _delta_log has no commit"
	}
	text := fmt.Sprintf("%s, and the checkpoint has committed batches up to %d: a restart does not write them again", has, r.done())
	if young := r.youngTable(); young != "" {
		text += "; " + young
	}
	r.missing(r.firstPlanned(), r.done())
	r.say(checks.Behind, 0, r.done(), "%s", text)
}

// firstPlanned is the oldest batch whose offset file is left.
func (r *reconciler) firstPlanned() int64 {
	for id := range r.Offsets.IDs() {
		return id
	}
	return 0
}

// youngTable says that the table was created after the newest committed batch was planned; "" where that is not known.
func (r *reconciler) youngTable() string {
	plan := r.ReadPlan(r.done())
	if plan == nil || plan.Timestamp <= 0 || r.Created <= plan.Timestamp+planSlack.Milliseconds() {
		return ""
	}
	return fmt.Sprintf("the table was created at %s, after batch %d was planned (%s)", checks.Utc(r.Created), r.done(), checks.Utc(plan.Timestamp))
}

// noLog is a folder of data files without the log that Spark's file sink keeps of them.
func (r *reconciler) noLog(u *output.Unlogged) {
	has := fmt.Sprintf("the sink has %s and no log of them (_spark_metadata is missing or empty)", dataFiles(u))
	if r.C < 0 {
		r.say(checks.NotTold, -1, -1, "%s; nothing is committed, so the files may be from another query", has)
		return
	}
	r.say(checks.NoTrace, 0, r.done(), "%s, and batches up to %d are committed: nothing records which files this query wrote, or in which batch", has, r.C)
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
