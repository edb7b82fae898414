package checks

import (
	"fmt"
	"slices"
	"strings"
)

// Advice is what the verdict comes to: one of four ways on, and why.
type Advice struct {
	Way     Way
	What    string   // what to repair, decide or migrate, in a few words; "" where Way says all
	Reasons []string // the findings, differences and facts behind it, weightiest first; each one sentence
	Steps   []Step   // what to do, in order; no more than five
	Never   string   // what must not be done, behind the word "Never"; no full stop; "" for nothing
}

// Way is a way on.
type Way string

// The ways on, by the words that a person reads.
const (
	Resume  Way = "resume as it is"
	Repair  Way = "repair first" // files of the checkpoint are missing or broken
	Decide  Way = "decide first" // the files are whole, and something needs a person's answer
	Migrate Way = "migrate"      // to a new checkpoint, or back to the code that wrote this one
)

// String is the advice in one line: "repair first: a state version that the restart loads cannot be rebuilt".
func (a Advice) String() string {
	if a.What == "" {
		return string(a.Way)
	}
	return string(a.Way) + ": " + a.What
}

// reasonLimit is how many reasons are kept.
const reasonLimit = 8

// Advise puts findings, differences and the next start together. It is the zero Advice where there is no
// checkpoint.
func Advise(p *Pass, found []Finding, questions []Question, ways *Recoveries, complete bool) Advice {
	if !p.IsCheckpoint() {
		return Advice{}
	}
	found = slices.SortedStableFunc(slices.Values(found), worstFirst)
	for _, way := range []func(*Pass, []Finding, bool) (Advice, bool){adviseRepair, adviseMigrate, adviseDecide} {
		if a, ok := way(p, found, complete); ok {
			a.Reasons = a.Reasons[:min(len(a.Reasons), reasonLimit)]
			if cheapest := ways.Cheapest(); a.Way == Repair && cheapest != nil {
				a.What += "; cheapest: " + cheapest.Short()
			}
			return a
		}
	}
	a := Advice{Way: Resume, What: allows(p), Reasons: []string{p.Restart.Because}}
	for _, q := range questions {
		if q.Answer == "unknown" {
			a.Reasons = append(a.Reasons, "not known is "+strings.ReplaceAll(q.Name, "_", " ")+": "+q.Because)
		}
	}
	return a
}

// allows says how far the advice to resume goes where the output was not looked at, or does not tell.
func allows(p *Pass) string {
	switch {
	case p.Sink != nil && p.Sink.Unsure != "":
		return "the checkpoint allows it; whether the output was set back is not known"
	case p.Sink != nil && p.Sink.Situation != NotTold && p.Sink.Situation != NoTrace || p.Restart.Outcome == Fresh:
		return ""
	case p.Restart.Outcome == Rerun && p.Sink == nil:
		return fmt.Sprintf("the checkpoint allows it; whether the output has batch %d already was not looked at", p.Restart.Batch)
	case p.Restart.Outcome == Rerun:
		return fmt.Sprintf("the checkpoint allows it; whether the output has batch %d already is not known", p.Restart.Batch)
	case p.Sink == nil:
		return "the checkpoint allows it; the output was not looked at"
	}
	return "the checkpoint allows it; what the output holds is not known"
}

// adviseRepair is a start that fails over the files, or results that are silently wrong because of them.
func adviseRepair(p *Pass, found []Finding, _ bool) (a Advice, ok bool) {
	broken := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return !f.Damage.Files() || f.Severity < Critical })
	refuses := p.Restart.Outcome == Refuses && !p.Restart.Sound
	if len(broken) == 0 && !refuses {
		return a, false
	}
	a.Way = Repair
	if refuses {
		a.What = p.Restart.Because
		a.Reasons = append(a.Reasons, "the next start refuses: "+p.Restart.Because)
	}
	for _, f := range broken {
		a.Reasons = append(a.Reasons, f.Title+": "+f.Evidence)
	}
	if len(broken) > 0 {
		a.What = broken[0].Title
	}
	return a, true
}

// adviseMigrate is code that does not fit the checkpoint.
func adviseMigrate(p *Pass, _ []Finding, _ bool) (a Advice, ok bool) {
	leave := false
	for i := range p.Compared.Drift {
		d := &p.Compared.Drift[i]
		if d.Effect != Misreads && d.Effect != RefusesDrift {
			continue
		}
		a.Reasons = append(a.Reasons, d.Text())
		leave = leave || d.Way == Migrate
	}
	switch {
	case len(a.Reasons) == 0:
		return a, false
	case !leave:
		a.Way, a.What = Decide, "put back in the code what differs, or leave this checkpoint"
	default:
		a.Way, a.What = Migrate, "to a new checkpoint with start positions from this one, or back to the code that wrote it"
	}
	return a, true
}

// adviseDecide is all else that a person must look at before a restart.
func adviseDecide(p *Pass, found []Finding, complete bool) (a Advice, ok bool) {
	a.Way = Decide
	switch r := p.Restart; {
	case r.Outcome == Refuses:
		a.What = "the next start refuses: " + r.Because
	case r.Outcome == Unknown:
		a.What = "what the next start does is not known: " + r.Because
	case !complete:
		a.What = "not everything could be looked at"
	}
	if a.What != "" {
		a.Reasons = append(a.Reasons, a.What)
	}
	for _, f := range found {
		if f.Severity >= High && !f.Later {
			a.Reasons = append(a.Reasons, f.Title+": "+f.Evidence)
			if a.What == "" {
				a.What = f.Title
			}
		}
	}
	return a, a.What != ""
}
