package restart

import (
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/sources"
)

// kafkaStart is a start that a Kafka source stops: over its offsets, or over what the brokers no longer have.
func kafkaStart(s *Judge) (checks.Restart, bool) {
	stop := sources.KafkaStart(s.Start)
	if stop == nil {
		return goOn()
	}
	out, _ := refuses(stop.Batch, stop.Words, "%s", stop.Because)
	out.Sound = stop.Sound
	switch {
	case s.L < 0:
	case s.AllCommitted():
		out.Ranges = basics.StartRanges(s.Last.Plan, s.Previous())
	default:
		out.Ranges = s.BatchRanges()
	}
	return out, true
}
