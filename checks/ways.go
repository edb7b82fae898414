package checks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/state"
)

// Recovery is a way from damaged files to a start that goes well, and what it costs. Nothing of it is done here: it says
// what to do in the checkpoint, after a copy of it was made.
type Recovery struct {
	Way   RecoveryWay
	Does  string   // what to do and what Spark then does; full sentences
	Files []string // to put back or to set aside, within the checkpoint; of a folder of which all is gone, the folder
	More  int      // how many more files there are than are listed

	// Restart is the next start afterwards. Of SetAside and RollBack it was judged on the checkpoint without Files; of
	// PutBack it takes the files for whole.
	Restart Restart

	To          int64    // of RollBack: the batch that is gone back to; -1 of the others
	First, Last int64    // the batches whose rows are read again, both included; -1 for none
	Ranges      []Range  // what the sources must still have for that, as far as plans record it
	Twice       []int64  // committed batches that the sink is given again, ascending; no more than are listed elsewhere
	LosesState  bool     // state begins empty
	LosesID     bool     // the query gets a new id: a sink that knows batches by it takes all for new
	Needs       []string // what must hold for it to go well; full sentences
}

// RecoveryWay is a kind of way.
type RecoveryWay string

// The ways, by the words of the JSON.
const (
	PutBack       RecoveryWay = "put-back"       // the files that are missing or broken, from where they still are
	SetAside      RecoveryWay = "set-aside"      // move files out of the checkpoint that are in the way
	RollBack      RecoveryWay = "roll-back"      // to an older batch
	NewCheckpoint RecoveryWay = "new-checkpoint" // that starts at the offsets where this one ended
)

// NoRecovery is a way that is none here.
type NoRecovery struct {
	Way     RecoveryWay
	Because string
}

// Recoveries are the ways that there are, cheapest first, and why the others are none. None of both where nothing is
// wrong with the files of a checkpoint.
type Recoveries struct {
	Ways []Recovery
	Not  []NoRecovery
}

// Cheapest is the first way; nil where there is none.
func (r *Recoveries) Cheapest() *Recovery {
	if len(r.Ways) == 0 {
		return nil
	}
	return &r.Ways[0]
}

// Short is the way in a few words: "set aside state/0/0/12.zip", "roll back to batch 9".
func (r *Recovery) Short() string {
	files := listed3(r.Files)
	switch r.Way {
	case PutBack:
		return "put back " + files
	case SetAside:
		return "set aside " + files
	case RollBack:
		return fmt.Sprintf("roll back to batch %d", r.To)
	}
	return "start a new checkpoint at the offsets of this one"
}

// Free reports whether nothing is read again, written twice or lost, and no file has to be found.
func (r *Recovery) Free() bool { return slices.Max(r.cost()) == 0 }

// cost orders ways: what is lost, then what is written twice, what is read again, and whether a file has to be
// found that may be nowhere.
func (r *Recovery) cost() []int64 {
	c := []int64{0, int64(len(r.Twice)), 0, 0}
	switch {
	case r.LosesState:
		c[0] = 2
	case r.LosesID:
		c[0] = 1
	}
	if r.First >= 0 {
		c[2] = r.Last - r.First + 1
	}
	if r.Way == PutBack {
		c[3] = 1
	}
	return c
}

// seeker looks for the ways. It reads no more than a start and the way back need, and asks for nothing that was read.
type seeker struct {
	*Pass
	ctx   context.Context
	found []Finding
	Recoveries
}

// recoveries works out the ways. Its error means that nothing more will be read.
func recoveries(ctx context.Context, p *Pass, found []Finding) (Recoveries, error) {
	if !needsRecovery(p, found) {
		return Recoveries{}, nil
	}
	f := &seeker{Pass: p, ctx: ctx, found: found}
	suspect(p, found)
	for _, look := range []func() error{f.setAside, f.putBack, f.rollBack, f.newCheckpoint} {
		if err := look(); err != nil {
			return Recoveries{}, err
		}
	}
	slices.SortStableFunc(f.Ways, func(a, b Recovery) int { return slices.Compare(a.cost(), b.cost()) })
	return f.Recoveries, nil
}

// needsRecovery reports whether files of the checkpoint stop the start, or make its results wrong.
func needsRecovery(p *Pass, found []Finding) bool {
	switch r := p.Restart; {
	case !p.IsCheckpoint() || r.Outcome == Unknown || continuous(p):
		return false
	case p.Compared.noState:
		return true
	case r.Outcome == Refuses:
		return !r.Sound || planned(p) && nextStart(context.Background(), p).broken(sourceCounts) != "" // the query agrees with one of the two plans
	}
	return slices.ContainsFunc(found, wrongFile)
}

// planned reports whether the newest plan was read.
func planned(p *Pass) bool {
	last := p.Survey.Standing.Last
	return last != nil && last.Plan != nil
}

// wrongFile reports whether a finding says that a file is missing or wrong, so that results are.
func wrongFile(f Finding) bool {
	return f.Severity == Critical && slices.Contains(damage, f.Code) && f.Code != secondWriter.Code
}

// suspect notes the state files that load and that findings say are not what they should be.
func suspect(p *Pass, found []Finding) {
	if p.contents == nil {
		p.contents = &contents{files: map[string]*checkpoint.Contents{}}
	}
	p.contents.wrong, p.contents.ahead, p.contents.newest = map[string]bool{}, nil, nil
	for _, f := range found {
		if wrongFile(f) && strings.HasPrefix(f.Where.File, "state/") {
			name, _, _ := strings.Cut(f.Where.File, "!")
			p.contents.wrong[name] = true
		}
	}
	for _, name := range p.contents.twins {
		p.contents.wrong[name] = true
	}
}

func (f *seeker) not(way RecoveryWay, because string, args ...any) {
	f.Not = append(f.Not, NoRecovery{way, fmt.Sprintf(because, args...)})
}

// without judges the checkpoint as it would be without some files: its next start, and what is then wrong with its
// files; "" for nothing. What was read of the files that stay is not read again.
func (p *Pass) without(ctx context.Context, names []string) (q *Pass, wrong string, err error) {
	cp, err := p.Checkpoint.Without(ctx, names)
	if err != nil {
		return nil, "", err
	}
	survey, err := cp.Survey(ctx)
	if err != nil {
		return nil, "", err
	}
	q = &Pass{Checkpoint: cp, Survey: survey, Spark: p.Spark, Written: p.Written, Now: p.Now, Spec: p.Spec,
		unread: func(checkpoint.Unread) {}, contents: p.contents.without(names)}
	q.report = func(f Finding) {
		if wrong == "" && wrongFile(f) {
			wrong = f.Title + ": " + f.Evidence
		}
	}
	if err := readContents(ctx, q); err != nil {
		return nil, "", err
	}
	q.Compared = compareSpec(nextStart(ctx, q))
	q.Restart = predict(ctx, q)
	for _, c := range All {
		if c.Run != nil && (strings.HasPrefix(c.Code, "state-") || c == commitWithoutOffset || c == sourceLogHole) {
			if err := c.Run(ctx, q.of(c)); err != nil {
				return nil, "", err
			}
		}
	}
	return q, wrong, nil
}

// without is what was found in the files that stay.
func (c *contents) without(names []string) *contents {
	out := &contents{files: map[string]*checkpoint.Contents{}, wrong: c.wrong}
	if c.rebuilds != nil {
		again := *c.rebuilds // what was compared is not compared again; what this start leaves out is no matter of the other
		out.rebuilds = &again
	}
	maps.Copy(out.files, c.files)
	for _, name := range names {
		delete(out.files, name)
	}
	return out
}

// starts reports whether a start goes well: it plans the next batch, or runs one again.
func starts(q *Pass, wrong string) bool {
	return wrong == "" && (q.Restart.Outcome == Next || q.Restart.Outcome == Rerun)
}

// stops is why a start does not go well.
func stops(q *Pass, wrong string) string {
	switch {
	case q.Restart.Outcome == Refuses || q.Restart.Outcome == Unknown:
		return q.Restart.Because
	case q.Restart.Outcome == Fresh:
		return "the query would begin at batch 0 again"
	}
	return wrong
}

// list keeps as many files as are told one by one.
func (r *Recovery) list(files []string) {
	r.Files = files[:min(len(files), listLimit)]
	r.More = len(files) - len(r.Files)
}

// putBack is to bring back the files that a start misses or cannot read.
func (f *seeker) putBack() error {
	files := f.wanting()
	if len(files) == 0 {
		f.not(PutBack, "no file is known that is missing or broken")
		return nil
	}
	r := Recovery{Way: PutBack, To: -1, First: -1, Last: -1, Restart: f.asIfWhole()}
	r.list(files)
	what := listed3(files)
	r.Does = fmt.Sprintf("Put back %s from a copy of the same moment.%s", what, r.then())
	r.Needs = []string{"The files as Spark wrote them: from the versions of the bucket, the trash or a backup."}
	f.Ways = append(f.Ways, r)
	return nil
}

// then is what a start does afterwards, as a sentence behind another; "" where it is not known.
func (r *Recovery) then() string {
	switch r.Restart.Outcome {
	case Next:
		if r.First < 0 {
			return fmt.Sprintf(" Spark then plans batch %d, and no batch runs again.", r.Restart.Batch)
		}
		return fmt.Sprintf(" Spark then plans batch %d.", r.Restart.Batch)
	case Rerun:
		return fmt.Sprintf(" Spark then re-runs batch %d with its recorded offsets.", r.Restart.Batch)
	case Fresh:
		return " Spark then begins at batch 0, of which nothing was committed."
	}
	return ""
}

// asIfWhole is the next start with all files of the checkpoint whole.
func (f *seeker) asIfWhole() Restart {
	s := nextStart(f.ctx, f.Pass)
	l := max(s.L, s.C)
	if l < 0 || s.C < 0 && s.broken(uniqueIDs) != "" {
		return unknown("which batches were committed is not known")
	}
	out := Restart{Outcome: Next, Batch: l + 1, StateVersion: -1}
	out.Because = "if the files put back are intact: " + fmt.Sprintf("batch %d is committed", l)
	if s.C < l {
		out.Outcome, out.Batch = Rerun, l
		out.Because = fmt.Sprintf("if the files put back are intact: batch %d is not committed", l)
	}
	if len(f.Survey.State) > 0 && s.stateful() || keepsState(f.Pass) != "" {
		out.StateVersion = out.Batch
	}
	if s.L != l || s.Last == nil || s.Last.Plan == nil || len(s.Last.Plan.Problems) > 0 || len(s.Last.Plan.Sources) == 0 {
		return out
	}
	out.Watermark = s.Last.Plan.Watermark
	if out.Outcome == Rerun {
		out.Ranges = s.batchRanges()
	} else {
		out.Ranges = startRanges(s.Last.Plan, s.previous())
	}
	return out
}

// newCheckpoint is to leave this checkpoint for one that starts where its newest committed batch ended.
func (f *seeker) newCheckpoint() error {
	m := migrate(nextStart(f.ctx, f.Pass), Starts{sourcesOf(f.Pass), f.Pass.Kept})
	if m == nil {
		f.not(NewCheckpoint, "no committed batch has an offset file that says where to start")
		return nil
	}
	r := Recovery{Way: NewCheckpoint, To: -1, First: -1, Last: -1, LosesID: true, LosesState: f.keeps(),
		Restart: Restart{Outcome: Fresh, StateVersion: -1, Because: "a new checkpoint holds no batch, so Spark begins at batch 0"}}
	r.Does = fmt.Sprintf("Start a new checkpoint at the offsets where batch %d ended (%s).", m.Batch, m.File)
	if r.LosesState {
		r.Does += " Its state begins empty."
	}
	for i := range m.Starts {
		s := &m.Starts[i]
		switch {
		case s.Without != "":
			r.Needs = append(r.Needs, fmt.Sprintf("Source %d: %s.", s.Source, strings.TrimSuffix(strings.Join(strings.Fields(s.Without), " "), ".")))
		case s.Repeats != "":
			r.Needs = append(r.Needs, fmt.Sprintf("Source %d reads again: %s.", s.Source, strings.TrimSuffix(strings.Join(strings.Fields(s.Repeats), " "), ".")))
		}
	}
	if len(m.Open) > 0 {
		r.Needs = append(r.Needs, fmt.Sprintf("Check the sink for rows of batch %d, which is not committed: they would be written twice.", m.Open[0]))
	}
	f.Ways = append(f.Ways, r)
	return nil
}

// keeps reports whether the query keeps state, as far as is known.
func (f *seeker) keeps() bool {
	return !declaresNoState(f.Pass) && (!stateless(f.Pass) || keepsState(f.Pass) != "")
}

// missingFiles are the codes of findings whose place is a file that is missing or broken.
var missingFiles = []string{
	"connector-file-missing", "source-log-hole", "offset-gap", "metadata-missing", "metadata-malformed", "log-empty", "log-malformed",
	"state-version-missing", "state-file-damaged", "state-file-missing", "state-size-mismatch", "state-empty",
}

// wanting are the files that a start needs and that are missing or no good, in the order of a start.
func (f *seeker) wanting() []string {
	s := nextStart(f.ctx, f.Pass)
	all := append(wantingLogs(s), wantingSources(s)...)
	all = append(append(all, wantingState(f.Pass)...), wrongRecords(f.Pass)...)
	if len(all) == 0 {
		for _, found := range f.found {
			if found.Severity >= High && slices.Contains(missingFiles, found.Code) && found.Where.File != "" && len(all) < listLimit {
				all = append(all, found.Where.File)
			}
		}
	}
	if len(all) == 0 && f.Restart.Outcome == Refuses {
		all = logFiles.FindAllString(f.Restart.Because, -1) // those that the start stops at
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}

// logFiles are the log files that a sentence names.
var logFiles = regexp.MustCompile(`\b(offsets|commits|sources/[^/ ]+)/\d+\b`)

func wantingLogs(s *start) (all []string) {
	bad := func(decide func(*start) (Restart, bool)) bool {
		out, ok := decide(s)
		return ok && out.Outcome == Refuses && !out.Sound
	}
	want := func(yes bool, log string, id int64) {
		if yes && len(all) < listLimit {
			all = append(all, fmt.Sprintf("%s/%d", log, id))
		}
	}
	if bad(queryID) {
		all = append(all, "metadata")
	}
	if s.L < 0 {
		all = append(all, "offsets")
		if s.C < 0 {
			all = append(all, "commits")
		}
		return all
	}
	if s.C < 0 && bad(uniqueIDs) {
		all = append(all, "commits")
	}
	plan := planned(s.Pass)
	want(bad(newestNotFound) && len(namedAs(&s.Offsets, s.L)) > 0 && lastFolder(&s.Offsets) <= s.L || plan && (bad(newestPlanFlaw) || bad(sourceCount) || bad(metadataLine)), "offsets", s.L)
	if plan && !bad(newestPlanFlaw) && !bad(planBeforeFlaw) && bad(sourceCounts) {
		declared := 0 // without a spec either of the two may be the wrong one
		if s.Spec != nil {
			declared = len(s.Spec.Sources)
		}
		want(len(s.Last.Plan.Sources) != declared, "offsets", s.L)
		want(len(s.Before.Plan.Sources) != declared, "offsets", s.L-1)
	}
	want(bad(planBeforeMissing) || plan && bad(planBeforeFlaw), "offsets", s.L-1)
	for id := range s.Commits.IDs() {
		want(id > s.L, "offsets", id)
	}
	want(bad(newestCommit), "commits", s.C)
	want(s.C > s.L && s.Commits.Find(s.L) == nil, "commits", s.L)
	return all
}

// wantingSources are the entries of the sources' own logs that a start asks for.
func wantingSources(s *start) (all []string) {
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		if !f.IsLog() && len(f.Needs.Missing) == 0 {
			continue
		}
		if len(f.Needs.Missing) > 0 && f.Needs.Base == "" {
			all = append(all, f.Name) // one compact file may have stood for all that is missing
			continue
		}
		for _, name := range f.Needs.Missing {
			all = append(all, fmt.Sprintf("%s/%s", f.Name, name))
		}
		for _, file := range f.Files {
			if _, e := s.logFlaw(file); e != nil {
				all = append(all, file.Name)
			}
		}
	}
	if s.Last == nil || s.Last.Plan == nil || s.L < 0 {
		return all
	}
	for i, o := range inPlanOrder(s.Last.Plan) {
		key := sourceKey(i, o)
		to, ok := logOffset(o)
		if o.None || !ok || !fileSource(s.Pass, key, o) {
			continue
		}
		from := int64(-1)
		if before := s.previous(); before != nil {
			from, _ = logOffset(sourceNamed(before, key))
		}
		f := folderOf(s.Pass, key)
		if (from < to || s.committed()) && (f == nil || f.Log.Latest() < 0) {
			all = append(all, "sources/"+key)
			continue
		}
		if f == nil || len(f.Needs.Missing) > 0 {
			continue
		}
		for id := max(from+1, to-listLimit); id <= to; id++ {
			if !f.Holds(id) {
				all = append(all, fmt.Sprintf("sources/%s/%d", key, id))
			}
		}
	}
	return all
}

// wantingState are the files of state that the version of the start needs.
func wantingState(p *Pass) (all []string) {
	for _, g := range goneState(p) {
		all = append(all, g.dir)
	}
	if p.Compared.noState && len(all) == 0 {
		all = append(all, "state")
	}
	for i := range p.Survey.State {
		for _, e := range p.Survey.State[i].Problems() {
			if schemaStops(p, e) {
				all = append(all, e.File)
			}
		}
	}
	for n := range stateNeeds(p) {
		if len(n.files()) == 0 {
			continue // told as a folder
		}
		if len(n.chain.Missing) > 0 {
			all = append(all, n.path(n.missingFile(p)))
		}
		for _, m := range n.chain.Missing {
			first := m.From
			if m == n.chain.Missing[0] {
				first++
			}
			for v := first; v <= m.To && len(all) < listLimit; v++ {
				all = append(all, n.path(n.stepName(p, v)))
			}
		}
		for _, f := range n.chain.Files {
			all = append(all, n.wantingOf(p, f)...)
		}
		if len(all) >= listLimit {
			break
		}
	}
	return all
}

// wantingOf is the file, or those that it names, where they are missing or no good.
func (n *storeNeed) wantingOf(p *Pass, f state.File) (all []string) {
	if f.Size == 0 || p.contents.wrong[n.path(f.Name())] {
		return []string{n.path(f.Name())}
	}
	c := n.contents(p, f)
	if c == nil {
		return nil
	}
	for _, flaw := range c.Flaws {
		name, _, _ := strings.Cut(flaw.File, "!")
		all = append(all, cmp.Or(name, n.path(f.Name())))
	}
	return all
}
