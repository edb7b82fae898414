package checks

import (
	"cmp"
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/internal/spec"
)

// Drift is one thing in which what the query declares and what the checkpoint records differ.
type Drift struct {
	Field    string // as the spec has it: "operators[0].key"
	Declared string
	Recorded string // "" where nothing is recorded
	Effect   Effect
	Error    string       // Spark's condition, or the key phrase of its message; "" unless Refuses
	Where    decode.Where // what records it
	Place    spec.Place   // where it is declared; zero where the spec has no place for it
	Meaning  string       // what comes of it; full sentences
	Way      Way          // on: Resume, Migrate, or Decide where the code or a setting can simply be put back
	NextStep string       // that way, in full sentences
	Avoid    string       // the tempting wrong act; "" for none

	stage stage
}

// Effect is what a difference does at the next start.
type Effect string

// The effects, worst first, by the words of the JSON. What is only allowed is no finding.
const (
	Misreads      Effect = "misreads"       // the query runs, and is wrong
	RefusesDrift  Effect = "refuses"        // the start fails
	KeepsRecorded Effect = "keeps-recorded" // the declared value is ignored
	Allowed       Effect = "allowed"
)

// severity of the finding about a difference.
func (e Effect) severity() Severity {
	return map[Effect]Severity{Misreads: Critical, RefusesDrift: High}[e] // else Info
}

// stage is the step of a start that notices a difference which stops it: see rules.
type stage byte

const (
	_             stage = iota
	whenPlanned         // before the logs are read: the query cannot even be planned
	whenSources         // the number of sources, as the newest plan is read
	whenCommitted       // the version of the newest commit
	whenOpened          // each source, as it is given its offsets
	whenOperators       // the names of the operators (4.0 on)
	whenSchemas         // the schemas of state
	whenLoaded          // the first row of state that is read
)

// Compared is what came of holding a spec against a checkpoint.
type Compared struct {
	Drift  []Drift  // in the order of the spec
	Agrees []string // fields that were compared and say the same: "sources[0].topics"
	// NotCompared are fields that the spec has and that were not compared, and why: "watermark: a
	// checkpoint does not record the delay".
	NotCompared []string
	Replay      string // what a repeated batch does in the output, as the spec says it; "" for nothing

	noState bool // the query keeps state, and the checkpoint has none
	weighty bool // something was compared that tells one query from another: what is read, or what is kept
}

// comparisons are what is compared, in the order of the spec. One that finds nothing to hold a field
// against says so.
var comparisons = []func(*comparer){
	compareSources,
	compareOperators,
	compareConf,
	compareSink,
	compareOutputMode,
	compareWatermark,
	compareAsyncProgress,
	compareTrigger,
	compareRelease,
}

// comparer holds a spec against a checkpoint and keeps what comes of it.
type comparer struct {
	*Start
	found Compared
}

// compareSpec is what came of it; nothing without a spec.
func compareSpec(s *Start) Compared {
	c := &comparer{Start: s}
	c.found.Replay = declaredReplay(s.Pass)
	if s.Spec != nil && s.IsCheckpoint() {
		for _, compare := range comparisons {
			compare(c)
		}
	}
	return c.found
}

// differ notes a difference. Words that it leaves empty are those of its effect.
func (c *comparer) differ(d Drift) {
	words := driftWords[d.Effect]
	d.NextStep = cmp.Or(d.NextStep, words.next)
	d.Avoid = cmp.Or(d.Avoid, words.avoid)
	d.Way = cmp.Or(d.Way, words.way)
	c.found.Drift = append(c.found.Drift, d)
}

// agree notes a field that says the same. weighty: it tells one query from another.
func (c *comparer) agree(field string, weighty bool) {
	c.found.Agrees = append(c.found.Agrees, field)
	c.found.weighty = c.found.weighty || weighty
}

// skip notes a field that could not be compared.
func (c *comparer) skip(field, why string, args ...any) {
	c.found.NotCompared = append(c.found.NotCompared, field+": "+fmt.Sprintf(why, args...))
}

// driftWords are the usual words by effect.
var driftWords = map[Effect]struct {
	next, avoid string
	way         Way
}{
	Misreads: {
		next: `Do not start this code on this checkpoint. Either start the code that wrote it, or give the new code a checkpoint of its own and start
positions from this one ("tidemark offsets LOCATION --as starting-offsets").`,
		avoid: `Do not take a start that goes well for a proof: Spark does not notice this difference.`,
		way:   Migrate,
	},
	RefusesDrift: {
		next: `Either start the code that wrote this checkpoint (the checkpoint itself is not what stops the start), or give the new code a checkpoint of
its own and start positions from this one ("tidemark offsets LOCATION --as starting-offsets").`,
		avoid: `Do not edit or delete files of the checkpoint to make the code start.`,
		way:   Migrate,
	},
	KeepsRecorded: {
		next: `Nothing has to be done for a restart. To have the declared value, the query needs a new checkpoint.`,
		way:  Resume,
	},
	Allowed: {next: `Nothing has to be done for a restart.`, way: Resume},
}

// said is the difference in one sentence.
func (d *Drift) said() string {
	if d.stage == whenPlanned { // the query is at odds with itself
		return fmt.Sprintf("%s: the query declares %s", d.Field, d.Declared)
	}
	return fmt.Sprintf("%s: the query declares %s, the checkpoint records %s", d.Field, orNothing(d.Declared), orNothing(d.Recorded))
}

// declared is the step of a start at which what the query declares stops it.
func declared(at stage) func(*start) (Restart, bool) {
	return func(s *start) (Restart, bool) {
		for i := range s.Compared.Drift {
			if d := &s.Compared.Drift[i]; d.stage == at && d.Effect == RefusesDrift {
				out, _ := refuses(s.batch(), d.Error, "%s", d.said())
				out.Sound = true
				return out, true
			}
		}
		return goOn()
	}
}

func orNothing(text string) string { return cmp.Or(text, "nothing") }

var drift = &Check{
	Code:     "drift",
	Severity: High,
	Question: SameQuery,
	OfDrift:  true,
	Damage:   NoDamage,
	Title:    "the query and its checkpoint differ",
	Meaning:  "The code declares something else than the checkpoint records.",
	NextStep: "Compare the two, and decide which of them is right before the query is started.",
	Run:      runDrift,
}

// runDrift makes a finding of each difference that is not merely allowed.
func runDrift(_ context.Context, p *Pass) error {
	for i := range p.Compared.Drift {
		d := &p.Compared.Drift[i]
		if d.Effect == Allowed {
			continue
		}
		p.Report(Finding{
			Batch: -1, Severity: d.Effect.severity(), Where: d.Where, Meaning: d.Meaning, NextStep: d.NextStep, Avoid: d.Avoid,
			Evidence: d.said(),
		})
	}
	return nil
}
