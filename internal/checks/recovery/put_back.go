package recovery

import (
	"fmt"
	"regexp"
	"slices"

	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/stores"
	"tidemark/internal/phrase"
)

// putBack is to bring back the files that a start misses or cannot read.
func (f *seeker) putBack() error {
	files := f.wanting()
	if len(files) == 0 {
		f.not(checks.PutBack, "no missing or broken file is known")
		return nil
	}
	r := checks.Recovery{Way: checks.PutBack, To: -1, First: -1, Last: -1, Restart: f.asIfWhole()}
	listFiles(&r, files)
	what := phrase.List(files, 3)
	r.Does = fmt.Sprintf("Put back %s from a copy of the same moment.%s", what, then(&r))
	r.Needs = []string{"The files are exactly as Spark wrote them: from object versions, the trash or a backup."}
	f.Ways = append(f.Ways, r)
	return nil
}

// asIfWhole is the next start with all files of the checkpoint whole.
func (f *seeker) asIfWhole() checks.Restart {
	s := &restart.Judge{Start: basics.NextStart(f.ctx, f.Pass)}
	l := max(s.L, s.C)
	if l < 0 || s.C < 0 && broken(s, restart.UniqueIDs) != "" {
		return restart.Unknown("the committed batches are unknown")
	}
	out := checks.Restart{Outcome: checks.Next, Batch: l + 1, StateVersion: -1}
	out.Because = "if the files put back are intact: " + fmt.Sprintf("batch %d is committed", l)
	if s.C < l {
		out.Outcome, out.Batch = checks.Rerun, l
		out.Because = fmt.Sprintf("if the files put back are intact: batch %d is not committed", l)
	}
	if len(f.Survey.State) > 0 && s.Stateful() || stores.KeepsState(f.Pass) != "" {
		out.StateVersion = out.Batch
	}
	if s.L != l || s.Last == nil || s.Last.Plan == nil || len(s.Last.Plan.Problems) > 0 || len(s.Last.Plan.Sources) == 0 {
		return out
	}
	out.Watermark = s.Last.Plan.Watermark
	if out.Outcome == checks.Rerun {
		out.Ranges = s.BatchRanges()
	} else {
		out.Ranges = basics.StartRanges(s.Last.Plan, s.Previous())
	}
	return out
}

// wanting are the files that a start needs and that are missing or no good, in the order of a start.
func (f *seeker) wanting() []string {
	s := &restart.Judge{Start: basics.NextStart(f.ctx, f.Pass)}
	all := append(wantingLogs(s), wantingSources(s)...)
	all = append(append(all, wantingState(f.Pass)...), stores.WrongRecords(f.Pass)...)
	if len(all) == 0 {
		for _, found := range f.found {
			if found.Severity >= checks.High && found.Lacks && found.Where.File != "" && len(all) < basics.ListLimit {
				all = append(all, found.Where.File)
			}
		}
	}
	if len(all) == 0 && f.Restart.Outcome == checks.Refuses {
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

func wantingLogs(s *restart.Judge) (all []string) {
	bad := func(decide func(*restart.Judge) (checks.Restart, bool)) bool {
		out, ok := decide(s)
		return ok && out.Outcome == checks.Refuses && !out.Sound
	}
	want := func(yes bool, log string, id int64) {
		if yes && len(all) < basics.ListLimit {
			all = append(all, fmt.Sprintf("%s/%d", log, id))
		}
	}
	if bad(restart.QueryID) {
		all = append(all, "metadata")
	}
	if s.L < 0 {
		all = append(all, "offsets")
		if s.C < 0 {
			all = append(all, "commits")
		}
		return all
	}
	if s.C < 0 && bad(restart.UniqueIDs) {
		all = append(all, "commits")
	}
	plan := planned(s.Pass)
	want(bad(restart.NewestNotFound) && len(namedAs(&s.Offsets, s.L)) > 0 && restart.LastFolder(&s.Offsets) <= s.L || plan &&
		(bad(restart.NewestPlanFlaw) || bad(restart.SourceCount) || bad(restart.MetadataLine)), "offsets", s.L)
	if plan && !bad(restart.NewestPlanFlaw) && !bad(restart.PlanBeforeFlaw) && bad(restart.SourceCounts) {
		declared := 0 // without a spec either of the two may be the wrong one
		if s.Spec != nil {
			declared = len(s.Spec.Sources)
		}
		want(len(s.Last.Plan.Sources) != declared, "offsets", s.L)
		want(len(s.Before.Plan.Sources) != declared, "offsets", s.L-1)
	}
	want(bad(restart.PlanBeforeMissing) || plan && bad(restart.PlanBeforeFlaw), "offsets", s.L-1)
	for id := range s.Commits.IDs() {
		want(id > s.L, "offsets", id)
	}
	want(bad(restart.NewestCommit), "commits", s.C)
	want(s.C > s.L && s.Commits.Find(s.L) == nil, "commits", s.L)
	return all
}

// wantingSources are the entries of the sources' own logs that a start asks for.
func wantingSources(s *restart.Judge) (all []string) {
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
			if _, e := s.LogFlaw(file); e != nil {
				all = append(all, file.Name)
			}
		}
	}
	if s.Last == nil || s.Last.Plan == nil || s.L < 0 {
		return all
	}
	for i, o := range s.Last.Plan.InOrder() {
		key := basics.SourceKey(i, o)
		to, ok := basics.LogOffset(o)
		if o.None || !ok || !basics.FileSource(s.Pass, key, o) {
			continue
		}
		from := int64(-1)
		if before := s.Previous(); before != nil {
			from, _ = basics.LogOffset(basics.SourceNamed(before, key))
		}
		f := basics.FolderOf(s.Pass, key)
		if (from < to || s.AllCommitted()) && (f == nil || f.Log.Latest() < 0) {
			all = append(all, "sources/"+key)
			continue
		}
		if f == nil || len(f.Needs.Missing) > 0 {
			continue
		}
		for id := max(from+1, to-basics.ListLimit); id <= to; id++ {
			if !f.Holds(id) {
				all = append(all, fmt.Sprintf("sources/%s/%d", key, id))
			}
		}
	}
	return all
}

// wantingState are the files of state that the version of the start needs.
func wantingState(p *checks.Pass) (all []string) {
	for _, g := range stores.GoneState(p) {
		all = append(all, g.Dir)
	}
	if p.Compared.NoState && len(all) == 0 {
		all = append(all, "state")
	}
	for i := range p.Survey.State {
		for _, e := range p.Survey.State[i].Problems() {
			if stores.SchemaStops(p, e) {
				all = append(all, e.File)
			}
		}
	}
	for n := range stores.Needs(p) {
		if len(n.Files()) == 0 {
			continue // reported as a folder
		}
		if len(n.Chain.Missing) > 0 {
			all = append(all, n.Path(n.MissingFile(p)))
		}
		for _, m := range n.Chain.Missing {
			first := m.From
			if m == n.Chain.Missing[0] {
				first++
			}
			for v := first; v <= m.To && len(all) < basics.ListLimit; v++ {
				all = append(all, n.Path(n.StepName(p, v)))
			}
		}
		for _, f := range n.Chain.Files {
			all = append(all, n.WantingOf(p, f)...)
		}
		if len(all) >= basics.ListLimit {
			break
		}
	}
	return all
}
