package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/page"
	"tidemark/internal/phrase"
	"tidemark/internal/report"
)

// side is one of two checkpoints.
type side struct {
	cp        *checkpoint.Checkpoint
	survey    *statestore.Survey
	committed *log.Plan // of the last committed batch; nil where there is none that can be read
}

func (a *app) openSide(ctx context.Context, location string) (*side, error) {
	cp, err := a.openCheckpoint(ctx, location)
	if err != nil {
		return nil, err
	}
	survey, err := statestore.ReadSurvey(ctx, cp)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", location, err)
	}
	s := &side{cp: cp, survey: survey}
	if b := survey.Standing.Committed; b != nil && b.Plan != nil && len(b.Plan.Sources) > 0 {
		s.committed = b.Plan
	}
	return s, nil
}

func (s *side) queryID() string {
	if s.survey.Metadata == nil || s.survey.Metadata.ID == "" {
		return "unknown"
	}
	return s.survey.Metadata.ID
}

func (a *app) diffCheckpoints(ctx context.Context, left, right string) error {
	l, err := a.openSide(ctx, left)
	if err != nil {
		return err
	}
	r, err := a.openSide(ctx, right)
	if err != nil {
		return err
	}
	d := page.NewDifference("A", "B")
	d.Head("checkpoints", "Checkpoints")
	d.Table([][]string{
		{"", "A", "B"},
		{"location", phrase.Printable(l.cp.Location), phrase.Printable(r.cp.Location)},
		{"query ID", phrase.Printable(l.queryID()), phrase.Printable(r.queryID())},
		{"newest batch", number(l.survey.Standing.LastPlanned), number(r.survey.Standing.LastPlanned)},
		{"newest committed", number(l.survey.Standing.LastCommitted), number(r.survey.Standing.LastCommitted)},
	})
	if err := fork(ctx, d, l, r); err != nil {
		return err
	}
	if l.committed == nil || r.committed == nil {
		d.Head("positions", "Offsets")
		for name, s := range map[string]*side{"A": l, "B": r} {
			if s.committed == nil {
				d.Line("%s has no committed batch with a readable offset file: its offsets cannot be compared.", name)
			}
		}
	} else {
		d.Sources(l.committed.Sources, r.committed.Sources)
		d.Conf(l.committed.Conf, r.committed.Conf)
	}
	d.Operators(l.survey.State, r.survey.State)
	unread := 0
	for _, s := range []struct {
		name string
		*side
	}{{"A", l}, {"B", r}} {
		for _, u := range s.survey.AllUnread() {
			d.Line("not checked in %s: %s: %s", s.name, u.Name, u.Reason())
			unread++
		}
	}
	if err := report.Sections(a.Out, a.options(), d.Sections...); err != nil || unread == 0 {
		return err
	}
	return exit(report.Unread)
}

func number(id int64) string {
	if id < 0 {
		return "none"
	}
	return strconv.FormatInt(id, 10)
}

// fork says where the batches of two checkpoints with a common past part.
func fork(ctx context.Context, d *page.Difference, l, r *side) error {
	d.Head("fork", "Where they diverge")
	var common []int64
	for id := range l.cp.Offsets.IDs() {
		if r.cp.Offsets.Find(id) != nil {
			common = append(common, id)
		}
	}
	if len(common) == 0 {
		d.Line("They have no batch ID in common.")
		return nil
	}
	same, parts, err := lastSame(ctx, l, r, common)
	if err != nil {
		return err
	}
	switch {
	case same < 0 && l.queryID() != r.queryID():
		d.Line("No batch is the same in both, and the query IDs differ: these are two queries, or one with a new checkpoint.")
	case same < 0:
		d.Line("No common batch is the same: they diverge before the oldest common batch.")
	case parts < 0:
		d.Line("Every common batch is the same, up to batch %d.", same)
		noteLonger(d, l, r)
	default:
		d.Line("They are the same up to batch %d. Batch %d was planned twice, with different offsets: two runs continued from there.", same, parts)
	}
	if same >= 0 && l.queryID() != r.queryID() {
		d.Line("The query IDs differ although batches are the same.")
	}
	return nil
}

// noteLonger says which of two logs of the same batches goes on further.
func noteLonger(d *page.Difference, l, r *side) {
	a, b := l.survey.Standing.LastPlanned, r.survey.Standing.LastPlanned
	switch {
	case a > b:
		d.Line("A continues to batch %d: B is an older copy, or its query stopped there.", a)
	case b > a:
		d.Line("B continues to batch %d: A is an older copy, or its query stopped there.", b)
	}
}

// lastSame returns the newest batch of ids that is planned the same on both sides, and the first after it
// that is not; -1 for none. Plans are compared by what they say, planning time included: a batch that
// two runs planned has two times.
func lastSame(ctx context.Context, l, r *side, ids []int64) (same, parts int64, err error) {
	same, parts = -1, -1
	all := map[int64]*checkpoint.Batch{}
	for b, err := range l.cp.BatchesOf(ctx, slices.Values(ids)) {
		if err != nil {
			return same, parts, err
		}
		all[b.ID] = b
	}
	for b, err := range r.cp.BatchesOf(ctx, slices.Values(ids)) {
		if err != nil {
			return same, parts, err
		}
		switch other := all[b.ID]; {
		case other.Plan == nil || b.Plan == nil:
		case samePlan(other.Plan, b.Plan):
			same, parts = b.ID, -1
		case parts < 0:
			parts = b.ID
		}
	}
	return same, parts, nil
}

func samePlan(a, b *log.Plan) bool {
	return a.Timestamp == b.Timestamp && slices.EqualFunc(a.Sources, b.Sources,
		func(x, y source.Offset) bool { return x.Name == y.Name && x.Raw == y.Raw })
}
