package recovery

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/stores"
	"tidemark/internal/phrase"
)

// asideRounds is how often something more is looked for that blocks the start once the first is set aside.
const asideRounds = 6

// aside is what is set aside in one step, and what comes of it.
type aside struct {
	files       []string
	does        string // what is set aside, and why; no full stop
	first, last int64  // batches whose rows may be read again; -1 for none
	twice       []int64
	needs       []string
}

// setAside looks for files without which the start goes well: step by step, each judged with those before it out of the
// way.
func (f *seeker) setAside() error {
	r := checks.Recovery{Way: checks.SetAside, To: -1, First: -1, Last: -1}
	var files, does []string
	q, wrong := f.Pass, ""
	for range asideRounds {
		step, because, err := f.nextAside(q)
		if err != nil {
			return err
		}
		if len(step.files) == 0 {
			if len(files) > 0 {
				because = fmt.Sprintf("after %s is set aside: %s", phrase.List(files, 3), stops(q, wrong))
			}
			f.not(checks.SetAside, "%s", because)
			return nil
		}
		files, does = append(files, step.files...), append(does, step.does)
		addStep(&r, &step)
		if q, wrong, err = f.without(files); err != nil {
			return err
		}
		if starts(q, wrong) || q.Restart.Outcome == checks.Fresh && q.Restart.Batch == 0 && f.neverCommitted(files) {
			listFiles(&r, files)
			r.Restart, r.Ranges = q.Restart, nil
			if r.First >= 0 && q.Restart.Outcome == checks.Rerun {
				r.Ranges = q.Restart.Ranges
			}
			r.Does = "Set aside " + strings.Join(does, "; and ") + "." + then(&r)
			f.Ways = append(f.Ways, r)
			return nil
		}
	}
	f.not(checks.SetAside, "after %s is set aside: %s", phrase.List(files, 3), stops(q, wrong))
	return nil
}

// neverCommitted reports whether what is set aside is a first plan of which nothing was committed, so that batch 0 is no
// start over.
func (f *seeker) neverCommitted(files []string) bool {
	return f.Commits.Last() < 0 && !slices.ContainsFunc(files, func(name string) bool { return !strings.HasPrefix(name, "offsets/") })
}

func addStep(r *checks.Recovery, step *aside) {
	r.Twice, r.Needs = append(r.Twice, step.twice...), append(r.Needs, step.needs...)
	if step.first >= 0 {
		if r.First < 0 || step.first < r.First {
			r.First = step.first
		}
		r.Last = max(r.Last, step.last)
	}
}

// nextAside is what blocks a start and can be set aside, in the order of a start; no files where there is
// nothing, and why.
func (f *seeker) nextAside(q *checks.Pass) (step aside, because string, err error) {
	s := &restart.Judge{Start: basics.NextStart(f.ctx, q)}
	for _, look := range []func(*restart.Judge) (aside, string){asideSources, asidePlan, asideCommit, asideFolder, asideSchema,
		asideRecord} {
		if step, because := look(s); len(step.files) > 0 || because != "" {
			return step, because, nil
		}
	}
	if step, err := asideSums(s); len(step.files) > 0 || err != nil {
		return step, "", err
	}
	version, ok := stores.StartVersion(q)
	if !ok {
		return step, "the state was not listed", nil
	}
	all, because, err := stores.StateAsides(f.ctx, q, version)
	if because != "" || err != nil {
		return step, because, err
	}
	if len(all) == 0 {
		because = "no file is known that would help if set aside"
		if q.Restart.Outcome == checks.Refuses {
			because += ": " + q.Restart.Because
		}
		return step, because, nil
	}
	return asideState(all), "", nil
}

// asideState is the whole files of state that are no good.
func asideState(all []stores.StateAside) aside {
	step := aside{first: -1, last: -1}
	var names []string
	for i := range all {
		step.files = append(step.files, all[i].Files()...)
		for _, f := range all[i].Rebuild.Aside {
			names = append(names, all[i].Path(f.Name()))
		}
	}
	c := &all[0].Rebuild.Chain
	if len(all) == 1 {
		step.does = fmt.Sprintf("%s: version %d is rebuilt from %s", phrase.List(names, 3), c.Version, stores.RebuiltFrom(c))
	} else {
		step.does = fmt.Sprintf("%s: version %d is rebuilt from older files, in %s from %s", phrase.List(names, 3), c.Version, all[0].Dir, stores.RebuiltFrom(c))
	}
	return step
}

// broken is what a rule of the start says against the files; "" for nothing, and where the files are whole.
func broken(s *restart.Judge, decide func(*restart.Judge) (checks.Restart, bool)) string {
	if out, ok := decide(s); ok && out.Outcome == checks.Refuses && !out.Sound {
		return out.Because
	}
	return ""
}

// withCRC are files of a folder with the checksums next to them, as they are listed.
func withCRC(d *checkpoint.LogDir, names ...string) (all []string) {
	for _, name := range names {
		all = append(all, path.Join(d.Name, name))
		for _, sum := range []string{"." + name + ".crc", name + ".crc", "." + name + ".crc.crc"} {
			if d.Other(sum) != nil {
				all = append(all, path.Join(d.Name, sum))
			}
		}
	}
	return all
}

// namedAs are the entries of a log that count as a batch, whatever they are called.
func namedAs(d *checkpoint.LogDir, id int64) (names []string) {
	for _, f := range d.Files {
		if f.ID == id {
			names = append(names, f.Name)
		}
	}
	return names
}

// asidePlan is the newest plan, where it cannot be read and its batch is not committed: Spark plans the batch again.
func asidePlan(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1}
	if s.L < 0 {
		if s.C >= 0 {
			return step, "every offset file is missing"
		}
		return step, ""
	}
	if folder := restart.LastFolder(&s.Offsets); folder > s.L && broken(s, restart.NewestNotFound) != "" {
		step.files, step.does = []string{fmt.Sprintf("offsets/%d", folder)}, fmt.Sprintf("the folder offsets/%d, which Spark counts as a batch", folder)
		return step, ""
	}
	if s.Offsets.Find(s.L) == nil {
		names := namedAs(&s.Offsets, s.L)
		step.files, step.does = withCRC(&s.Offsets, names...), fmt.Sprintf("offsets/%s, which Spark counts as batch %d but cannot open by that number", names[0], s.L)
		if s.C < s.L {
			step.needs = []string{unlessThere(s.L)}
		}
		return step, ""
	}
	bad := ""
	if s.Last != nil && s.Last.Plan != nil {
		rules := []func(*restart.Judge) (checks.Restart, bool){restart.NewestPlanFlaw, restart.SourceCount, restart.MetadataLine}
		if s.C < s.L { // what else stops the plan of a batch that can be planned again
			rules = append(rules, restart.SourceCounts, restart.PinnedSettings, restart.Sources, restart.PlanBeforeMissing)
		}
		for _, rule := range rules {
			if bad = broken(s, rule); bad != "" {
				break
			}
		}
	}
	switch {
	case bad == "":
		if bad = broken(s, restart.PlanBeforeMissing); bad == "" && s.Last != nil && s.Last.Plan != nil {
			bad = broken(s, restart.PlanBeforeFlaw)
		}
		return step, bad
	case s.C >= s.L:
		return step, fmt.Sprintf("%s; batch %d is committed, so its offset file cannot be set aside", bad, s.L)
	}
	step.files = append(withCRC(&s.Offsets, strconv.FormatInt(s.L, 10)), laterState(s.Pass, s.L)...)
	step.does = fmt.Sprintf("offsets/%d, whose batch is not committed", s.L)
	step.needs = []string{unlessThere(s.L)}
	if !s.Last.Plan.Has(decode.Empty) { // an empty one was never run
		step.first, step.last = s.L, s.L
	}
	return step, ""
}

// asideCommit is a commit that cannot be read, or commits above the newest plan.
func asideCommit(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1}
	if s.L < 0 || s.C < 0 {
		return step, ""
	}
	if folder := restart.LastFolder(&s.Commits); folder > s.C && broken(s, restart.NewestCommit) != "" {
		step.files, step.does = []string{fmt.Sprintf("commits/%d", folder)}, fmt.Sprintf("the folder commits/%d, which Spark counts as a batch", folder)
		return step, ""
	}
	if s.C > s.L {
		var names []string
		for id := range s.Commits.IDs() {
			if id > s.L {
				step.files = append(step.files, withCRC(&s.Commits, namedAs(&s.Commits, id)...)...)
				if len(step.twice) < basics.ListLimit {
					step.twice, names = append(step.twice, id), append(names, basics.LogName(&s.Commits, id))
				}
			}
		}
		step.first, step.last = s.L+1, s.C
		if s.Commits.Find(s.L) == nil {
			step.first = s.L
		}
		step.files = append(step.files, laterState(s.Pass, step.first)...)
		step.does = fmt.Sprintf("%s, which %s no offset file", phrase.List(names, 3), haveHas(len(names)))
		step.needs = again(step.twice)
		return step, ""
	}
	bad := broken(s, restart.NewestCommit)
	if bad == "" {
		return step, ""
	}
	step.files = withCRC(&s.Commits, namedAs(&s.Commits, s.C)...)
	step.does = fmt.Sprintf("%s, which cannot be read", basics.LogName(&s.Commits, s.C))
	if s.C == s.L && s.Commits.Find(s.C) != nil {
		step.first, step.last, step.twice = s.L, s.L, []int64{s.L}
		step.needs = []string{
			fmt.Sprintf("The sources still have what batch %d read.", s.L),
			fmt.Sprintf("The sink accepts batch %d a second time, with the same offsets.", s.L),
		}
	}
	return step, ""
}

// unlessThere is what the sink must not have for a batch that is planned again.
func unlessThere(batch int64) string {
	return fmt.Sprintf("The sink has no rows of batch %d yet: they would be written twice, or the new rows skipped by a sink that remembers batch IDs.", batch)
}

func haveHas(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// again is what committed batches that are planned again ask of sources and sink.
func again(twice []int64) []string {
	which := "batches " + strings.ReplaceAll(phrase.List(basics.SpanNames(basics.Runs(twice)), 5), "–", " to ")
	if len(twice) == 1 {
		which = fmt.Sprintf("batch %d", twice[0])
	}
	return []string{
		fmt.Sprintf("The sources still have what %s read.", which),
		fmt.Sprintf("The sink is set back too, or accepts rows of %s twice. A sink that remembers batch IDs (Delta, a file sink) skips a known batch ID, although its rows now differ.", which),
	}
}

// asideFolder is a folder under the name of a file that the batch has to write.
func asideFolder(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1}
	if s.L < 0 {
		return step, ""
	}
	b := s.FirstBatch()
	for _, d := range []*checkpoint.LogDir{&s.Offsets, &s.Commits} {
		if restart.Folder(d, b) {
			step.files = append(step.files, fmt.Sprintf("%s/%d", d.Name, b))
		}
	}
	step.does = fmt.Sprintf("%s, a folder with the name of a file batch %d has to write", strings.Join(step.files, " and "), b)
	return step, ""
}

// asideSources is an entry of a file source's log that cannot be read. One above the newest plan belongs to no batch yet;
// one of an uncommitted batch goes with its plan, and the files that it names are found again.
func asideSources(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1}
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		key := path.Base(f.Name)
		if !f.IsLog() || !s.PlansSource(key) || broken(s, func(s *restart.Judge) (checks.Restart,
			bool) {
			return restart.FileLogOpened(s, key, source.Offset{})
		}) == "" {
			continue
		}
		for _, file := range f.Files {
			_, e := s.LogFlaw(file)
			if e == nil {
				continue
			}
			n := log.ParseName(path.Base(file.Name))
			planned, known := plannedEntry(s, key, s.L)
			before, knownBefore := plannedEntry(s, key, s.L-1)
			switch {
			case n.Compact || !known:
				return step, fmt.Sprintf("%s: without it the source would read the files it names again", basics.FlawText(e))
			case n.ID > planned:
			case !s.AllCommitted() && s.C < s.L && s.L > 0 && knownBefore && n.ID > before:
				step.files = append(withCRC(&s.Offsets, namedAs(&s.Offsets, s.L)...), laterState(s.Pass, s.L)...)
				step.first, step.last = s.L, s.L
				step.needs = []string{unlessThere(s.L)}
			default:
				return step, fmt.Sprintf("%s; a committed batch read the files it names, and without it the source would read them again", basics.FlawText(e))
			}
			for _, l := range f.LogDir.Files {
				if l.ID >= n.ID {
					step.files = append(step.files, withCRC(&f.LogDir, l.Name)...)
				}
			}
			step.does = fmt.Sprintf("%s, which cannot be read and which no committed batch needs: the source finds its files again", file.Name)
			return step, ""
		}
	}
	return step, ""
}

// plannedEntry is the entry of a file source's log at which a plan ends; -1 below the first plan.
func plannedEntry(s *restart.Judge, key string, batch int64) (int64, bool) {
	if batch < 0 {
		return -1, true
	}
	plan := s.PlanOf(batch)
	if plan == nil {
		return 0, false
	}
	o := basics.SourceNamed(plan, key)
	if o.None {
		return -1, true
	}
	return basics.LogOffset(o)
}

// asideSchema is a schema file of a store that cannot be read: Spark writes it again from the query.
func asideSchema(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1}
	if version, ok := stores.StartVersion(s.Pass); !ok || version <= 0 {
		return step, ""
	}
	for i := range s.Survey.State {
		for _, e := range s.Survey.State[i].Problems() {
			if e.What != log.OperatorWhat && stores.SchemaStops(s.Pass, e) && !slices.Contains(step.files, e.File) {
				step.files = append(step.files, e.File)
			}
		}
	}
	step.does = fmt.Sprintf("%s, which cannot be read: Spark writes it again from the query", phrase.List(step.files, 3))
	step.needs = []string{"The query is exactly the one that wrote the state: Spark does not compare its columns with the state in this start."}
	return step, ""
}

// asideRecord is the record of a stateful operator that no query fits: where one is missing, Spark compares none.
func asideRecord(s *restart.Judge) (step aside, because string) {
	step = aside{first: -1, last: -1, files: stores.WrongRecords(s.Pass)}
	step.does = fmt.Sprintf("%s, which no query matches: without it Spark does not compare the operators with their records", phrase.List(step.files, 3))
	step.needs = []string{"The query is exactly the one that wrote the state: Spark does not compare its operators with the state in this start."}
	return step, ""
}

// asideSums is a checksum of a state file that cannot be read, where the release fails on it; without it the file is
// loaded as it is. Files that differ from their checksum are noted as no good.
func asideSums(s *restart.Judge) (step aside, err error) {
	step = aside{first: -1, last: -1}
	if !s.Spark.AtLeast(spark.Version{Major: 4, Minor: 1}) {
		return step, nil
	}
	for v, err := range statestore.Verify(s.Ctx, s.Checkpoint, stores.NeededStateFiles(s.Pass), stores.ReadWhole) {
		switch {
		case err != nil:
			return step, err
		case !stores.ChecksumStops(s.Pass, v.File.File):
		case v.Size != nil, v.Spark != nil && v.Spark.Flaw == decode.Checksum:
			stores.ContentsOf(s.Pass).Wrong[v.Path()], stores.ContentsOf(s.Pass).Newest = true, nil
		case v.Spark != nil && v.Spark.Flaw != decode.VersionUnknown:
			step.files = append(step.files, v.Path()+".crc")
		}
	}
	step.does = fmt.Sprintf("%s: the checksum cannot be read, and without it Spark loads the file unchecked", phrase.List(step.files, 3))
	return step, nil
}
