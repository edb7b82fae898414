package basics

import (
	"context"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
)

// DeclaredTrigger is the trigger of the query; "" where it is not known.
func DeclaredTrigger(p *checks.Pass) string {
	if p.Spec == nil {
		return ""
	}
	return p.Spec.Trigger
}

// AvailableNow reports whether the query declares Trigger.AvailableNow.
func AvailableNow(p *checks.Pass) bool { return DeclaredTrigger(p) == "available-now" }

func DeclaredReplay(p *checks.Pass) string {
	if p.Spec == nil || p.Spec.Sink == nil {
		return ""
	}
	return p.Spec.Sink.Replay
}

// Start is the next start of the query, as far as the checkpoint decides it. L is the newest number
// in offsets and C the newest in commits, as in the comments of Spark's MicroBatchExecution; -1 where
// a log is empty.
type Start struct {
	*checks.Pass
	Ctx  context.Context
	L, C int64
	checkpoint.Standing
}

// NextStart returns the next start, before anything of it is decided.
func NextStart(ctx context.Context, p *checks.Pass) *Start {
	st := p.Survey.Standing
	s := &Start{Pass: p, Ctx: ctx, L: st.LastPlanned, C: st.LastCommitted, Standing: st}
	if !s.OnSpark(3, 1) {
		s.skipNames()
	}
	if !s.OnSpark(2, 2) { // StreamExecution of 2.1 has no commit log
		s.C, s.Committed = -1, nil
	}
	return s
}

// skipNames passes over names that Spark counts and then cannot open ("08"): HDFSMetadataLog.getLatest of 3.0 and older
// continues with the next lower number. Later releases fail there. From the sources of 2.1 to 3.0, not tried.
func (s *Start) skipNames() {
	last, committed := lastNamed(&s.Offsets), lastNamed(&s.Commits)
	if last == s.L && committed == s.C {
		return
	}
	read := func(id int64) *checkpoint.Batch {
		if id < 0 {
			return nil
		}
		b, err := s.Checkpoint.Batch(s.Ctx, id)
		if err != nil {
			return nil
		}
		return b
	}
	if last != s.L {
		s.L, s.Last, s.Before = last, read(last), nil
		if s.Offsets.Find(last-1) != nil {
			s.Before = read(last - 1)
		}
	}
	s.C, s.Committed = committed, read(committed)
	if s.C == s.L {
		s.Committed = s.Last
	}
}

// lastNamed is the newest number whose file has the name that Spark opens; -1 for none.
func lastNamed(d *checkpoint.LogDir) int64 {
	for i := len(d.Files) - 1; i >= 0; i-- {
		if id := d.Files[i].ID; d.Find(id) != nil {
			return id
		}
	}
	return -1
}

// Since is the text for releases from some on, and the text before.
func (s *Start) Since(major, minor int, text, before string) string {
	if s.OnSpark(major, minor) {
		return text
	}
	return before
}

// OnSpark reports whether the release that starts is this one or newer. One that is not known counts as the newest.
func (s *Start) OnSpark(major, minor int) bool {
	return s.Spark == (spark.Version{}) || s.Spark.AtLeast(spark.Version{Major: major, Minor: minor})
}

// Stateful reports whether the folder of a stateful operator exists, whatever is in it, unless the query
// is known to keep no state.
func (s *Start) Stateful() bool { return !Stateless(s.Pass) && !DeclaresNoState(s.Pass) }

// AllCommitted reports whether the newest plan is.
func (s *Start) AllCommitted() bool { return s.C == s.L }

// FirstBatch is the one that the start runs first.
func (s *Start) FirstBatch() int64 {
	if s.AllCommitted() {
		return s.L + 1
	}
	return s.L
}

// StateVersion is the one that the first batch loads; -1 without state.
func (s *Start) StateVersion() int64 {
	if !s.Stateful() {
		return -1
	}
	return s.FirstBatch()
}

// DeclaresNoState reports whether the query is known to keep no state.
func DeclaresNoState(p *checks.Pass) bool {
	return p.Spec != nil && p.Spec.Operators != nil && len(p.Spec.Operators) == 0
}
