package checks

// Migration is how a query leaves this checkpoint for a new one: where the old one stops, and where the new
// one starts. Nothing here is done; it is a plan to read, and to paste into a change request.
type Migration struct {
	Batch  int64           // the newest committed batch: the new query goes on behind it
	File   string          // the plan that records where it ends: "offsets/12"
	Open   []int64         // planned above it and not committed: their rows may be in the sink, or in part; ascending
	Starts []StartPosition // by source, in plan order
	// Steps are what to do, in order; each one or more full sentences.
	Steps []string
	// Keep are the files and folders to keep as evidence until the new query has proved itself.
	Keep []string
}

// StartPosition is where the new query begins to read one source.
type StartPosition struct {
	Source  int      // position in the plan, from 0
	Name    string   // of a named source, else ""
	Kinds   []string // that fit its offset, likeliest first
	Option  string   // of the source, that takes Value: "startingOffsets"; "" where there is none
	Value   string   // as the option takes it: not before what the source still has, where it was asked
	Repeats string   // what is read again with it, in words; "" for nothing
	Notes   []string // what is skipped with it, and what else to know; each one sentence without a full stop
	Without string   // why there is no option, and what to do; "" where there is one
	Asked   bool     // the source was asked what it still has
	Raw     string   // the offset as recorded
}
