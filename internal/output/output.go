package output

import (
	"cmp"
	"context"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/row"
)

// Sink is the output of a query.
type Sink interface {
	// Look asks the output what it holds. Its error is about reaching the bytes; what was learnt before it
	// comes back beside it.
	Look(ctx context.Context, q Query) (Held, error)
}

// Query is the query that is asked for, as its checkpoint has it.
type Query struct {
	ID        string // "" where it is not known
	Planned   int64  // newest batch in offsets; -1 for none
	Committed int64  // newest batch in commits; -1 for none
	Newest    int    // how many of the newest batches are to be described, where that takes requests of its own
	Table     bool   // the schema and the id of the table are wanted, also where that takes requests of its own
	Now       int64  // ms since the epoch, UTC: for records that expire

	// CompactInterval is spark.sql.streaming.fileSink.log.compactInterval where it is declared; 0 where not.
	CompactInterval int64
}

// By is what a proof goes by.
type By string

// The kinds of proof, weakest last.
const (
	QueryID    By = "query ID"   // no other query can have written it
	Identifier By = "identifier" // a name that a user chose, or a default: who has the same one is not told apart
	Number     By = "batch ID"   // any query that wrote here counts
)

// Held is what an output proves. Its zero value proves nothing: see Unknown.
type Held struct {
	Kind     string // as a spec names kinds: "delta", "file", "iceberg", "hudi"; "" where that is not known
	Location string // as it was given
	Absent   bool   // nothing is there that a query of this kind would have written

	// Unknown is why it cannot be told what the output holds, in one sentence; "" where it can. Settle is
	// what would tell.
	Unknown, Settle string

	Highest int64 // the newest batch of this query that is recorded there; -1 for none
	AtLeast bool  // newer ones may be recorded where they are not seen
	By      By
	Under   string // the id that it is recorded under, where that is not the query id
	Proof   Proof  // of Highest

	// Unsure is why batches up to Highest may have been taken out again without it being seen, in one sentence;
	// "" where it would have been.
	Unsure string

	Undone  *Undone  // batches that were taken out again; nil for none
	Emptied *Emptied // the rows of Highest were removed by a later version; nil for none, or where that is not seen
	Created int64    // when the table was created, ms since the epoch, UTC; 0 where that is not known, and where Highest is known
	Others  []Writer // other ids that are recorded there, newest first
	Batches []Batch  // what is known of single batches of this query, newest first
	Expires string   // the setting after which records are forgotten, as written; "" for never, or where it is not known
	Expired bool     // the record of Highest is forgotten by now: the output does not recognize the batch

	// Lost is why a batch that is not recorded may have been written all the same, as a sentence without its
	// end: records expire, or are cut off with older ones. "" where an absent record proves something.
	Lost string

	Flaw *Flaw // the table cannot be opened; nil where that is not seen

	Growth  *Growth  // of the output's own log; nil where it has none, or a small one
	Damages []Damage // of the output's own log

	// Unlogged are data files where the log of a file sink should be next to them and is not; nil for none. Highest is then -1.
	Unlogged *Unlogged

	TableID string
	Schema  *row.Type // a struct of the columns of the table; nil where it is not known
	Notes   []string  // what else was seen that matters, each one sentence
}

// Proof is where a batch is recorded.
type Proof struct {
	Where   decode.Where // the file from the output's location on
	Version int64        // of the table; -1 where it has none
	Time    int64        // when it was written, ms since the epoch, UTC; 0 where that is not recorded
}

// Batch is one batch that is recorded in the output.
type Batch struct {
	ID    int64
	Rows  int64 // -1 where they are not counted
	Files int64 // that it wrote; -1 where they are not counted
	Proof
}

// Writer is another query, or application, that is recorded in the output.
type Writer struct {
	ID      string
	Highest int64 // the newest batch, or version, under this id
	Time    int64 // ms since the epoch, UTC; 0 where that is not recorded
	Where   decode.Where
}

// Undone are batches that are recorded, and whose rows were taken out again by setting the table back.
type Undone struct {
	First   int64 // the first batch of this query of which that is known
	Exact   bool  // no batch before First was undone by this
	Last    int64 // the last batch
	Version int64 // the version that set the table back
	To      int64 // the version that it was set back to; -1 where only a time is recorded
	Time    int64 // when, ms since the epoch, UTC; 0 where that is not recorded
	Where   decode.Where
}

// Emptied is a version that removed every file with rows of the newest batch.
type Emptied struct {
	Version   int64
	Operation string // "DELETE"; "" where it is not recorded
	Files     int    // of the batch, all removed
	Others    bool   // it wrote other rows: those of the batch may be among them
	Where     decode.Where
}

// Flaw is a table that cannot be opened, by its own log.
type Flaw struct {
	Error   string // the condition of its engine
	Because string // one sentence without a full stop
}

// Growth is how long the output's own log is.
type Growth struct {
	Where    decode.Where // the newest compact file
	Entries  int64        // in it; -1 where it was too long to be counted
	Bytes    int64
	Ordinary int64 // entries of an ordinary batch; 0 where none was read
	Interval int64 // batches from one compaction to the next, as a start infers it
	Next     int64 // the batch that compacts next after a start
	Until    int64 // the one that compacts next while the query that runs keeps the usual interval; -1 where that is Next
}

// Damage is a fault of the output's own log.
type Damage struct {
	Where    decode.Where
	Evidence string
	Next     int64 // the batch that cannot be written because of it; -1 for none
	Assumed  bool  // Next holds for the default interval of compaction only
}

// VersionWord returns what a version of the output is called.
func (h *Held) VersionWord() string {
	return cmp.Or(Named(h.Kind).Version, "version")
}

// Presence is whether a batch is in the output.
type Presence byte

// What an output says of one batch.
const (
	Unknown Presence = iota
	No               // it is not there
	Yes              // it is recorded, by itself or as one of those up to the highest
	Gone             // it was recorded, and taken out again
)

// Holds says whether batch id is in the output.
func (h *Held) Holds(id int64) Presence {
	switch {
	case h == nil || h.Unknown != "":
		return Unknown
	case h.Undone != nil && id >= h.Undone.First && id <= h.Undone.Last:
		return Gone
	case h.Undone != nil && !h.Undone.Exact && id < h.Undone.First:
		return Unknown
	case id <= h.Highest:
		return Yes
	case h.AtLeast || h.Highest < 0 && h.Lost != "":
		return Unknown
	}
	return No
}
