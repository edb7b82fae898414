package restart

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/availability"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Migrate is the plan; nil where no batch is committed or its plan cannot be read.
func Migrate(next *basics.Start, begins checks.Starts) *checks.Migration {
	s := &Judge{next}
	if s.C < 0 || s.Committed == nil && s.Last == nil {
		return nil
	}
	plan := s.PlanOf(s.C)
	if plan == nil || len(plan.Sources) == 0 {
		return nil
	}
	m := &checks.Migration{Batch: s.C, File: plan.File}
	for id := range s.Offsets.IDs() {
		if id > s.C && len(m.Open) < basics.ListLimit {
			m.Open = append(m.Open, id)
		}
	}
	for i, o := range plan.InOrder() {
		m.Starts = append(m.Starts, s.startOf(i, o, plan, begins))
	}
	m.Keep = []string{"the old checkpoint as a whole, above all metadata, offsets and commits", "the code and the settings of the release that wrote it"}
	migrationSteps(m, s)
	return m
}

// PlanOf is the plan of a batch that the survey has, or that is read.
func (s *Judge) PlanOf(id int64) *log.Plan {
	for _, b := range []*checkpoint.Batch{s.Last, s.Before, s.Committed} {
		if b != nil && b.ID == id && b.Plan != nil {
			return b.Plan
		}
	}
	if s.Offsets.Find(id) == nil {
		return nil
	}
	b, err := s.Checkpoint.Batch(s.Ctx, id)
	if err != nil {
		return nil
	}
	return b.Plan
}

// startOf is where the new query begins with a source whose line in the plan of the newest committed batch
// this is.
func (s *Judge) startOf(i int, o source.Offset, plan *log.Plan, begins checks.Starts) availability.StartPosition {
	st := availability.StartPosition{Source: i, Kinds: o.KindNames(), Raw: o.Raw}
	if names := basics.RecordedNames([]source.Offset{o}); len(names) > 0 {
		st.Name = o.Name
	}
	switch {
	case o.None:
		st.Without = plan.File + " has no offset of this source: the new query begins where its own option says"
		return st
	case basics.FileSource(s.Pass, basics.SourceKey(i, o), o):
		st.Kinds = []string{source.File.Name}
		st.Without = fmt.Sprintf(`a file source has no option for a position: it would read every file that it finds. Move the files that sources/%s lists out of its way, or
leave them out by their names (the option pathGlobFilter)`, basics.SourceKey(i, o))
		return st
	case o.LogsStart():
		if next := s.PlanOf(s.C + 1); next != nil {
			if n := basics.SourceOf(next, i, o.Name); !n.None && n.Problem == nil {
				o, st.Raw = n, n.Raw
				break
			}
		}
		st.Repeats = fmt.Sprintf("all that batch %d read: the plan of this kind of source records where a batch starts, and its end is not recorded in a plan", s.C)
	}
	at, ok := begins.At(i, o)
	st.Kinds, st.Asked = at.Kinds, at.Asked
	switch {
	case ok:
		at.Name, at.Repeats = st.Name, cmp.Or(st.Repeats, at.Repeats)
		return at
	case len(at.Notes) > 0:
		st.Without = strings.Join(at.Notes, "; ") + "; the position as recorded is " + o.Raw
	default:
		st.Without = "no option of this source that goes on at a recorded position is known here; the position as recorded is " + o.Raw
	}
	return st
}

func migrationSteps(m *checks.Migration, s *Judge) {
	add := func(format string, args ...any) { m.Steps = append(m.Steps, fmt.Sprintf(format, args...)) }
	add("Stop every run of the old query, and make sure that none is started again by a scheduler. Copy the whole checkpoint.")
	if len(m.Open) > 0 {
		add(`Batch %d is planned and not committed: its rows may be in the sink, wholly or in part. Where the old code still starts, let it run once more until
nothing is left uncommitted (trigger available-now), and take the positions after that. Where it does not, look into the sink for what came after batch %d before the
new query starts.`, m.Open[len(m.Open)-1], m.Batch)
	}
	add("Start the new query with a new, empty checkpoint location, at the end of batch %d as %s records it (the start positions of this plan). A start option counts only where the checkpoint is new.", m.Batch, m.File)
	for _, st := range m.Starts {
		if st.Repeats != "" {
			add("Source %d reads again %s.", st.Source, st.Repeats)
		}
		for _, note := range st.Notes {
			add("Source %d: %s.", st.Source, note)
		}
		if st.Without != "" {
			add("Source %d (%s): %s.", st.Source, strings.Join(st.Kinds, " or "), st.Without)
		}
	}
	if slices.ContainsFunc(m.Starts, func(st availability.StartPosition) bool { return st.Option != "" && !st.Asked }) {
		add("Not checked: whether the sources still have what follows these positions. --kafka, --source or --positions shows it; the positions then begin at what is left.")
	}
	if ops := s.Survey.State; len(ops) > 0 {
		var names []string
		for i := range ops {
			names = append(names, checks.OrNothing(ops[i].Name))
		}
		add(`The new query begins with empty state: what %s had remembered is not there. Totals start again from 0, open windows and rows that wait for a match are lost, and
what was seen before counts as new. Where that matters, start earlier than batch %d, so that the state is built again from the sources, and keep the sink from taking the
repeated results twice.`, strings.Join(names, " and "), m.Batch)
	}
	add(`The new query has another id, and its batches count from 0. A sink that knows repeated batches by query and number (Delta, the file sink, foreachBatch code that keeps
the batch id) does not take them for repeats. So nothing may be read by both queries: the new one starts exactly where the old one stopped, and the old checkpoint is never
started again.`)
}
