package checks

import (
	"cmp"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
)

// Outcome is what Spark does at the next start.
type Outcome string

// The outcomes of a start, by the words of the JSON.
const (
	Fresh   Outcome = "fresh"   // nothing planned yet: batch 0
	Next    Outcome = "next"    // all committed: Batch is the one that will be planned
	Rerun   Outcome = "rerun"   // Batch is run again as planned
	Refuses Outcome = "refuses" // the start, or the first batch, fails
	Unknown Outcome = "unknown" // a needed file could not be read
)

// Restart is what Spark of one release does at the next start.
type Restart struct {
	Outcome      Outcome
	Batch        int64  // the batch it is about; -1 for none
	Error        string // Spark's condition, or the key phrase of its message; "" unless Refuses
	Sound        bool   // of Refuses: the files are intact; the release, the query or a source is what stops it
	Despite      string // of Refuses: the step with which Spark starts all the same, once what it costs is accepted; no capital, no full stop; "" for none
	Planned      bool   // of Refuses: Batch was planned before, and would run again as planned if nothing stopped it. It has Ranges then
	Because      string // the files that say so, in one sentence
	Ranges       []Range
	StateVersion int64 // the version that stateful operators load; -1 without state
	Watermark    int64 // ms since the epoch; 0 before there is one
}

// Again reports whether Batch was planned before and runs again as planned, or would if nothing stopped it.
func (r *Restart) Again() bool { return r.Outcome == Rerun || r.Outcome == Refuses && r.Planned }

// Range is what the restart reads of one part of one source.
type Range struct {
	Source int // position in the plan, from 0
	source.Range
}

// The names of the three questions, by the words of the JSON.
const (
	Intact     = "intact"      // is the checkpoint there and whole?
	SameQuery  = "same_query"  // is it the checkpoint of the query as it is declared today?
	ReplaySafe = "replay_safe" // does a batch that runs again leave the output right?
)

// Question is one of the three that stand before a restart.
type Question struct {
	Name    string // Intact, SameQuery or ReplaySafe
	Answer  string // "yes", "no", "unknown"
	Because string
	Brief   string // Because on a line or two; "" where Because is no longer than that

	// Of a "yes" to "intact": which files were compared with which, and what was not compared or was checked by its listing alone.
	// Because has them too, behind its head.
	Lead           string
	Compared, Less []string
}

// Head is Because without what Compared and Less say.
func (q *Question) Head() string { return cmp.Or(q.Lead, q.Because) }

// Short is Because for a place that has little room.
func (q *Question) Short() string { return cmp.Or(q.Brief, q.Because) }

// NotRun is a check that did not run, or something that was not looked at.
type NotRun struct {
	Code     string // of the check; "" for a file or folder
	Question string // the one of the three that the check bears on; "" for a file or folder
	Needs    string // what to give: "--sink"; or what stood in the way
}

// Facts are what the checkpoint says before anything is judged.
type Facts struct {
	Location string
	QueryID  string // "" where the metadata file is missing or does not parse
	Written  spark.Span
	Spark    spark.Version // that will do the restart
	Batches  Batches
	Sources  []Source
	// Operators are the stateful ones, by id.
	Operators []statestore.Operator
	// Loads are the state stores that the next start loads, by operator, partition and store; none where
	// it loads no state, or where the logs do not tell. MoreLoads is how many more there are without a
	// folder than are listed.
	Loads     []Load
	MoreLoads int
	Standing  checkpoint.Standing
	Checked   int64 // when the examination began, ms since the epoch; 0 where that is not known
}

// Batches are the numbers in the two logs; -1 where there is none.
type Batches struct {
	FirstPlanned, LastPlanned, FirstCommitted, LastCommitted int64
	Uncommitted                                              []int64 // planned and not committed, ascending
	MissingOffsets, MissingCommits                           []int64 // holes within each log, ascending
	// More is how many more numbers each list has than are kept (holes of millions are not listed).
	More struct{ Uncommitted, MissingOffsets, MissingCommits int64 }
}

// Source is one source of the newest plan.
type Source struct {
	Index int
	Name  string // of a named source, else ""
	Kinds []string
	Kind  *source.Kind // the one that it is for certain: declared, or the only one that writes such a line; nil where that is not known
	Parts int
}

// Progress is how far the run has come.
type Progress struct {
	Batches, Of int64 // batches walked, and how many there are
}

// Event is one thing that became known; exactly one field is set.
type Event struct {
	Facts    *Facts
	Sink     *Output // where an output was given, before Restart's findings
	Restart  *Restart
	Drift    *Drift
	Compared *Compared // where a spec was given, after its Drift
	Kept     *Kept     // where the sources were asked
	Finding  *Finding
	NotRun   *NotRun
	Progress *Progress
	Done     *Done
}

// Done is the end of a run.
type Done struct {
	Complete  bool // everything was read
	Questions []Question
	// Unverified says which of the state a restart loads was not read completely, or not compared; "" if all of it was, and each
	// problem found is among the findings.
	Unverified string
	Migration  *Migration // to a new checkpoint; nil where no committed batch says where to start
	Recover    Recoveries // the ways from damaged files to a start; none where nothing is wrong with them
	Err        error      // why the run ended early: canceled, out of requests or time; nil otherwise
}

// Verdict is all that became known, put together. Its zero value is a run that has just begun.
type Verdict struct {
	// Advice is what it comes to; zero before the run is over, and where there is no checkpoint.
	Advice    Advice
	Migration *Migration // to a new checkpoint; nil where no committed batch says where to start
	Recover   Recoveries // the ways from damaged files to a start; none where nothing is wrong with them

	Facts
	Sink      *Output // nil where none was given, or where it could not be reached
	Restart   Restart
	Questions []Question
	Drift     []Drift  // in the order of the spec; none without one
	Declared  bool     // a spec was held against the checkpoint
	Agrees    []string // fields of the spec that say what the checkpoint records: see Compared
	// NotCompared are fields of the spec that were not compared, and why.
	NotCompared []string
	Kept        *Kept // nil where the sources were not asked
	// what a repeated batch does in the output, as the spec says it: "ignored", "merged", "duplicated"; "" for nothing
	Replay   string
	Findings []Finding // worst first, then by batch
	NotRun   []NotRun
	Progress Progress
	Known    bool // Facts and Restart are there
	Done     bool
	Complete bool // Done, and everything was looked at
	Err      error

	Unverified string // see Done

	decision Decision // see there; zero before the first event
}

// Add takes in one event.
func (v *Verdict) Add(e Event) {
	v.take(e)
	v.decision = v.decide()
	if e.Done != nil {
		v.Advice = v.advise()
	}
}

func (v *Verdict) take(e Event) {
	switch {
	case e.Facts != nil:
		v.Facts = *e.Facts
	case e.Restart != nil:
		v.Restart, v.Known = *e.Restart, true
	case e.Sink != nil:
		v.Sink = e.Sink
	case e.Drift != nil:
		v.Drift = append(v.Drift, *e.Drift)
	case e.Compared != nil:
		v.Declared = true
		v.Agrees, v.NotCompared, v.Replay = e.Compared.Agrees, e.Compared.NotCompared, e.Compared.Replay
	case e.Kept != nil:
		v.Kept = e.Kept
	case e.Finding != nil:
		at, _ := slices.BinarySearchFunc(v.Findings, *e.Finding, worstFirst)
		for at < len(v.Findings) && worstFirst(v.Findings[at], *e.Finding) == 0 {
			at++
		}
		v.Findings = slices.Insert(v.Findings, at, *e.Finding)
	case e.NotRun != nil:
		v.NotRun = append(v.NotRun, *e.NotRun)
	case e.Progress != nil:
		v.Progress = *e.Progress
	case e.Done != nil:
		v.Done, v.Complete, v.Err, v.Questions, v.Unverified = true, e.Done.Complete, e.Done.Err, e.Done.Questions, e.Done.Unverified
		v.Migration, v.Recover = e.Done.Migration, e.Done.Recover
	}
}

func worstFirst(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Batch, b.Batch))
}

// Tally is how many findings there are of each severity, by Severity.
func (v *Verdict) Tally() (t [Critical + 1]int) {
	for _, f := range v.Findings {
		t[f.Severity]++
	}
	return t
}

// Worst is the severity of the worst finding; ok is false when there is none.
func (v *Verdict) Worst() (s Severity, ok bool) {
	if len(v.Findings) == 0 {
		return 0, false
	}
	return v.Findings[0].Severity, true
}

// NoCheckpoint reports whether the location was found to be none.
func (v *Verdict) NoCheckpoint() bool {
	return slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.NoCheckpoint })
}

// Open reports whether the run is over and something that a restart needs was not looked at, or not
// into: then nothing may be called healthy.
func (v *Verdict) Open() bool {
	if !v.Done {
		return false
	}
	if v.NoCheckpoint() {
		return !v.Complete
	}
	for _, q := range v.Questions {
		if q.Name == Intact && q.Answer == "unknown" {
			return true
		}
	}
	return !v.Complete
}
