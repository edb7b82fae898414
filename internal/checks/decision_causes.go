package checks

import (
	"cmp"
	"fmt"
	"strings"
)

// cause is one thing that stops a restart, or that one depends on.
type cause struct {
	does    string // of one that stops it: what goes wrong; else the condition, behind "only if"
	because string // in one sentence
	short   string // in a row of a list
	when    string // the condition, as a step says it; "" for does
	ask     string // the step that finds out about the condition; "" where the first step or that of the finding does
	finding *Finding
	drift   *Drift
}

// stops are what stops a restart, the weightiest first: a start that fails, files that are wrong, code that does not fit, and findings that
// say to fix something first.
func (v *Verdict) stops() (all []cause) {
	if v.Refused() {
		all = append(all, v.refusal())
	}
	var others []cause
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Severity < High {
			break
		}
		if f.weighs() && !f.OfDrift && f.condition() == "" {
			if c := v.stop(f); f.Damage.Files() && f.Severity == Critical {
				all = append(all, c)
			} else {
				others = append(others, c)
			}
		}
	}
	for i := range v.Drift {
		if d := &v.Drift[i]; d.Stops() {
			all = append(all, v.misfit(d))
		}
	}
	return append(all, others...)
}

// weighs reports whether a finding has to do with the next start: it is about that, it was found and not only left unread, and
// something has to be done about it.
func (f *Finding) weighs() bool {
	return f.Severity >= High && !f.Later && !f.Harmless && !f.unreadable()
}

// Outweighs reports whether a finding has more to do with the next start than another.
func (f *Finding) Outweighs(g *Finding) bool {
	switch {
	case f.Severity != g.Severity:
		return f.Severity > g.Severity
	case f.weighs() != g.weighs():
		return f.weighs()
	}
	return f.condition() == "" && g.condition() != ""
}

// unreadable reports whether a finding says that something could not be read: what is in it is not known.
func (f *Finding) unreadable() bool { return f.Check.Unread != nil }

// Stops reports whether the query fails over the difference, or is wrong with it.
func (d *Drift) Stops() bool { return d.Effect == Misreads || d.Effect == RefusesDrift }

// refusal is a start that fails.
func (v *Verdict) refusal() cause {
	r := &v.Restart
	short := "fails to start"
	if r.Batch >= 0 {
		short = fmt.Sprintf("fails at batch %d", r.Batch)
	}
	return cause{does: "the query " + r.Does(), because: cmp.Or(r.Because, r.Error), short: short}
}

// misfit is a difference between the query and its checkpoint.
func (v *Verdict) misfit(d *Drift) cause {
	if d.Effect == Misreads {
		return cause{does: "the query will run with wrong results", because: d.Text(), short: "runs with wrong results", drift: d}
	}
	if r := &v.Restart; d.Stage == WhenNext && r.Outcome == Rerun {
		return cause{does: fmt.Sprintf("the query will fail after batch %d", r.Batch), because: d.Text(), short: fmt.Sprintf("fails after batch %d", r.Batch), drift: d}
	}
	return cause{does: "the query will fail to start", because: d.Text(), short: "fails to start", drift: d}
}

// stop is a finding that says to fix something first. Most say what is wrong in their titles.
func (v *Verdict) stop(f *Finding) cause {
	c := cause{does: cmp.Or(f.Banner, f.Title), because: firstClause(f.Evidence), finding: f}
	c.short = cmp.Or(f.Short, strings.ReplaceAll(f.Code, "-", " "))
	if f.Damage == TwoWriters {
		c.because = "stop all runs but one first. Then Spark " + v.Restart.will()
		if total := v.readsTotal(); total != "" && v.Restart.Outcome == Rerun {
			c.because += ", " + total
		}
	}
	return c
}

// will is what Spark will do at a start: "start batch 8".
func (r *Restart) will() string {
	switch {
	case r.Outcome == Rerun:
		return fmt.Sprintf("will re-run batch %d", r.Batch)
	case r.Outcome == Refuses || r.Outcome == Unknown:
		return r.Does()
	}
	return fmt.Sprintf("will start batch %d", max(r.Batch, 0))
}

// dependsOn are the conditions of a restart, the weightiest first.
func (v *Verdict) dependsOn() (all []cause) {
	asked := false // the sink is in a condition already
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Severity < High {
			break
		}
		if !f.weighs() || f.condition() == "" || hasCause(all, f.condition()) {
			continue
		}
		asked = asked || f.Question == ReplaySafe
		all = append(all, cause{does: f.condition(), because: firstClause(f.Evidence), finding: f})
	}
	r := &v.Restart
	switch {
	case v.situation() == Running:
		all = append(all, cause{does: "the run that is active has stopped", because: v.Sink.Says})
	case r.Outcome == Rerun && v.repeats() == "" && !asked:
		all = append(all, v.twice())
	}
	if why := v.halfRead(); why != "" {
		all = append(all, cause{does: "the state files that were not read whole are intact", because: why, ask: "check again with --deep, which reads them"})
	}
	return all
}

// twice is a batch that is re-run into a sink of which it is not known what it does with that. Under a new query ID no sink
// deduplicates it.
func (v *Verdict) twice() cause {
	r := &v.Restart
	c := cause{does: fmt.Sprintf("the sink can take batch %d twice", r.Batch), because: fmt.Sprintf("Spark will re-run batch %d: %s", r.Batch, r.Because),
		when: sinkTakes(r.Batch), ask: fmt.Sprintf("check the sink for rows of batch %d", r.Batch)}
	if v.QueryID == "" {
		c.does = fmt.Sprintf("the sink has no rows of batch %d", r.Batch)
		c.when = c.does
	}
	if v.Sink == nil {
		c.ask += " (--sink)"
	}
	return c
}

// ofFiles reports whether files of the checkpoint are missing or wrong, so that the restart fails or its results are wrong.
func (c *cause) ofFiles() bool {
	return c.finding != nil && c.finding.Damage.Files() && c.finding.Severity == Critical
}

func hasCause(all []cause, does string) bool {
	for i := range all {
		if all[i].does == does {
			return true
		}
	}
	return false
}

// condition is what a restart depends on by a finding; "" where the finding says to fix something first.
func (f *Finding) condition() string {
	if f.Severity != High {
		return ""
	}
	return f.OnlyIf
}

// halfRead says which state files that the restart loads were not read to their end; "" for none.
func (v *Verdict) halfRead() string {
	for i := range v.Questions {
		if q := &v.Questions[i]; q.Name == Intact && q.Answer == "unknown" && len(v.Operators) > 0 {
			return q.Because
		}
	}
	return ""
}

// situation is how the sink stands to the checkpoint; NotTold where none was read.
func (v *Verdict) situation() Situation {
	if v.Sink == nil {
		return NotTold
	}
	return v.Sink.Situation
}

// repeats says what the sink does with the batch that is re-run; "" where that is not known.
func (v *Verdict) repeats() string {
	switch v.situation() {
	case Unacknowledged:
		return "the sink already has it and skips it"
	case NotInSink:
		return "the sink does not have it yet and gets it once"
	}
	if v.harmless() {
		return "the spec says that a repeated batch is " + v.Replay
	}
	return ""
}

// harmless reports whether the spec says that a repeated batch leaves the sink right.
func (v *Verdict) harmless() bool { return v.Replay == "ignored" || v.Replay == "merged" }

// firstClause is a text up to its first semicolon: what comes after it are details.
func firstClause(text string) string {
	text, _, _ = strings.Cut(oneLine(text), "; ")
	return text
}
