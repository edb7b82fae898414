package checks

import (
	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

// Output is what the output of the query proves, held against the checkpoint.
type Output struct {
	output.Held
	Situation Situation
	Says      string // what it comes to, in one or two sentences

	// First and Last are the batches that it is about: those that are skipped, missing or held; -1 for none.
	First, Last int64
	Missing     []Range // what the sources gave to batches that are missing; none where that is not known
	Part        bool    // Missing begins later than First: the plan of the batch before First is missing

	Refusal *Refusal // of the columns that the query declares; nil where the table takes them, or where that is not known
}

// Refusal is a batch that fails in the sink.
type Refusal struct {
	Error   string // the condition, or the key phrase of its message
	Because string // one sentence without a full stop
}

// Situation is how the output stands to the checkpoint.
type Situation string

// The situations, the harmless ones first.
const (
	InStep         Situation = "in step"                    // the newest committed batch is the newest that is recorded
	NotInSink      Situation = "not in the sink"            // the uncommitted batch has left nothing that counts
	Unacknowledged Situation = "in the sink, not committed" // the uncommitted batch is recorded, and the commit is missing
	Running        Situation = "running"                    // the query continued while it was checked
	NothingYet     Situation = "nothing yet"                // nothing was committed, and nothing is recorded
	Ahead          Situation = "sink ahead"                 // batches are recorded that the checkpoint does not know
	Replanned      Situation = "planned again"              // the uncommitted batch was planned after it was recorded
	OldOutput      Situation = "new checkpoint, old output"
	SetBack        Situation = "table set back"         // batches are recorded whose rows were taken out again
	Behind         Situation = "sink behind"            // committed batches with rows are not recorded
	OtherID        Situation = "another query id"       // only other ids are recorded
	NoTrace        Situation = "no trace"               // the output records batches, and none of this query
	Forgotten      Situation = "in the sink, forgotten" // the uncommitted batch is recorded, and the record has expired
	NotTold        Situation = "unknown"
)

// Utc is a time in ms since the epoch, for people.
func Utc(ms int64) string { return phrase.Time(ms) }

// Has reports whether the output is known to have a batch: it skips that one without reading it. o may be nil.
func (o *Output) Has(batch int64) bool { return o != nil && o.Holds(batch) == output.Yes }
