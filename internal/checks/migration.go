package checks

import "tidemark/internal/availability"

// Migration is how a query leaves this checkpoint for a new one: where the old one stops, and where the new
// one starts. Nothing here is done; it is a plan to read, and to paste into a change request.
type Migration struct {
	Batch  int64                        // the newest committed batch: the new query continues after it
	File   string                       // the plan that records where it ends: "offsets/12"
	Open   []int64                      // planned above it and not committed: their rows may be in the sink, or in part; ascending
	Starts []availability.StartPosition // by source, in plan order
	// Steps are what to do, in order; each one or more full sentences.
	Steps []string
	// Keep are the files and folders to keep as evidence until the new query has proved itself.
	Keep []string
}
