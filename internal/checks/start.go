package checks

import (
	"context"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
)

// Start is the next start of the query, as far as the checkpoint decides it. L is the newest number
// in offsets and C the newest in commits, as in the comments of Spark's MicroBatchExecution; -1 where
// a log is empty.
type Start struct {
	*Pass
	ctx  context.Context
	L, C int64
	checkpoint.Standing
}

// NextStart returns the next start, before anything of it is decided.
func NextStart(ctx context.Context, p *Pass) *Start {
	st := p.Survey.Standing
	return &Start{Pass: p, ctx: ctx, L: st.LastPlanned, C: st.LastCommitted, Standing: st}
}

// since is the text for releases from some on, and the text before.
func (s *Start) since(major, minor int, text, before string) string {
	if s.Spark.AtLeast(spark.Version{Major: major, Minor: minor}) {
		return text
	}
	return before
}

// atLeast reports whether the release that starts is this one or newer.
func (s *Start) atLeast(major, minor int) bool {
	return s.Spark.AtLeast(spark.Version{Major: major, Minor: minor})
}

// stateful reports whether the folder of a stateful operator is there, whatever is in it, unless the query
// is known to keep no state.
func (s *Start) stateful() bool { return !stateless(s.Pass) && !declaresNoState(s.Pass) }

// committed reports whether the newest plan is.
func (s *Start) committed() bool { return s.C == s.L }

// batch is the one that the start runs first.
func (s *Start) batch() int64 {
	if s.committed() {
		return s.L + 1
	}
	return s.L
}

// stateVersion is the one that the first batch loads; -1 without state.
func (s *Start) stateVersion() int64 {
	if !s.stateful() {
		return -1
	}
	return s.batch()
}
