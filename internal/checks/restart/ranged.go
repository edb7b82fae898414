package restart

import (
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/sources"
)

// rangedStart is a start that a source stops which plans ranges of partitions, as Kafka's does: over its offsets, or over what the brokers no
// longer have.
func rangedStart(s *Judge) (checks.Restart, bool) {
	stop := sources.RangedStart(s.Start)
	if stop == nil {
		return goOn()
	}
	out, _ := refuses(stop.Batch, stop.Words, "%s", stop.Because)
	out.Sound, out.Despite, out.Planned = stop.Sound, stop.Despite, s.L >= 0 && !s.AllCommitted()
	switch {
	case s.L < 0:
	case s.AllCommitted():
		out.Ranges = basics.StartRanges(s.Last.Plan, s.Previous())
	default:
		out.Ranges = s.BatchRanges()
	}
	return out, true
}
