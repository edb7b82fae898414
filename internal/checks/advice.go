package checks

import (
	"cmp"
	"slices"
	"strings"
)

// Advice is what to do about a verdict: one of five ways, and why.
type Advice struct {
	Way     Way
	What    string   // what the restart does, what stops it, or what it depends on, in a few words
	Reasons []string // the findings, differences and facts behind it, weightiest first; each one sentence
	Steps   []Step   // what to do, in order; no more than five
	Never   string   // what must not be done, behind the word "Never"; no full stop; "" for nothing
}

// Way is a way to go from a verdict.
type Way string

// The ways, by the words that a person reads.
const (
	Resume  Way = "safe to restart"
	Repair  Way = "fix before you restart"
	Decide  Way = "restart only if"                // the files are intact, and something needs a person's answer
	Migrate Way = "start a new checkpoint"         // or go back to the code that wrote this one
	Reread  Way = "check again before you restart" // something that a restart needs could not be read
)

// String is the advice in one line: "fix before you restart: the query will fail at batch 26".
func (a Advice) String() string {
	switch {
	case a.What == "":
		return string(a.Way)
	case a.Way == Decide || a.Way == Migrate:
		return string(a.Way) + " " + a.What
	}
	return string(a.Way) + ": " + a.What
}

// reasonLimit is how many reasons are kept.
const reasonLimit = 8

// advise is the advice of a verdict whose run is over. It follows the decision. It is the zero Advice where there is no
// checkpoint.
func (v *Verdict) advise() Advice {
	if v.NoCheckpoint() || !v.Known {
		return Advice{}
	}
	d := v.Decision()
	a := Advice{Way: v.way(&d), What: d.Does, Reasons: v.reasons(&d)}
	switch cheapest := v.Recover.Cheapest(); {
	case a.Way == Migrate:
		a.What = "from these offsets, or go back to the code that wrote this one"
	case a.Way == Repair && cheapest != nil && !d.twoWriters():
		a.What += "; cheapest: " + cheapest.Short()
	}
	a.Steps, a.Never = steps(v, a.Way, &d), never(v, &d)
	return a
}

// way is the way of a decision.
func (v *Verdict) way(d *Decision) Way {
	switch {
	case d.State == Safe:
		return Resume
	case d.State == OnlyIf:
		return Decide
	case d.State != Stop:
		return Reread
	case v.leaves(d):
		return Migrate
	}
	return Repair
}

// leaves reports whether nothing is wrong with the files, and the code does not fit them in a way that cannot be put back.
func (v *Verdict) leaves(d *Decision) bool {
	leave := false
	for i := range d.causes {
		c := &d.causes[i]
		if c.ofFiles() {
			return false
		}
		leave = leave || c.drift != nil && c.drift.Way == Migrate
	}
	return leave && (!v.Refused() || v.Restart.Sound)
}

// twoWriters reports whether two runs of the query are what stops the restart.
func (d *Decision) twoWriters() bool {
	return len(d.causes) > 0 && d.causes[0].ofFiles() && d.causes[0].finding.Damage == TwoWriters
}

// reasons are the causes of a decision and, of a safe restart, what is not known.
func (v *Verdict) reasons(d *Decision) []string {
	var all []string
	for i := range d.causes {
		c := &d.causes[i]
		switch {
		case c.finding != nil:
			all = append(all, c.finding.Title+": "+c.finding.Evidence)
		case c.drift != nil:
			all = append(all, c.because)
		default:
			all = append(all, c.does+": "+c.because)
		}
	}
	if len(d.causes) == 0 {
		all = append(all, cmp.Or(strings.TrimSuffix(d.Because, "."), d.Does))
	}
	if d.State == Safe {
		for i := range v.Questions {
			if q := &v.Questions[i]; q.Answer == "unknown" {
				all = append(all, "unknown: "+strings.ReplaceAll(q.Name, "_", " ")+": "+q.Because)
			}
		}
		if o := v.Sink; o != nil && o.Unsure != "" {
			all = append(all, "unknown: whether the sink was set back: "+o.Unsure)
		}
	}
	return slices.Clip(all[:min(len(all), reasonLimit)])
}
