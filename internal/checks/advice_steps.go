package checks

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// steps says what to do about a verdict whose run is over, in order. Nothing is in it that the verdict answers already:
// no look into a sink that was read, no question to a source that was asked.
func steps(v *Verdict) []Step {
	s := stepper{v: v}
	switch v.Advice.Way {
	case Resume:
		s.do("make sure that no run of the query is active")
		s.restart(&v.Restart)
	case Repair:
		s.repair()
	case Decide:
		s.decide()
	case Migrate:
		s.leave()
	}
	return s.all[:min(len(s.all), stepLimit)]
}

// never says what must not be done, behind the word "Never"; "" for nothing. It is what the worst finding warns of.
func never(v *Verdict) string {
	for _, f := range v.Findings {
		if avoid, ok := strings.CutPrefix(oneLine(f.Avoid), "Do not "); ok {
			avoid, _, _ = strings.Cut(avoid, ". ")
			return strings.ReplaceAll(strings.TrimSuffix(avoid, "."), "do not ", "never ")
		}
	}
	return ""
}

// stepper gathers the steps of one verdict.
type stepper struct {
	v   *Verdict
	all []Step
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

func (s *stepper) stop() { s.do("stop every run of the query, and copy the whole checkpoint") }

// restart is the start itself, under the condition that is not answered yet.
func (s *stepper) restart(r *Restart) {
	switch {
	case r.Outcome == Fresh:
		s.do("start the query: Spark begins at batch 0").Batch = 0
	case r.Outcome == Next:
		s.do("restart the query: Spark plans batch %d", r.Batch).Batch = r.Batch
	case r.Outcome == Rerun && s.repeats() != "":
		s.do("restart the query: Spark re-runs batch %d, and %s", r.Batch, s.repeats()).Batch = r.Batch
	case r.Outcome == Rerun:
		s.when(fmt.Sprintf("The sink has no rows of batch %d, or deduplicates batch IDs", r.Batch), "restart the query").Batch = r.Batch
	}
}

// repeats says what the sink makes of the batch that is re-run; "" where that is not known.
func (s *stepper) repeats() string {
	switch replay := s.v.Replay; {
	case s.situation() == Unacknowledged:
		return "the sink, which has it, skips it"
	case s.situation() == NotInSink:
		return "the sink, which does not have it, gets it once"
	case replay == "ignored" || replay == "merged":
		return "the spec says that a repeated batch is " + replay
	}
	return ""
}

func (s *stepper) situation() Situation {
	if s.v.Sink == nil {
		return NotTold
	}
	return s.v.Sink.Situation
}

// repair is the cheapest way from damaged files to a start; where there is none, what the findings say.
func (s *stepper) repair() {
	s.stop()
	way := s.v.Recover.Cheapest()
	if way == nil {
		s.findings()
		return
	}
	switch way.Way {
	case PutBack:
		s.putBack(way)
	case SetAside:
		s.twice(way)
		s.do("set aside %s: move it out of the checkpoint, and keep it", someFiles(way)).File = way.Files[0]
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

func (s *stepper) putBack(way *Recovery) {
	them := "it"
	if len(way.Files)+way.More > 1 {
		them = "them"
	}
	s.do("look for %s in bucket versions, the trash or a backup", someFiles(way)).File = way.Files[0]
	if way.Restart.Outcome == Next || way.Restart.Outcome == Rerun && s.repeats() != "" {
		s.when("Found", "put %s back, then restart: Spark %s", them, does(&way.Restart)).File = way.Files[0]
	} else {
		s.when("Found", "put %s back", them).File = way.Files[0]
	}
	if i := slices.IndexFunc(s.v.Recover.Ways, func(w Recovery) bool { return w.Way != PutBack }); i >= 0 {
		s.when("Not found", "%s", s.other(&s.v.Recover.Ways[i])).Batch = s.v.Recover.Ways[i].To
	}
	if way.Restart.Outcome == Rerun && s.repeats() == "" {
		s.restart(&way.Restart)
	}
}

// does says what Spark does at a start, behind its name.
func does(r *Restart) string {
	if r.Outcome == Rerun {
		return fmt.Sprintf("re-runs batch %d", r.Batch)
	}
	return fmt.Sprintf("plans batch %d", r.Batch)
}

// other is another way in one clause, with what it takes.
func (s *stepper) other(way *Recovery) string {
	var needs []string
	if way.First >= 0 && !s.have(way.Ranges) {
		needs = append(needs, "the sources still have what "+phrase.Batches(way.First, way.Last)+" read")
	}
	if n := len(way.Twice); n > 0 && !s.harmless() {
		needs = append(needs, "the sink accepts "+phrase.Batches(way.Twice[0], way.Twice[n-1])+" twice")
	}
	if len(needs) == 0 {
		return way.Short()
	}
	return way.Short() + ", if " + strings.Join(needs, " and ")
}

// sources asks for what a way reads again, unless it is known to be there.
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

// twice asks for what the sink makes of batches that it is given again, unless the spec says so.
func (s *stepper) twice(way *Recovery) {
	if n := len(way.Twice); n > 0 && !s.harmless() {
		s.do("make sure that the sink accepts %s twice", phrase.Batches(way.Twice[0], way.Twice[n-1])).Batch = way.Twice[0]
	}
}

// harmless reports whether the spec says that a repeated batch leaves the sink right.
func (s *stepper) harmless() bool { return s.v.Replay == "ignored" || s.v.Replay == "merged" }

// decide is what a person has to settle before a restart.
func (s *stepper) decide() {
	if !s.v.Complete && s.v.Restart.Outcome == Unknown {
		s.do("make readable what could not be read, then check again")
	}
	s.putBackInCode()
	s.findings()
	switch {
	case s.v.Restart.Outcome == Refuses || s.v.Restart.Outcome == Unknown:
		if len(s.all) == 0 {
			s.do("settle this before anything else: %s", s.v.Restart.Because).Batch = s.v.Restart.Batch
		}
		s.all = s.all[:min(len(s.all), stepLimit-1)]
		s.do("check the checkpoint again before the restart")
	default:
		if !s.v.Complete {
			s.do("check again when everything can be read")
		}
		s.all = s.all[:min(len(s.all), stepLimit-1)]
		s.restart(&s.v.Restart)
	}
}

// findings says what the findings that need a decision say, worst first: of the worst also what follows from its answer.
func (s *stepper) findings() {
	first := true
	for i := range s.v.Findings {
		f := &s.v.Findings[i]
		if f.Severity < High || f.Later || f.OfDrift {
			continue
		}
		text := clause(f.NextStep)
		if text == "" || strings.HasPrefix(text, "nothing ") || slices.ContainsFunc(s.all, func(step Step) bool { return step.Do == text }) {
			continue
		}
		step := s.do("%s", text)
		step.File, step.Batch = f.Where.File, f.Batch
		if first {
			s.follows(f)
		}
		first = false
	}
}

// follows adds a step for each sentence of a finding that begins with a condition: "If they are missing: …". A sentence that
// begins with "Then" goes on with the step before it.
func (s *stepper) follows(f *Finding) {
	conditional := false
	for i, sentence := range strings.Split(oneLine(f.NextStep), ". ") {
		sentence = strings.TrimSuffix(sentence, ".")
		if rest, ok := strings.CutPrefix(sentence, "Then "); ok && conditional {
			last := &s.all[len(s.all)-1]
			last.Do += "; then " + rest
			continue
		}
		at := strings.IndexAny(sentence, ",:")
		conditional = i > 0 && strings.HasPrefix(sentence, "If ") && at > 0
		if conditional {
			step := s.when(sentence[:at], "%s", clause(strings.TrimSpace(sentence[at+1:])))
			step.File, step.Batch = f.Where.File, f.Batch
		}
	}
}

// putBackInCode are differences that the code can undo.
func (s *stepper) putBackInCode() {
	for i := range s.v.Drift {
		if d := &s.v.Drift[i]; d.Way == Decide && (d.Effect == Misreads || d.Effect == RefusesDrift) {
			s.do("put back in the code: %s is %s", d.Field, OrNothing(d.Recorded)).File = d.Where.File
		}
	}
}

// leave is the way to a new checkpoint, or back to the old code.
func (s *stepper) leave() {
	s.when("The code that wrote this checkpoint still runs", "start that code, and change nothing here")
	s.when("Otherwise", "stop every run of the query, and copy the whole checkpoint")
	s.start()
}

// start is a new query at the end of this checkpoint.
func (s *stepper) start() {
	m := s.v.Migration
	if m == nil {
		s.do("start a new checkpoint at positions of your choice: no plan here records where this one ended")
		return
	}
	if n := len(m.Open); n > 0 {
		s.do("look into the sink for rows of %s, which is not committed", phrase.Batches(m.Open[0], m.Open[n-1])).Batch = m.Open[0]
	}
	step := s.do("start the query with an empty checkpoint location, at the end of batch %d (tidemark offsets LOCATION --as starting-offsets)", m.Batch)
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

// clause is the first sentence of a text, as a step says it.
func clause(text string) string {
	text, _, _ = strings.Cut(oneLine(text), ". ")
	r, n := utf8.DecodeRuneInString(text)
	return strings.TrimSuffix(string(unicode.ToLower(r))+text[n:], ".")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
