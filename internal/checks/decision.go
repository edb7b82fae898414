package checks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
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
	Does    string // what follows the state: "the query will fail at batch 26"; of OnlyIf the condition; no capital, no full stop
	Because string // why, in one or two sentences, with capital and full stop
	Aside   string // one more fact: "newest batch: 270 d ago"; "" for none

	short  string
	causes []cause // what stops the restart, or what it depends on, the weightiest first; none of the other states
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

// decide is the decision so far, harmless on a terminal.
func (v *Verdict) decide() Decision {
	d := v.rule()
	d.Does, d.Because, d.short = phrase.Prose(d.Does), phrase.Prose(d.Because), phrase.Prose(d.short)
	return d
}

// rule is the rule of a verdict. What stops a restart counts as soon as it is found. All else counts only when everything was
// read: what the restart depends on, and at last that nothing stops it. The steps follow from the same causes.
func (v *Verdict) rule() Decision {
	if d, ok := v.noCheckpoint(); ok {
		return d
	}
	if stops := v.stops(); len(stops) > 0 {
		first := &stops[0]
		return Decision{Stop, first.does, phrase.Sentence(first.because), v.lastLoadable(), first.short, stops}
	}
	if !v.Done {
		return v.reading()
	}
	if d, ok := v.unread(); ok {
		return d
	}
	if depends := v.dependsOn(); len(depends) > 0 {
		return Decision{OnlyIf, conditions(does(depends)), phrase.Sentence(depends[0].because), v.readsAgain(), v.Restart.Does(), depends}
	}
	return Decision{Safe, "the query " + v.Restart.Does(), v.safeBecause(), v.safeAside(), v.Restart.Does(), nil}
}

// conditions joins what a restart depends on.
func conditions(all []string) string {
	switch len(all) {
	case 1:
		return all[0]
	case 2:
		return all[0] + ", and " + all[1]
	}
	return fmt.Sprintf("%s, and %d more conditions hold", all[0], len(all)-1)
}

// does are the first words of causes.
func does(all []cause) (texts []string) {
	for i := range all {
		texts = append(texts, all[i].does)
	}
	return texts
}

// Does is what Spark does at a start, behind "the query": "starts batch 8", "re-runs batch 3", "will fail at batch 26".
func (r *Restart) Does() string {
	switch {
	case r.Outcome == Fresh:
		return "starts batch 0"
	case r.Outcome == Next:
		return fmt.Sprintf("starts batch %d", r.Batch)
	case r.Outcome == Rerun:
		return fmt.Sprintf("re-runs batch %d", r.Batch)
	case r.Outcome == Refuses && r.Batch >= 0:
		return fmt.Sprintf("will fail at batch %d", r.Batch)
	case r.Outcome == Refuses:
		return "will fail to start"
	}
	return "unknown"
}

// noCheckpoint is the decision on a location without a checkpoint.
func (v *Verdict) noCheckpoint() (Decision, bool) {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.NoCheckpoint {
			return Decision{NoVerdict, "there is no checkpoint here", phrase.Sentence(firstClause(f.Evidence)), "", "no checkpoint", nil}, true
		}
	}
	return Decision{}, false
}

// reading is the decision before everything is read.
func (v *Verdict) reading() Decision {
	d := Decision{State: StillReading, Does: "nothing so far stops a restart", Because: "The logs are being read.", short: "still reading"}
	if p := v.Progress; p.Of > 0 {
		d.Because = fmt.Sprintf("%s of %s batches checked.", phrase.Count(p.Batches), phrase.Count(p.Of))
	}
	if v.Known && v.Restart.Outcome != Unknown {
		d.Because = "So far the query " + v.Restart.Does() + ". " + d.Because
		d.short = v.Restart.Does()
	}
	return d
}

// unread is the decision where something that a restart needs could not be read.
func (v *Verdict) unread() (Decision, bool) {
	switch r := &v.Restart; {
	case !v.Known:
		return Decision{NoVerdict, "the checkpoint could not be read", phrase.Sentence(v.Ended()), "", "could not be read", nil}, true
	case r.Outcome == Unknown:
		return Decision{NoVerdict, "a restart needs a file that could not be read", phrase.Sentence(r.Because), "", "a file could not be read", nil}, true
	case v.Err != nil:
		return Decision{NoVerdict, "the check ended before everything was read", phrase.Sentence(v.Ended()), "", "not read to the end", nil}, true
	case !v.Complete:
		return Decision{NoVerdict, "not everything could be read", phrase.Sentence(v.firstUnread()), "", "not everything was read", nil}, true
	}
	return Decision{}, false
}

// firstUnread is the first thing that could not be read, in a sentence.
func (v *Verdict) firstUnread() string {
	for _, n := range v.NotRun {
		if n.Code == "" {
			return n.Needs
		}
	}
	for _, n := range v.NotRun {
		if !strings.HasPrefix(n.Needs, "--") {
			return "check " + n.Code + " did not run: " + n.Needs
		}
	}
	return "a check did not run"
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

// safeBecause is what makes a restart safe.
func (v *Verdict) safeBecause() string {
	r := &v.Restart
	switch {
	case r.Outcome == Rerun:
		return fmt.Sprintf("Batch %d is uncommitted, and %s.", r.Batch, v.repeats())
	case r.Outcome == Next && r.Batch > 0 && len(v.Operators) > 0 && v.answer(Intact) == "yes":
		return fmt.Sprintf("Batch %d is committed, every state partition loads, and nothing is read again.", r.Batch-1)
	case r.Outcome == Next && r.Batch > 0:
		return fmt.Sprintf("Batch %d is committed, and nothing is read again.", r.Batch-1)
	}
	return phrase.Sentence(r.Because)
}

// answer is the answer to a question; "" before there is one.
func (v *Verdict) answer(question string) string {
	for i := range v.Questions {
		if v.Questions[i].Name == question {
			return v.Questions[i].Answer
		}
	}
	return ""
}

// safeAside is how old the newest batch is, or how much is read again.
func (v *Verdict) safeAside() string {
	if again := v.readsAgain(); again != "" {
		return again
	}
	if v.Standing.Last == nil || v.Checked == 0 {
		return ""
	}
	planned := v.Standing.Last.Timestamp()
	if planned <= 0 || planned > v.Checked {
		return ""
	}
	return "newest batch: " + phrase.Span(v.Checked-planned) + " ago"
}

// readsAgain is how much a batch that is re-run reads again; "" for nothing, or where that cannot be counted.
func (v *Verdict) readsAgain() string {
	if v.Restart.Outcome != Rerun {
		return ""
	}
	if text := v.readsTotal(); text != "" {
		return text + " again"
	}
	return ""
}

// readsTotal is how much the restart reads: "at most 14 records"; "" where some of it cannot be counted, and for nothing.
func (v *Verdict) readsTotal() string {
	var ranges []source.Range
	nothing := true
	for i := range v.Restart.Ranges {
		if !v.Restart.Ranges[i].Counted {
			return ""
		}
		nothing = nothing && v.Restart.Ranges[i].Count == 0
		ranges = append(ranges, v.Restart.Ranges[i].Range)
	}
	if nothing {
		return ""
	}
	return strings.TrimSuffix(phrase.Total(ranges), " in all")
}

// lastLoadable names the newest version of state that every partition can load, where a roll back to it is a way; "" else.
func (v *Verdict) lastLoadable() string {
	for i := range v.Recover.Ways {
		if w := &v.Recover.Ways[i]; w.Way == RollBack && len(v.Operators) > 0 {
			return fmt.Sprintf("last version every partition can load: %d", w.To+1)
		}
	}
	return ""
}
