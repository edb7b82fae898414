package drift

import (
	"cmp"
	"context"
	"fmt"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// comparisons are what is compared, in the order of the spec. One that finds nothing to hold a field
// against says so.
var comparisons = []func(*comparer){
	compareSources,
	compareOperators,
	compareConf,
	compareSink,
	compareOutputMode,
	compareSupported,
	compareWatermark,
	compareAsyncProgress,
	compareTrigger,
	compareRelease,
}

// comparer holds a spec against a checkpoint and keeps what comes of it.
type comparer struct {
	*basics.Start
	found checks.Compared
}

// Compare is what came of it; nothing without a spec.
func Compare(s *basics.Start) checks.Compared {
	c := &comparer{Start: s}
	c.found.Replay = basics.DeclaredReplay(s.Pass)
	if s.Spec != nil && s.IsCheckpoint() {
		for _, compare := range comparisons {
			compare(c)
		}
	}
	return c.found
}

// differ notes a difference. Words that it leaves empty are those of its effect.
func (c *comparer) differ(d checks.Drift) {
	words := driftWords[d.Effect]
	d.NextStep = cmp.Or(d.NextStep, words.next)
	d.Avoid = cmp.Or(d.Avoid, words.avoid)
	d.Way = cmp.Or(d.Way, words.way)
	c.found.Drift = append(c.found.Drift, d)
}

// agree notes a field that says the same. weighty: it tells one query from another.
func (c *comparer) agree(field string, weighty bool) {
	c.found.Agrees = append(c.found.Agrees, field)
	c.found.Weighty = c.found.Weighty || weighty
}

// skip notes a field that could not be compared.
func (c *comparer) skip(field, why string, args ...any) {
	c.found.NotCompared = append(c.found.NotCompared, field+": "+fmt.Sprintf(why, args...))
}

// driftWords are the usual words by effect.
var driftWords = map[checks.Effect]struct {
	next, avoid string
	way         checks.Way
}{
	checks.Misreads: {
		next: `Do not start this code on this checkpoint. Start the code that wrote it, or give the new code a new checkpoint. Take its
start positions from this one ("tidemark offsets LOCATION --as starting-offsets").`,
		avoid: `Do not take a successful start as proof: Spark does not notice this difference.`,
		way:   checks.Migrate,
	},
	checks.RefusesDrift: {
		next: `Start the code that wrote this checkpoint, or give the new code a new checkpoint. Take its start positions from this one
("tidemark offsets LOCATION --as starting-offsets"). The checkpoint itself does not stop the start.`,
		avoid: `Do not edit or delete files of the checkpoint to make the code start.`,
		way:   checks.Migrate,
	},
	checks.KeepsRecorded: {
		next: `Nothing to do for a restart. To get the declared value, the query needs a new checkpoint.`,
		way:  checks.Resume,
	},
	checks.Allowed: {next: `Nothing to do for a restart.`, way: checks.Resume},
}

var Check = &checks.Check{
	Code:     "drift",
	Severity: checks.High,
	Question: checks.SameQuery,
	OfDrift:  true,
	Damage:   checks.NoDamage,
	Title:    "the query differs from its checkpoint",
	Meaning:  "The code declares a different value from the one the checkpoint records.",
	NextStep: "Compare the two values, and decide which one is right before you start the query.",
	Run:      runDrift,
}

// runDrift makes a finding of each difference that is not merely allowed.
func runDrift(_ context.Context, p *checks.Pass) error {
	for i := range p.Compared.Drift {
		d := &p.Compared.Drift[i]
		if d.Effect == checks.Allowed {
			continue
		}
		p.Report(checks.Finding{
			Batch: -1, Severity: d.Effect.Severity(), Where: d.Where, Meaning: d.Meaning, NextStep: d.NextStep, Avoid: d.Avoid,
			Evidence: d.Text(),
		})
	}
	return nil
}
