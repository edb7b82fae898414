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
	return &Start{Pass: p, Ctx: ctx, L: st.LastPlanned, C: st.LastCommitted, Standing: st}
}

// Since is the text for releases from some on, and the text before.
func (s *Start) Since(major, minor int, text, before string) string {
	if s.Spark.AtLeast(spark.Version{Major: major, Minor: minor}) {
		return text
	}
	return before
}

// OnSpark reports whether the release that starts is this one or newer.
func (s *Start) OnSpark(major, minor int) bool {
	return s.Spark.AtLeast(spark.Version{Major: major, Minor: minor})
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
