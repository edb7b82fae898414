package report

import (
	"tidemark/internal/checks"
	"tidemark/internal/output"
)

// outputJSON is the field "sink": what the output of the query proves, held against the checkpoint.
type outputJSON struct {
	Kind      string           `json:"kind"`      // as a spec names kinds; "" where it is not known
	Location  string           `json:"location"`  // as it was given
	Situation checks.Situation `json:"situation"` // how it stands to the checkpoint, in a few words
	Says      string           `json:"says"`
	Highest   int64            `json:"highest"`  // the newest batch of this query there; -1 for none
	AtLeast   bool             `json:"at_least"` // newer ones may be there
	By        output.By        `json:"by"`       // "query id", "identifier", "batch number"
	Under     string           `json:"under"`    // the id that it is recorded under, where that is not the query id
	Proof     *proofJSON       `json:"proof"`    // of highest; null for none
	Unknown   string           `json:"unknown"`  // why it is not told what is there; "" where it is
	Settle    string           `json:"settle"`   // what would tell
	Unsure    string           `json:"unsure"`   // why batches may have been taken out again unseen; "" where they would have been seen
	First     int64            `json:"first"`    // the batches that situation is about; -1 for none
	Last      int64            `json:"last"`
	Missing   []rangeJSON      `json:"missing"` // what they read, where they are missing
	Undone    *undoneJSON      `json:"undone"`  // batches that were taken out again; null for none
	Others    []writerJSON     `json:"others"`
	Batches   []writtenJSON    `json:"batches"` // the newest that are known one by one, newest first
	TableID   string           `json:"table_id"`
	Expires   string           `json:"expires"` // after which the table forgets its writers; "" for never, or not known
	Notes     []string         `json:"notes"`
}

type proofJSON struct {
	Where   where `json:"where"`
	Version int64 `json:"version"` // of the table; -1 where it has none
	TimeMS  int64 `json:"time_ms"`
}

type undoneJSON struct {
	First     int64 `json:"first"`
	Last      int64 `json:"last"`
	Exact     bool  `json:"exact"` // no batch before first was taken out
	Version   int64 `json:"version"`
	ToVersion int64 `json:"to_version"` // -1 where only a time is recorded
	TimeMS    int64 `json:"time_ms"`
	Where     where `json:"where"`
}

type writerJSON struct {
	ID      string `json:"id"`
	Highest int64  `json:"highest"`
	TimeMS  int64  `json:"time_ms"`
}

type writtenJSON struct {
	Batch   int64 `json:"batch"`
	Rows    int64 `json:"rows"`  // -1 where they are not counted
	Files   int64 `json:"files"` // the same
	Version int64 `json:"version"`
	TimeMS  int64 `json:"time_ms"`
}

func newOutput(o *checks.Output) *outputJSON {
	if o == nil {
		return nil
	}
	j := &outputJSON{Kind: o.Kind, Location: o.Location, Situation: o.Situation, Says: o.Says, Highest: o.Highest, AtLeast: o.AtLeast,
		By: o.By, Under: o.Under,
		Unknown: o.Unknown, Settle: o.Settle, Unsure: o.Unsure, First: o.First, Last: o.Last, Missing: newRanges(o.Missing),
		Others: []writerJSON{}, Batches: []writtenJSON{},
		TableID: o.TableID, Expires: o.Expires, Notes: list(o.Notes)}
	if o.Highest >= 0 {
		j.Proof = &proofJSON{newWhere(o.Proof.Where), o.Proof.Version, o.Proof.Time}
	}
	if u := o.Held.Undone; u != nil {
		j.Undone = &undoneJSON{u.First, u.Last, u.Exact, u.Version, u.To, u.Time, newWhere(u.Where)}
	}
	for _, w := range o.Others {
		j.Others = append(j.Others, writerJSON{w.ID, w.Highest, w.Time})
	}
	for _, b := range o.Batches {
		j.Batches = append(j.Batches, writtenJSON{b.ID, b.Rows, b.Files, b.Version, b.Time})
	}
	return j
}
