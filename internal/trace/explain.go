package trace

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
)

// Agreement is whether the checkpoint shows what the trace says.
type Agreement string

// The agreements, by the words of the JSON.
const (
	Agrees     Agreement = "agrees"      // what the error is about is so in the files now
	Disagrees  Agreement = "disagrees"   // it is not so now
	CannotTell Agreement = "cannot tell" // the files do not show it, or were not all looked at
)

// Explanation is a trace beside a checkpoint.
type Explanation struct {
	*Trace
	Foreign   bool   // the trace names another query than this checkpoint
	Ours      string // the query id of the checkpoint; "" where it has none
	Location  string
	Elsewhere []string   // folders under which the trace knows the checkpoint, where they are not Location
	Places    []TraceRef // what the checkpoint shows at the places that the trace names, in its order
	Findings  []checks.Finding
	Agreement Agreement
	Because   string // why; full sentences
	Next      string // the safest useful act; full sentences
	Avoid     string // the tempting wrong act; "" where there is none
	Unread    bool   // something that the trace is about could not be read
	SoFar     bool   // the examination was not over
}

// findingLimit is how many findings are told beside a trace.
const findingLimit = 5

// Explain holds a trace beside a checkpoint and the verdict on it. It reads the few files and folders that the
// trace names; what cannot be read is said in its place.
func Explain(ctx context.Context, t *Trace, v *checks.Verdict, cp *checkpoint.Checkpoint) *Explanation {
	e := &Explanation{Trace: t, Ours: v.QueryID, Location: cp.Location, SoFar: !v.Done}
	e.Foreign = t.Query != "" && e.Ours != "" && !strings.EqualFold(t.Query, e.Ours)
	e.Elsewhere = elsewhere(t.Files, cp.Location, cp.Place)
	l := &look{ctx: ctx, cp: cp, v: v, Explanation: e, listed: map[string]checkpoint.Listing{}, recognize: recognize}
	l.places()
	e.Findings = l.findings()
	e.Agreement, e.Because = l.judge()
	l.advise()
	return e
}

// judge is whether the checkpoint agrees with the trace, and why.
func (l *look) judge() (Agreement, string) {
	if l.Foreign {
		return CannotTell, "The trace is from query " + l.Query + ", but this is the checkpoint of query " + l.Ours + ". It says nothing about that error."
	}
	if l.Condition == nil {
		return l.judgeUnknown()
	}
	if a, why := l.asked(); a != "" {
		return a, why
	}
	r := &l.v.Restart
	if l.v.Known && r.Outcome == checks.Refuses && l.sameAs(r.Error, r.Because) {
		return Agrees, "With these files, the next start fails with the same error: " + sentence(r.Because)
	}
	for i := range l.v.Drift {
		if d := &l.v.Drift[i]; d.Effect == checks.RefusesDrift && l.sameAs(d.Error, d.Field+" "+d.Where.File) {
			return Agrees, "The declared code fails with the same error: " + d.Field + ". " + d.Meaning
		}
	}
	if f := l.telling(); f != nil {
		return Agrees, "A check confirms it: " + f.Code + ": " + sentence(f.Evidence)
	}
	if l.Condition.Decides != "" {
		return CannotTell, "A checkpoint cannot confirm this. " + l.Condition.Decides
	}
	if l.Topic().home == outside {
		return CannotTell, "A checkpoint does not record what this error is about, so it can neither confirm nor contradict it."
	}
	return l.judgeNothing()
}

// judgeNothing is a trace that nothing in the checkpoint fits.
func (l *look) judgeNothing() (Agreement, string) {
	r := &l.v.Restart
	switch {
	case l.v.Known && r.Outcome == checks.Refuses:
		return CannotTell, "The next start fails earlier: " + sentence(r.Because)
	case l.Unread || l.SoFar || !l.v.Known || l.v.Open():
		return CannotTell, "Not everything was checked, and nothing so far confirms the error."
	case l.Topic().home == inQuery && l.v.Declared:
		return CannotTell, "These files do not stop a start. " + l.specSays()
	case l.Topic().home == inQuery:
		return CannotTell, "These files do not stop a start. It is unknown whether the query's code matches them: give a spec (--spec FILE)."
	}
	return Disagrees, "Nothing that was checked confirms it: with these files, the next start does not fail there. Someone may have put files back. Or Spark used another identity or location."
}

// judgeUnknown is a trace whose error is not known here.
func (l *look) judgeUnknown() (Agreement, string) {
	for _, p := range l.Places {
		if p.State == Missing || p.Flawed {
			return CannotTell, "tidemark does not know this error. " + p.Name + " of the trace " + p.short() + "."
		}
	}
	return CannotTell, "tidemark does not know this error, so nothing can confirm it."
}

// sameAs reports whether words of a prediction are those of the trace, or are about the same thing. Releases
// word the same stop differently. Words that many things print count only where both are about state, or neither.
func (l *look) sameAs(words, because string) bool {
	if words == "" {
		return false
	}
	c, _ := l.recognize([]Cause{{Message: words}})
	if general := c == nil || c.general; general && l.ofState() != strings.Contains(because, "state") {
		return false
	}
	if strings.Contains(chainText(l.Chain), words) {
		return true
	}
	if c == nil || c.kind() != l.Condition.kind() {
		return false
	}
	n := batchIn(words)
	return n < 0 || l.Batch < 0 || n == l.Batch
}

// ofState reports whether the trace is about state.
func (l *look) ofState() bool {
	text := chainText(l.Chain)
	return len(l.Stores) > 0 || strings.Contains(text, "STATE_STORE") || strings.Contains(text, "StateStore") || slices.ContainsFunc(l.Files, func(f File) bool { return strings.HasPrefix(f.Name, "state") })
}

// Topic is what the error is about; nil where it is not known.
func (e *Explanation) Topic() *Topic {
	if e.Condition == nil {
		return nil
	}
	return e.Condition.Topic
}

// telling is the worst finding that says what the trace says; nil where there is none.
func (l *look) telling() *checks.Finding {
	if l.Condition == nil {
		return nil
	}
	for i := range l.Findings {
		if f := &l.Findings[i]; f.Severity >= checks.High && slices.Contains(l.Topic().Codes, f.Code) {
			return f
		}
	}
	return nil
}

// findings are those at the places of the trace, and those that say the same as it; worst first.
func (l *look) findings() []checks.Finding {
	if l.Foreign {
		return nil
	}
	var here, same []checks.Finding
	for _, f := range l.v.Findings {
		switch fits := l.Condition != nil && slices.Contains(l.Condition.Codes, f.Code); {
		case l.at(&f):
			here = append(here, f)
		case fits && f.Severity >= checks.High && !l.elsewhere(&f):
			same = append(same, f)
		}
	}
	all := append(here, same...)
	slices.SortStableFunc(all, func(a, b checks.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return all[:min(len(all), findingLimit)]
}

// at reports whether a finding is about a place that the trace names.
func (l *look) at(f *checks.Finding) bool {
	for _, x := range l.Files {
		if f.Where.File == x.Name || strings.HasPrefix(f.Where.File, x.Name+"!") {
			return true
		}
	}
	for _, s := range l.Stores {
		if dir := s.Dir(); f.Where.File == dir || strings.HasPrefix(f.Where.File, dir+"/") {
			return true
		}
	}
	return l.Batch >= 0 && f.Batch == l.Batch && l.Condition != nil && slices.Contains(l.Condition.Codes, f.Code)
}

// elsewhere reports whether a finding is about another file or store than those that the trace names.
func (l *look) elsewhere(f *checks.Finding) bool {
	state := strings.HasPrefix(f.Where.File, "state/")
	if state {
		return len(l.Stores) > 0
	}
	return slices.ContainsFunc(l.Files, func(x File) bool {
		return strings.HasPrefix(x.Name, "offsets/") || strings.HasPrefix(x.Name, "commits/")
	})
}

// flat is text on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// advise takes the next step from the finding that fits, else from what the error is about.
func (l *look) advise() {
	switch f := l.telling(); {
	case l.Foreign:
		l.Next = "Find the checkpoint of query " + l.Query + ": tidemark find ROOT lists checkpoints with their query IDs. Or paste the trace of the run that uses this one."
		l.Avoid = "Do not change this checkpoint because of another query's error."
	case l.next != "":
		l.Next, l.Avoid = l.next, l.Topic().Avoid
	case f != nil && l.Agreement == Agrees:
		l.Next, l.Avoid = flat(f.NextStep), flat(f.Avoid)
	case l.Condition == nil:
		l.Next = "Check the files the trace names. Look up the error's name in the documentation of Spark or of the source."
		l.Avoid = "Do not delete the checkpoint, and do not edit its files, before you understand the error."
	case l.Agreement == Disagrees:
		l.Next = "Make sure the query uses this folder and the trace is from its last run. Ask whether someone put files back. Then " + cmp.Or(l.Topic().again, "start the query") + " again, and explain its next error."
		l.Avoid = l.Topic().Avoid
	default:
		l.Next, l.Avoid = l.nextTold(l.Topic().Next), l.Topic().Avoid
	}
}

func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
