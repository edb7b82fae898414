package checks

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
)

// Drift is one thing in which what the query declares and what the checkpoint records differ.
type Drift struct {
	Field    string // as the spec has it: "operators[0].key"
	Declared string
	Recorded string // "" where nothing is recorded
	Effect   Effect
	Error    string       // Spark's condition, or the key phrase of its message; "" unless Refuses
	Where    decode.Where // what records it
	Meaning  string       // what comes of it; full sentences
	NextStep string       // the way on: resume, migrate, or restore the old code
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
	whenOpened          // each source, as it is given its offsets
	whenOperators       // the names of the operators (4.0 on)
	whenSchemas         // the schemas of state
	whenLoaded          // the first row of state that is read
)

// comparison is one part of a spec that is compared.
type comparison struct {
	field   string
	compare func(*Pass) []Drift
}

// comparisons are what is compared, in the order of the spec.
var comparisons = []comparison{
	{"sources", driftSources},
}

// compareSpec is what differs between the spec and the checkpoint; nothing without a spec.
func compareSpec(p *Pass) []Drift {
	if p.Spec == nil {
		return nil
	}
	var all []Drift
	for _, c := range comparisons {
		all = append(all, c.compare(p)...)
	}
	return all
}

// declared is the step of a start at which what the query declares stops it.
func declared(at stage) func(*start) (Restart, bool) {
	return func(s *start) (Restart, bool) {
		for i := range s.Drift {
			if d := &s.Drift[i]; d.stage == at && d.Effect == RefusesDrift {
				out, _ := refuses(s.batch(), d.Error, "%s: the query declares %s, the checkpoint records %s", d.Field, orNothing(d.Declared), orNothing(d.Recorded))
				out.Sound = true
				return out, true
			}
		}
		return goOn()
	}
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

var drift = &Check{
	Code:     "drift",
	Severity: High,
	Title:    "the query and its checkpoint differ",
	Meaning:  "The code declares something else than the checkpoint records.",
	NextStep: "Compare the two, and decide which of them is right before the query is started.",
	Run:      runDrift,
}

// runDrift makes a finding of each difference that is not merely allowed.
func runDrift(_ context.Context, p *Pass) error {
	for i := range p.Drift {
		d := &p.Drift[i]
		if d.Effect == Allowed {
			continue
		}
		p.Report(Finding{
			Batch: -1, Severity: d.Effect.severity(), Where: d.Where, Meaning: d.Meaning, NextStep: d.NextStep, Avoid: d.Avoid,
			Evidence: fmt.Sprintf("%s: declared %s, recorded %s", d.Field, orNothing(d.Declared), orNothing(d.Recorded)),
		})
	}
	return nil
}
