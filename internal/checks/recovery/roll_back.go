package recovery

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/restart"
	"tidemark/internal/checks/stores"
	"tidemark/internal/phrase"
)

// rollBacks is how many batches are tried to go back to, newest first; only one where the logs are longer than longLogs,
// for each is listed once more.
const (
	rollBacks = 4
	longLogs  = 100_000 // files of both logs
)

// rollBack looks for the newest batch that the query can go back to: both of its log files exist and are intact, and every
// store can be rebuilt as it left them.
func (f *seeker) rollBack() error {
	s := &restart.Judge{Start: basics.NextStart(f.ctx, f.Pass)}
	limit, ok := stores.StartVersion(f.Pass)
	if !ok || s.L < 0 || s.C < 0 {
		f.not(checks.RollBack, "the logs do not show a batch to roll back to")
		return nil
	}
	because := "no older batch has both log files"
	committed := slices.Collect(f.Commits.IDs())
	tried, most := 0, rollBacks
	if len(f.Offsets.Files)+len(f.Commits.Files) > longLogs {
		most = 1
	}
	for _, batch := range slices.Backward(committed) {
		if batch > min(s.L, limit) || f.Offsets.Find(batch) == nil || f.Commits.Find(batch) == nil {
			continue
		}
		if tried >= most {
			break
		}
		if f.keeps() {
			version, err := stores.NewestForAll(f.ctx, f.Pass, batch+1)
			if err != nil {
				return err
			}
			if version <= batch {
				because = fmt.Sprintf("the newest state version in all state stores is %d, and the logs no longer have its batch", version)
				if version == 0 {
					because = "no state version exists in all state stores"
					break
				}
				limit = version - 1
				continue
			}
		}
		for _, keep := range []bool{true, false} {
			r, files, err := f.backTo(s, batch, keep)
			if err != nil {
				return err
			}
			if len(files) == 0 || slices.ContainsFunc(f.Ways, func(o checks.Recovery) bool { return slices.Equal(o.Files, files) }) {
				continue
			}
			q, wrong, err := f.without(files)
			if err != nil {
				return err
			}
			if starts(q, wrong) {
				listFiles(&r, files)
				r.Restart = q.Restart
				f.Ways = append(f.Ways, r)
				return nil
			}
			because = fmt.Sprintf("after a rollback to batch %d: %s", batch, stops(q, wrong))
			tried++
		}
	}
	f.not(checks.RollBack, "%s", because)
	return nil
}

// backTo is the way back to a batch. With keep the plan of the batch after it stays, where it can be read, so that it runs
// again with its recorded offsets.
func (f *seeker) backTo(s *restart.Judge, batch int64, keep bool) (r checks.Recovery, files []string, err error) {
	r = checks.Recovery{Way: checks.RollBack, To: batch, First: batch + 1, Last: max(s.L, s.C)}
	keep = keep && f.runsAgain(s, batch+1)
	for id := range f.Commits.IDs() {
		if id > batch {
			files = append(files, withCRC(&f.Commits, namedAs(&f.Commits, id)...)...)
			if len(r.Twice) < basics.ListLimit {
				r.Twice = append(r.Twice, id)
			}
		}
	}
	for _, l := range f.Offsets.Files {
		if l.ID > batch && !(keep && l.ID == batch+1 && l.Name == strconv.FormatInt(l.ID, 10)) {
			files = append(files, withCRC(&f.Offsets, l.Name)...)
		}
	}
	files = append(files, foldersAbove(&f.Offsets, batch)...)
	files = append(files, foldersAbove(&f.Commits, batch)...)
	if f.keeps() {
		asides, _, err := stores.StateAsides(f.ctx, f.Pass, batch+1)
		if err != nil {
			return r, nil, err
		}
		for i := range asides {
			files = append(files, asides[i].Files()...)
		}
		if len(files) > 0 {
			files = append(files, laterState(f.Pass, batch+1)...)
		}
	}
	if r.Last < r.First {
		r.First, r.Last = -1, -1
	} else if end := s.PlanOf(s.L); end != nil {
		r.Ranges = basics.RangesBetween(s.PlanOf(batch), end)
	}
	r.Does = fmt.Sprintf("Roll back to batch %d: set aside the files of later batches in offsets, commits and state (%s).", batch, fileCount(len(files)))
	switch {
	case keep && r.Last > batch+1:
		r.Does += fmt.Sprintf(" Spark then re-runs batch %d with its recorded offsets, and reads again what %s read.", batch+1, phrase.Batches(batch+2, r.Last))
	case keep:
		r.Does += fmt.Sprintf(" Spark then re-runs batch %d with its recorded offsets.", batch+1)
	case r.First >= 0:
		r.Does += fmt.Sprintf(" Spark then reads again what %s read.", phrase.Batches(r.First, r.Last))
	}
	switch {
	case len(r.Twice) == 1 && keep:
		r.Needs = []string{fmt.Sprintf("The sources still have what batch %d read.", r.Twice[0]), fmt.Sprintf("The sink accepts batch %d a second time, with the same offsets.", r.Twice[0])}
	case len(r.Twice) > 0:
		r.Needs = again(r.Twice)
	}
	return r, files, nil
}

func fileCount(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// runsAgain reports whether the plan of a batch can be run again as it is.
func (f *seeker) runsAgain(s *restart.Judge, batch int64) bool {
	if f.Offsets.Find(batch) == nil {
		return false
	}
	plan := s.PlanOf(batch)
	if plan == nil || len(plan.Sources) == 0 || plan.Has(decode.NoMetadata) {
		return false
	}
	_, bad := s.PlanFlaw(plan, batch)
	return !bad
}

// foldersAbove are folders in a log that are called like a later batch.
func foldersAbove(d *checkpoint.LogDir, batch int64) (names []string) {
	for _, e := range d.Others {
		if n := log.ParseName(e.Name); e.Dir && n.Role == log.LogFile && !n.Compact && n.ID > batch {
			names = append(names, d.Name+"/"+e.Name)
		}
	}
	return names
}

// laterState are the whole files of state above a version, in stores that also keep what each batch changed: batches that
// are planned again write other versions of the same numbers, and a start would take an old whole file for one of them.
func laterState(p *checks.Pass, version int64) (files []string) {
	for _, op := range p.Survey.State {
		for _, part := range op.Partitions {
			for _, s := range part.Stores {
				if !slices.ContainsFunc(s.Files, func(f state.File) bool { return !f.Role.Whole() }) {
					continue
				}
				for _, f := range s.Files {
					if f.Version > version && f.Role.Whole() {
						files = append(files, stores.WithSums(s.Dir, f)...)
					}
				}
			}
		}
	}
	return files
}
