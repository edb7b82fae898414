package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tidemark/checkpoint"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
)

// Step is one thing to do about a verdict.
type Step struct {
	If    string // what must be so for it, without a colon: "Found"; "" for always
	Do    string // one clause that begins with a verb; no capital, no full stop
	File  string // the file or folder of the checkpoint that it is about; "" for none
	Batch int64  // the batch that it is about; -1 for none
	Part  string // the state store or the part of a source that it is about: "state/0/17", "source 0"; "" for none
}

// String is the step with its condition before it: "Found: put it back".
func (s Step) String() string {
	if s.If == "" {
		return s.Do
	}
	return s.If + ": " + s.Do
}

// stepLimit is how many steps an advice has at most: more are not done in order by anybody.
const stepLimit = 5

// Steps that end runs. A verdict has one of them at most, the last of those that are asked for.
const (
	noRun   = "make sure no run of the query is active"
	stopRun = "stop the run that is active"
	oneRun  = "find every run of this query, and stop all but one"
	stopAll = "stop every run, and copy the whole checkpoint"
)

// steps says what to do about a verdict whose run is over, in order. Nothing is in it that the verdict answers already:
// no check of a sink that was read, no question to a source that was asked.
func steps(v *Verdict, way Way, d *Decision) []Step {
	s := stepper{v: v, causes: d.causes}
	switch {
	case d.twoWriters():
		s.oneWriter()
	case way == Resume:
		s.resume()
	case way == Repair:
		s.repair()
	case way == Decide:
		s.decide()
	case way == Migrate:
		s.leave()
	case way == Reread:
		s.reread()
	}
	return s.all[:min(len(s.all), stepLimit)]
}

// never says what must not be done, behind the word "Never". It is what the first cause warns of, else the worst finding.
func never(v *Verdict, d *Decision) string {
	for i := range d.causes {
		if f := d.causes[i].finding; f != nil && warning(f.Avoid) != "" {
			return warning(f.Avoid)
		}
	}
	for i := range v.Findings {
		if text := warning(v.Findings[i].Avoid); text != "" {
			return text
		}
	}
	if d.State == Safe || d.State == OnlyIf {
		return "run two queries on one checkpoint: both would write the same batches"
	}
	return ""
}

// warning is what a finding warns of, behind the word "Never"; "" for nothing.
func warning(avoid string) string {
	avoid, _, _ = strings.Cut(oneLine(avoid), ". ")
	for _, begin := range []string{"Do not ", "Never "} {
		if text, ok := strings.CutPrefix(avoid, begin); ok {
			return strings.ReplaceAll(strings.TrimSuffix(text, "."), "do not ", "never ")
		}
	}
	return ""
}

// stepper gathers the steps of one verdict.
type stepper struct {
	v      *Verdict
	causes []cause
	all    []Step
}

func (s *stepper) do(format string, args ...any) *Step {
	s.all = append(s.all, Step{Do: fmt.Sprintf(format, args...), Batch: -1})
	return &s.all[len(s.all)-1]
}

func (s *stepper) when(condition, format string, args ...any) *Step {
	step := s.do(format, args...)
	step.If = condition
	return step
}

// last adds the last step, whatever else there is.
func (s *stepper) last(condition, format string, args ...any) *Step {
	s.all = s.all[:min(len(s.all), stepLimit-1)]
	return s.when(condition, format, args...)
}

// resume is a restart that nothing stops.
func (s *stepper) resume() {
	s.do(noRun)
	if !s.v.Declared {
		s.when("The code changed", "compare it with this checkpoint first (--spec)")
	}
	s.restart(&s.v.Restart)
}

// restart is the start itself, under the condition that is not answered yet.
func (s *stepper) restart(r *Restart) {
	condition := ""
	if r.Outcome == Rerun && s.v.repeats() == "" {
		condition = sinkTakes(r.Batch)
	}
	s.restartIf(condition, r)
}

func (s *stepper) restartIf(condition string, r *Restart) {
	text := "restart the query"
	if condition == "" {
		text += ": Spark " + r.Does()
		if repeats := s.v.repeats(); r.Outcome == Rerun && repeats != "" {
			text += ", and " + repeats
		}
	}
	s.last(phrase.Capital(condition), "%s", text).Batch = r.Batch
}

// sinkTakes is the condition of a batch that is re-run into a sink that was not read.
func sinkTakes(batch int64) string {
	return fmt.Sprintf("the sink has no rows of batch %d, or deduplicates batch IDs", batch)
}

// oneWriter ends all runs but one.
func (s *stepper) oneWriter() {
	s.do(oneRun)
	s.findings()
	one := "that one"
	if s.all[0].Do == stopAll {
		one = "one of them"
	}
	s.last("", "restart %s: Spark %s", one, s.v.Restart.Does()).Batch = s.v.Restart.Batch
}

// repair is the cheapest way from damaged files to a start. If there is none, or the files are intact, it is what the causes say.
func (s *stepper) repair() {
	way := s.v.Recover.Cheapest()
	if way == nil || !s.damaged() {
		s.fix()
		return
	}
	s.do(stopAll)
	switch way.Way {
	case PutBack:
		s.putBack(way)
	case SetAside:
		s.twice(way)
		s.do("set aside %s: move %[2]s out of the checkpoint, and keep %[2]s", someFiles(way), them(way)).File = way.Files[0]
		s.restart(&way.Restart)
	case RollBack:
		s.sources(way)
		s.twice(way)
		s.do("roll back to batch %d: move %s out of the checkpoint, and keep them", way.To, someFiles(way)).Batch = way.To
		s.restart(&way.Restart)
	case NewCheckpoint:
		s.start()
	}
}

// damaged reports whether files are what stops the restart.
func (s *stepper) damaged() bool {
	if s.v.Refused() {
		return !s.v.Restart.Sound
	}
	return slices.ContainsFunc(s.causes, func(c cause) bool { return c.ofFiles() })
}

// fix is what the code and the findings say to fix, and a check of that.
func (s *stepper) fix() {
	s.putBackInCode()
	s.findings()
	despite := s.v.Restart.Despite
	if len(s.all) == 0 && despite == "" {
		s.do("fix this first: %s", clause(s.v.Decision().Because)).Batch = s.v.Restart.Batch
	}
	if f := s.causes[0].finding; f != nil && f.Needs != "" { // what the sink and the sources have stays as it is
		s.last("", "restart only after that: Spark %s", s.v.Restart.Does()).Batch = s.v.Restart.Batch
		return
	}
	if s.v.Refused() && despite != "" {
		s.last("", "%s", despite).Batch = s.v.Restart.Batch
		return
	}
	s.last("", "check the checkpoint again, then restart")
}

// reread is how to read what could not be read.
func (s *stepper) reread() {
	switch err := s.v.Err; {
	case err == nil:
		for i := range s.v.Findings {
			if f := &s.v.Findings[i]; f.Severity >= High && !f.Later {
				s.finding(f, false)
			}
		}
	case errors.Is(err, context.DeadlineExceeded):
		s.do("give the check more time (--timeout)")
	case checkpoint.Stopped(err) && !errors.Is(err, context.Canceled):
		s.do("allow more requests (--max-requests)")
	}
	s.last("", "check again, before you restart")
}

// decide is what to find out before a restart, and the condition under which it is right.
func (s *stepper) decide() {
	if s.v.situation() == Running {
		s.do(stopRun)
	} else {
		s.do(noRun)
	}
	s.findings()
	var holds []string
	for i := range s.causes {
		c := &s.causes[i]
		if c.ask != "" {
			s.do("%s", c.ask).Batch = s.v.Restart.Batch
		}
		holds = append(holds, cmp.Or(c.when, c.does))
	}
	s.restartIf(conditions(holds), &s.v.Restart)
}

// findings says what the findings among the causes say: of the weightiest all, of the others the beginning.
func (s *stepper) findings() {
	whole := true
	for i := range s.causes {
		if f := s.causes[i].finding; f != nil {
			s.finding(f, whole)
			whole = false
		}
	}
	if d := s.causes; whole && s.v.Refused() && len(d) > 0 { // a refusal without a finding that stops
		for i := range s.v.Findings {
			if f := &s.v.Findings[i]; f.weighs() && !f.OfDrift {
				s.finding(f, true)
				return
			}
		}
	}
}

// finding adds a step for each sentence of a finding that is one: it begins with a verb or with a condition. Unless the whole is
// asked for, it ends after the first. A sentence that begins with "Then" continues a conditional step before it. A copy is the first
// step, whatever its condition.
func (s *stepper) finding(f *Finding, whole bool) {
	conditional := false
	copied := "" // the condition of a copy, which that of the next sentence is
	for sentence := range strings.SplitSeq(strings.TrimSuffix(oneLine(f.NextStep), "."), ". ") {
		rest, then := strings.CutPrefix(sentence, "Then ")
		rest = strings.TrimPrefix(rest, "decide: ")
		condition, act, ok := cutCondition(sentence)
		switch {
		case then && conditional:
			s.all[len(s.all)-1].Do += "; then " + rest
		case asksCopy(rest):
			s.copyFirst()
		case asksOneRun(rest):
			s.oneRunFirst()
		case ok && asksCopy(phrase.Capital(act)):
			s.copyFirst()
			copied = condition
		case then && copied != "":
			conditional, copied = s.add(f, copied, rest), ""
		case ok && (strings.HasPrefix(clause(act), "nothing ") || strings.HasPrefix(clause(act), "restart")):
			conditional = false
		case ok:
			conditional = s.add(f, condition, act)
		case startsWithVerb(rest) && !s.answered(f, rest):
			conditional = false
			if s.add(f, "", rest) && !whole {
				return
			}
		default:
			conditional = false
		}
	}
}

// add adds what a finding says to do; false where that is a step already.
func (s *stepper) add(f *Finding, condition, act string) bool {
	text := clause(act)
	if slices.ContainsFunc(s.all, func(step Step) bool { return step.Do == text && step.If == condition }) {
		return false
	}
	step := s.when(condition, "%s", text)
	step.File, step.Batch = f.Where.File, f.Batch
	return true
}

// copyFirst makes the copy the first step, in place of any that ends runs.
func (s *stepper) copyFirst() { s.first(stopAll) }

// oneRunFirst makes it the first step that one run is left, unless all are stopped.
func (s *stepper) oneRunFirst() {
	if len(s.all) == 0 || s.all[0].Do != stopAll {
		s.first(oneRun)
	}
}

func (s *stepper) first(end string) {
	s.all = slices.DeleteFunc(s.all, func(step Step) bool { return slices.Contains([]string{noRun, stopRun, oneRun, stopAll}, step.Do) })
	s.all = slices.Insert(s.all, 0, Step{Do: end, Batch: -1})
}

// asksCopy reports whether a sentence asks for a copy of the checkpoint, and for nothing else.
func asksCopy(sentence string) bool {
	for _, begin := range []string{"Stop every run of the query and copy", "Copy the checkpoint", "Copy the whole checkpoint"} {
		if strings.HasPrefix(sentence, begin) {
			return !strings.Contains(sentence, ",")
		}
	}
	return false
}

// asksOneRun reports whether a sentence asks for an end of all runs but one, and for nothing else.
func asksOneRun(sentence string) bool {
	return strings.HasPrefix(sentence, "Find every run of this query and stop all but one")
}

// cutCondition parts "If they are missing, put them back" and "Not found: roll back" at the end of the condition; ok is false for a
// sentence without one.
func cutCondition(sentence string) (condition, act string, ok bool) {
	at := strings.IndexAny(sentence, ",:")
	if at < 0 {
		return "", "", false
	}
	for _, begin := range []string{"If ", "Before ", "Found:", "Not found:", "Otherwise:", "Otherwise,"} {
		if strings.HasPrefix(sentence, begin) {
			return sentence[:at], strings.TrimSpace(sentence[at+1:]), true
		}
	}
	return "", "", false
}

// verbs begin the sentences of a finding that are steps. A restart is none: that step is made here.
var verbs = strings.Fields("Allow Ask Bring Change Check Choose Compare Copy Create Decide Delete Filter Find Fix Give Keep List Load Look Make Move " +
	"Put Re-run Read Remove Roll Save Search Set Sign Start Stop Supply Take Upgrade Use Wait Write")

func startsWithVerb(sentence string) bool {
	first, _, _ := strings.Cut(sentence, " ")
	first = strings.TrimSuffix(first, ":")
	return slices.Contains(verbs, phrase.Capital(first))
}

// answered reports whether a step is to check a sink that was read.
func (s *stepper) answered(f *Finding, act string) bool {
	if f.Needs != "" || s.v.situation() == NotTold {
		return false
	}
	act = clause(act)
	return strings.HasPrefix(act, "look in the sink") || strings.HasPrefix(act, "check the sink")
}

// putBack looks for the files, and has another way where they are not found.
func (s *stepper) putBack(way *Recovery) {
	s.do("look for %s in object versions, the trash or a backup", someFiles(way)).File = way.Files[0]
	if way.Restart.Outcome == Next || way.Restart.Outcome == Rerun && s.v.repeats() != "" {
		s.when("Found", "put %s back, then restart: Spark %s", them(way), way.Restart.Does()).File = way.Files[0]
	} else {
		s.when("Found", "put %s back", them(way)).File = way.Files[0]
	}
	if i := slices.IndexFunc(s.v.Recover.Ways, func(w Recovery) bool { return w.Way != PutBack }); i >= 0 {
		s.when("Not found", "%s", s.other(&s.v.Recover.Ways[i])).Batch = s.v.Recover.Ways[i].To
	}
	if way.Restart.Outcome == Rerun && s.v.repeats() == "" {
		s.restart(&way.Restart)
	}
}

// other is another way in one clause, with what it takes.
func (s *stepper) other(way *Recovery) string {
	var needs []string
	if way.First >= 0 && !s.have(way.Ranges) {
		needs = append(needs, "the sources still have what "+phrase.Batches(way.First, way.Last)+" read")
	}
	if n := len(way.Twice); n > 0 && !s.v.harmless() {
		needs = append(needs, "the sink accepts "+phrase.Batches(way.Twice[0], way.Twice[n-1])+" twice")
	}
	if len(needs) == 0 {
		return way.Short()
	}
	return way.Short() + ", if " + strings.Join(needs, " and ")
}

// sources asks for what a way reads again, unless it is known that the sources have it.
func (s *stepper) sources(way *Recovery) {
	if way.First >= 0 && !s.have(way.Ranges) {
		s.do("check that the sources still have what %s read", phrase.Batches(way.First, way.Last)).Batch = way.First
	}
}

// have reports whether the sources were asked and still have all of these ranges.
func (s *stepper) have(ranges []Range) bool {
	for i := range ranges {
		k := s.v.Kept.Source(ranges[i].Source)
		if k == nil || !slices.ContainsFunc(k.Reads, func(p KeptPart) bool {
			return p.Name == ranges[i].Part &&
				reachesBack(p.Earliest, ranges[i].From)
		}) {
			return false
		}
	}
	return len(ranges) > 0
}

// reachesBack reports whether a part that begins at earliest has a position.
func reachesBack(earliest, from *source.Position) bool {
	if earliest == nil || from == nil {
		return false
	}
	c, ok := earliest.Compare(*from)
	return ok && c <= 0
}

// twice asks what the sink does with batches that it is given again, unless the spec says so.
func (s *stepper) twice(way *Recovery) {
	if n := len(way.Twice); n > 0 && !s.v.harmless() {
		s.do("make sure the sink accepts %s twice", phrase.Batches(way.Twice[0], way.Twice[n-1])).Batch = way.Twice[0]
	}
}

// putBackInCode are differences that the code can undo.
func (s *stepper) putBackInCode() {
	for i := range s.v.Drift {
		if d := &s.v.Drift[i]; d.Way == Decide && d.Stops() {
			text := clause(d.NextStep)
			if rest, ok := strings.CutPrefix(text, "restart with "); ok {
				text = "put back in the code: " + rest
			} else if !startsWithVerb(text) {
				text = fmt.Sprintf("put back in the code: %s is %s", d.Field, OrNothing(d.Recorded))
			}
			s.do("%s", text).File = d.Where.File
		}
	}
}

// leave is the way to a new checkpoint, or back to the old code.
func (s *stepper) leave() {
	s.when("You still have the code that wrote this checkpoint", "start that code, and change nothing here")
	s.when("Otherwise", stopAll)
	s.start()
}

// start is a new query at the end of this checkpoint.
func (s *stepper) start() {
	m := s.v.Migration
	if m == nil {
		s.do("start a new checkpoint at offsets you choose: no offset file records where this one ended")
		return
	}
	if n := len(m.Open); n > 0 {
		s.do("check the sink for rows of %s, which is not committed", phrase.Batches(m.Open[0], m.Open[n-1])).Batch = m.Open[0]
	}
	step := s.do("start a new checkpoint at the end of batch %d (tidemark offsets LOCATION --as starting-offsets)", m.Batch)
	step.Batch, step.File = m.Batch, m.File
}

// someFiles names the files of a way: all where they are few.
func someFiles(w *Recovery) string {
	n := len(w.Files) + w.More
	if n <= 2 {
		return strings.Join(w.Files, " and ")
	}
	return fmt.Sprintf("%s and %d more files", w.Files[0], n-1)
}

func them(w *Recovery) string {
	if len(w.Files)+w.More > 1 {
		return "them"
	}
	return "it"
}

// clause is the first sentence of a text, as a step says it.
func clause(text string) string {
	text, _, _ = strings.Cut(oneLine(text), ". ")
	if text != "" && text[0] < utf8.RuneSelf { // a text of a file may begin with any byte
		text = strings.ToLower(text[:1]) + text[1:]
	}
	return strings.TrimSuffix(text, ".")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
