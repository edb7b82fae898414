package checks

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidemark/checkpoint/state"
	"tidemark/internal/phrase"
)

// putBack is to bring back the files that a start misses or cannot read.
func (f *seeker) putBack() error {
	files := f.wanting()
	if len(files) == 0 {
		f.not(PutBack, "no file is known that is missing or broken")
		return nil
	}
	r := Recovery{Way: PutBack, To: -1, First: -1, Last: -1, Restart: f.asIfWhole()}
	listFiles(&r, files)
	what := phrase.List(files, 3)
	r.Does = fmt.Sprintf("Put back %s from a copy of the same moment.%s", what, then(&r))
	r.Needs = []string{"The files as Spark wrote them: from the versions of the bucket, the trash or a backup."}
	f.Ways = append(f.Ways, r)
	return nil
}

// asIfWhole is the next start with all files of the checkpoint whole.
func (f *seeker) asIfWhole() Restart {
	s := &start{NextStart(f.ctx, f.Pass)}
	l := max(s.L, s.C)
	if l < 0 || s.C < 0 && broken(s, uniqueIDs) != "" {
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

// wanting are the files that a start needs and that are missing or no good, in the order of a start.
func (f *seeker) wanting() []string {
	s := &start{NextStart(f.ctx, f.Pass)}
	all := append(wantingLogs(s), wantingSources(s)...)
	all = append(append(all, wantingState(f.Pass)...), wrongRecords(f.Pass)...)
	if len(all) == 0 {
		for _, found := range f.found {
			if found.Severity >= High && found.Lacks && found.Where.File != "" && len(all) < listLimit {
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
	for i, o := range s.Last.Plan.InOrder() {
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
	if f.Size == 0 || contentsOf(p).wrong[n.path(f.Name())] {
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
