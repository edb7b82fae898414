package checks

import (
	"cmp"
	"fmt"
	"strings"

	"tidemark/internal/phrase"
)

// cause is one thing that stops a restart, or that one depends on.
type cause struct {
	does    string // of one that stops it: what goes wrong; else the condition, behind "only if"
	because string // in one sentence
	short   string // in a row of a list
	when    string // the condition, as a step says it; "" for does
	ask     string // the step that finds out about the condition; "" where that of the finding does
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
		if f.weighs() && !f.OfDrift && v.condition(f) == "" {
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
	return f.Severity >= High && !f.Later && !f.unreadable() && !strings.HasPrefix(f.NextStep, "Nothing ")
}

// unreadable reports whether a finding says that something could not be read: what is in it is not known.
func (f *Finding) unreadable() bool { return f.Unseen || f.Code == "archived-object" }

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
	return cause{does: "the query will fail to start", because: d.Text(), short: "fails to start", drift: d}
}

// stop is a finding that says to fix something first. Most say what is wrong in their titles.
func (v *Verdict) stop(f *Finding) cause {
	c := cause{does: f.Title, because: firstClause(f.Evidence), short: strings.ReplaceAll(f.Code, "-", " "), finding: f}
	switch f.Code {
	case "second-writer":
		c.does, c.short = "two runs of this query write here", "two runs write here"
		c.because = "stop all runs but one first. Then Spark " + v.Restart.will()
		if total := v.readsTotal(); total != "" && v.Restart.Outcome == Rerun {
			c.because += ", " + total
		}
	case "source-data-gone":
		if gone := v.gone(); gone != "" {
			c.does, c.short = gone, "source data is gone"
		}
	case "sink-behind":
		c.short = "batches missing in the sink"
		if o := v.Sink; o != nil && o.First >= 0 {
			c.does = missingFrom(o.First, o.Last)
		}
	case "watermark-future":
		if at := v.Restart.Watermark; at != 0 {
			c.does = fmt.Sprintf("rows before %s will be dropped as late", phrase.Time(at))
		}
	}
	return c
}

func missingFrom(first, last int64) string {
	if first == last {
		return fmt.Sprintf("batch %d is missing from the sink", first)
	}
	return phrase.Batches(first, last) + " are missing from the sink"
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

// gone says how much a source does not have any more of what the restart reads: "400 records of batch 4 are gone from the source"; ""
// where that is not known.
func (v *Verdict) gone() string {
	if v.Kept == nil {
		return ""
	}
	var n int64
	unit := ""
	for i := range v.Kept.Sources {
		for j := range v.Kept.Sources[i].Reads {
			p := &v.Kept.Sources[i].Reads[j]
			if !p.State.Lost() {
				continue
			}
			if !p.GoneKnown || p.Gone <= 0 || unit != "" && p.Unit != unit {
				return ""
			}
			n, unit = n+p.Gone, p.Unit
		}
	}
	if n == 0 {
		return ""
	}
	of := ""
	if v.Restart.Outcome == Rerun {
		of = fmt.Sprintf(" of batch %d", v.Restart.Batch)
	}
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s%s %s gone from the source", phrase.Units(n, unit), of, verb)
}

// dependsOn are the conditions of a restart, the weightiest first.
func (v *Verdict) dependsOn() (all []cause) {
	asked := false // the sink is in a condition already
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Severity < High {
			break
		}
		text := v.condition(f)
		if !f.weighs() || text == "" || v.settled(f) || hasCause(all, text) {
			continue
		}
		asked = asked || f.Question == ReplaySafe
		all = append(all, cause{does: text, because: firstClause(f.Evidence), finding: f})
	}
	r := &v.Restart
	switch {
	case v.situation() == Running:
		all = append(all, cause{does: "the run that is active has stopped", because: v.Sink.Says, ask: "stop the run that is active"})
	case r.Outcome == Rerun && v.repeats() == "" && !asked:
		all = append(all, v.twice(all))
	}
	if why := v.halfRead(); why != "" {
		all = append(all, cause{does: "the state files that were not read whole are intact", because: why, ask: "check again with --deep, which reads them"})
	}
	return all
}

// twice is a batch that is re-run into a sink of which it is not known what it does with that. Under a new query ID no sink
// deduplicates it.
func (v *Verdict) twice(others []cause) cause {
	r := &v.Restart
	c := cause{does: fmt.Sprintf("the sink can take batch %d twice", r.Batch), because: fmt.Sprintf("Spark will re-run batch %d: %s", r.Batch, r.Because),
		when: sinkTakes(r.Batch), ask: fmt.Sprintf("check the sink for rows of batch %d", r.Batch)}
	if v.QueryID == "" && hasCause(others, conditional["metadata-missing"]) {
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

// conditional are the findings that stop no restart if something is as it should be, which no file of the checkpoint shows: what that
// is, behind "only if". All others of their severities say to fix something.
var conditional = map[string]string{
	"commit-gap":              "the sink has the rows of {batch}",
	"conf-changed":            "the setting was changed on purpose",
	"metadata-missing":        "the query may get a new query ID",
	"offset-gap":              "no other run uses this checkpoint",
	"offset-regression":       "the source was reset on purpose",
	"partition-added":         "the sink may have duplicates since {batch}", // of a batch that is committed
	"partition-vanished":      "the vanished partitions were read to their end",
	"query-id-conflict":       "the query ID in the checkpoint is the right one",
	"sink-ahead":              "the sink has no rows of {batch}",
	"source-count-changed":    "the code lists the sources as the newest offset file does",
	"source-identity-changed": "the newest offset file names the right source",
	"source-kind-changed":     "the code lists the sources as the newest offset file does",
	"state-empty":             "the query keeps no state",
	"state-format-old":        "the join is an inner join",
}

// condition is what a restart depends on by a finding, behind "only if"; "" where the finding says to fix something first.
func (v *Verdict) condition(f *Finding) string {
	if f.Severity != High {
		return ""
	}
	switch {
	case f.Code == "source-data-gone" && v.mayBeGone():
		return "the query has read all that the source no longer has"
	case f.Code == "partition-added" && f.Batch == v.Restart.Batch:
		return ""
	}
	return strings.ReplaceAll(conditional[f.Code], "{batch}", phrase.Batch(f.Batch))
}

// mayBeGone reports whether nothing is known to be gone from the sources, only that it may be.
func (v *Verdict) mayBeGone() bool {
	maybe := false
	if v.Kept == nil {
		return false
	}
	for i := range v.Kept.Sources {
		for j := range v.Kept.Sources[i].Reads {
			switch s := v.Kept.Sources[i].Reads[j].State; {
			case s == MaybeGone:
				maybe = true
			case s.Lost():
				return false
			}
		}
	}
	return maybe
}

// settled reports whether the sink answers the condition of a finding: it has the batch without a commit.
func (v *Verdict) settled(f *Finding) bool {
	if f.Code != "commit-gap" {
		return false
	}
	switch v.situation() {
	case InStep, NotInSink, Unacknowledged:
		return v.Sink.Highest >= v.Batches.LastPlanned-1
	}
	return false
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
