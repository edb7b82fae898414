package checks

import (
	"cmp"
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
	Place    spec.Pos     // where it is declared; zero where the spec has no place for it
	Meaning  string       // what comes of it; full sentences
	Way      Way          // on: Resume, Migrate, or Decide where the code or a setting can simply be put back
	NextStep string       // that way, in full sentences
	Avoid    string       // the tempting wrong act; "" for none

	Stage Stage
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

// Severity of the finding about a difference.
func (e Effect) Severity() Severity {
	return map[Effect]Severity{Misreads: Critical, RefusesDrift: High}[e] // else Info
}

// Stage is the step of a start that notices a difference which stops it: see rules.
type Stage byte

const (
	_             Stage = iota
	WhenPlanned         // before the logs are read: the query cannot even be planned
	WhenSources         // the number of sources, as the newest plan is read
	WhenCommitted       // the version of the newest commit
	WhenOpened          // each source, as it is given its offsets
	WhenOperators       // the names of the operators (4.0 on)
	WhenSchemas         // the schemas of state
	WhenLoaded          // the first row of state that is read
	WhenNext            // the first batch that is planned anew, after one that runs again
)

// Compared is what came of holding a spec against a checkpoint.
type Compared struct {
	Drift  []Drift  // in the order of the spec
	Agrees []string // fields that were compared and say the same: "sources[0].topics"
	// NotCompared are fields that the spec has and that were not compared, and why: "watermark: a
	// checkpoint does not record the delay".
	NotCompared []string
	Replay      string // what a repeated batch does in the output, as the spec says it; "" for nothing

	NoState bool // the query keeps state, and the checkpoint has none
	Weighty bool // something was compared that tells one query from another: what is read, or what is kept
}

// Text is the difference in one sentence.
func (d *Drift) Text() string {
	if d.Stage == WhenPlanned { // the query is at odds with itself
		return fmt.Sprintf("%s: the query declares %s", d.Field, d.Declared)
	}
	return fmt.Sprintf("%s: the query declares %s, the checkpoint records %s", d.Field, OrNothing(d.Declared), OrNothing(d.Recorded))
}

func OrNothing(text string) string { return cmp.Or(text, "nothing") }
