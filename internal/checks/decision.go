package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/internal/phrase"
)

// State is what a verdict says to do about a restart.
type State string

// The states, the worst first, by the words of the JSON.
const (
	Stop         State = "stop"    // Spark will fail, or data will be lost or wrong
	OnlyIf       State = "only-if" // it depends on something that tidemark was not told
	Safe         State = "safe"    // all that the restart needs was read and is intact
	StillReading State = "reading" // not everything is read yet; nothing so far stops a restart
	NoVerdict    State = "unknown" // the checkpoint, or a file that the restart needs, could not be read
)

// Decision is a verdict in two lines.
type Decision struct {
	State   State
	Does    string // what follows the state: "the query will fail at batch 26"; no capital, no full stop
	Because string // why, in one or two sentences, with capital and full stop
	Aside   string // one more fact: "newest batch: 270 d ago"; "" for none

	short string
}

// Decision is what to do about a restart. It is cheap: Add works it out.
func (v *Verdict) Decision() Decision {
	if v.decision.State == "" {
		return v.decide()
	}
	return v.decision
}

// Short is the decision in a row of a list: "fails at batch 26", "two runs write here", "starts batch 9".
func (d Decision) Short() string { return d.short }

// decide holds the rule of a verdict: the first that applies counts. What stops a restart counts as soon as it is found, and what
// allows one only when everything was read.
func (v *Verdict) decide() Decision {
	for _, rule := range []func(*Verdict) (Decision, bool){notHere, refused, driftStops, findingStops, unread, reading, depends} {
		if d, ok := rule(v); ok {
			return d
		}
	}
	r := &v.Restart
	return Decision{Safe, "the query " + r.will(), phrase.Sentence(r.Because), "", r.will()}
}

// will is what Spark does at a start, behind "the query": "starts batch 8", "re-runs batch 3", "will fail at batch 26".
func (r *Restart) will() string {
	switch {
	case r.Outcome == Fresh:
		return "starts batch 0"
	case r.Outcome == Next:
		return fmt.Sprintf("starts batch %d", r.Batch)
	case r.Outcome == Rerun:
		return fmt.Sprintf("re-runs batch %d", r.Batch)
	case r.Outcome == Refuses && r.Batch >= 0:
		return fmt.Sprintf("will fail at batch %d", r.Batch)
	}
	return "will fail to start"
}

func notHere(v *Verdict) (Decision, bool) {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.NoCheckpoint {
			return Decision{NoVerdict, "there is no checkpoint here", phrase.Sentence(f.Evidence), "", "no checkpoint"}, true
		}
	}
	return Decision{}, false
}

func refused(v *Verdict) (Decision, bool) {
	r := &v.Restart
	if !v.Refused() {
		return Decision{}, false
	}
	short := "fails to start"
	if r.Batch >= 0 {
		short = fmt.Sprintf("fails at batch %d", r.Batch)
	}
	return Decision{Stop, "the query " + r.will(), phrase.Sentence(cmp.Or(r.Because, r.Error)), "", short}, true
}

func driftStops(v *Verdict) (Decision, bool) {
	for i := range v.Drift {
		switch d := &v.Drift[i]; d.Effect {
		case Misreads:
			return Decision{Stop, "the query will run with wrong results", phrase.Sentence(d.Text()), "", "runs with wrong results"}, true
		case RefusesDrift:
			return Decision{Stop, "the query will fail to start", phrase.Sentence(d.Text()), "", "fails to start"}, true
		}
	}
	return Decision{}, false
}

func findingStops(v *Verdict) (Decision, bool) {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Severity == Critical && !f.Later {
			return Decision{Stop, f.Title, phrase.Sentence(f.Evidence), "", f.Title}, true
		}
	}
	return Decision{}, false
}

func unread(v *Verdict) (Decision, bool) {
	switch {
	case !v.Done:
		return Decision{}, false
	case !v.Known:
		return Decision{NoVerdict, "the checkpoint could not be read", phrase.Sentence(v.Ended()), "", "could not be read"}, true
	case v.Restart.Outcome == Unknown:
		return Decision{NoVerdict, "a restart needs a file that could not be read", phrase.Sentence(v.Restart.Because), "", "a file could not be read"}, true
	case !v.Complete:
		return Decision{NoVerdict, "not everything could be read", phrase.Sentence(v.Ended()), "", "not everything was read"}, true
	}
	return Decision{}, false
}

func reading(v *Verdict) (Decision, bool) {
	if v.Done {
		return Decision{}, false
	}
	return Decision{StillReading, "nothing so far stops a restart", "The checkpoint is being read.", "", "still reading"}, true
}

func depends(v *Verdict) (Decision, bool) {
	r := &v.Restart
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Severity == High && !f.Later {
			return Decision{OnlyIf, "you have checked this: " + f.Title, phrase.Sentence(f.Evidence), "", r.will()}, true
		}
	}
	if r.Outcome == Rerun && (&stepper{v: v}).repeats() == "" {
		return Decision{OnlyIf, fmt.Sprintf("the sink can take batch %d twice", r.Batch), phrase.Sentence(r.Because), "", r.will()}, true
	}
	return Decision{}, false
}

// Ended is why a run ended early, in words; "" where it did not.
func (v *Verdict) Ended() string {
	switch err := v.Err; {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, context.DeadlineExceeded):
		return "the time is up (--timeout)"
	case checkpoint.Stopped(err):
		return "the allowed number of requests is used up (--max-requests)"
	default:
		return err.Error()
	}
}
