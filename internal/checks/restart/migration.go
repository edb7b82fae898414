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
	m.Keep = []string{"the complete old checkpoint, above all metadata, offsets and commits", "the code and settings of the release that wrote it"}
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
		st.Without = plan.File + " has no offset of this source: the new query starts where its own option says"
		return st
	case basics.FileSource(s.Pass, basics.SourceKey(i, o), o):
		st.Kinds = []string{source.File.Name}
		st.Without = fmt.Sprintf(`a file source has no option for a start position: it would read every file it finds. Move
the files listed in sources/%s out of its input folder, or exclude them by name (option pathGlobFilter)`, basics.SourceKey(i, o))
		return st
	case o.LogsStart():
		if next := s.PlanOf(s.C + 1); next != nil {
			if n := basics.SourceOf(next, i, o.Name); !n.None && n.Problem == nil {
				o, st.Raw = n, n.Raw
				break
			}
		}
		st.Repeats = fmt.Sprintf("everything batch %d read: this kind of source records where a batch starts, not where it ends", s.C)
	}
	at, ok := begins.At(i, o)
	st.Kinds, st.Asked = at.Kinds, at.Asked
	switch {
	case ok:
		at.Name, at.Repeats = st.Name, cmp.Or(st.Repeats, at.Repeats)
		return at
	case len(at.Notes) > 0:
		st.Without = strings.Join(at.Notes, "; ") + "; the recorded position is " + o.Raw
	default:
		st.Without = "tidemark knows no option of this source that continues at a recorded position; the recorded position is " + o.Raw
	}
	return st
}

func migrationSteps(m *checks.Migration, s *Judge) {
	add := func(format string, args ...any) { m.Steps = append(m.Steps, fmt.Sprintf(format, args...)) }
	add("Stop every run of the old query, and make sure no scheduler starts it again. Copy the whole checkpoint.")
	if len(m.Open) > 0 {
		add(`Batch %d is not committed: all or some of its rows may be in the sink. If the old code still starts: run it once
with the trigger available-now until every batch is committed, and use the offsets after that. If it does not start: check the
sink for rows written after batch %d before the new query starts.`, m.Open[len(m.Open)-1], m.Batch)
	}
	add("Start the new query with a new, empty checkpoint location, at the end of batch %d as %s records it. Set the start offsets given here; start options apply only to a new checkpoint.", m.Batch, m.File)
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
		add("Not checked: whether the sources still have the records after these offsets. Name them with --kafka, --source or --positions; the start offsets then begin at what is left.")
	}
	if ops := s.Survey.State; len(ops) > 0 {
		var names []string
		for i := range ops {
			names = append(names, checks.OrNothing(ops[i].Name))
		}
		add(`The new query starts with empty state: the state of %s is not carried over. Totals start again from 0, and
everything seen before counts as new. Open windows and rows waiting for a match are lost. If that matters: start earlier than
batch %d, so that Spark rebuilds the state, and keep repeated results out of the sink.`, strings.Join(names, " and "), m.Batch)
	}
	add(`The new query has another query ID, and its batch IDs start at 0. Sinks that deduplicate by query ID and batch ID do
not recognize repeats: Delta, the file sink, foreachBatch code that keeps the batch ID. So no data may be read by both
queries. Start the new one exactly where the old one stopped, and never start the old checkpoint again.`)
}
