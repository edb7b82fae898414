package checks

import (
	"fmt"
	"slices"

	"tidemark/internal/phrase"
)

// Recovery is a way from damaged files to a start that goes well, and what it costs. Nothing of it is done here: it says
// what to do in the checkpoint, after a copy of it was made.
type Recovery struct {
	Way   RecoveryWay
	Does  string   // what to do and what Spark then does; full sentences
	Files []string // to put back or to set aside, within the checkpoint; of a folder of which all is gone, the folder
	More  int      // how many more files there are than are listed

	// Restart is the next start afterwards. Of SetAside and RollBack it was judged on the checkpoint without Files; of
	// PutBack it takes the files for whole.
	Restart Restart

	To          int64    // of RollBack: the batch that is gone back to; -1 of the others
	First, Last int64    // the batches whose rows are read again, both included; -1 for none
	Ranges      []Range  // what the sources must still have for that, as far as plans record it
	Twice       []int64  // committed batches that the sink is given again, ascending; no more than are listed elsewhere
	LosesState  bool     // state begins empty
	LosesID     bool     // the query gets a new id: a sink that knows batches by it takes all for new
	Needs       []string // what must hold for it to go well; full sentences
}

// RecoveryWay is a kind of way.
type RecoveryWay string

// The ways, by the words of the JSON.
const (
	PutBack       RecoveryWay = "put-back"       // the files that are missing or broken, from where they still are
	SetAside      RecoveryWay = "set-aside"      // move files that block a start out of the checkpoint
	RollBack      RecoveryWay = "roll-back"      // to an older batch
	NewCheckpoint RecoveryWay = "new-checkpoint" // that starts at the offsets where this one ended
)

// NoRecovery is a way that is none here.
type NoRecovery struct {
	Way     RecoveryWay
	Because string
}

// Recoveries are the ways that there are, cheapest first, and why the others are none. None of both where nothing is
// wrong with the files of a checkpoint.
type Recoveries struct {
	Ways []Recovery
	Not  []NoRecovery
}

// Cheapest is the first way; nil where there is none.
func (r *Recoveries) Cheapest() *Recovery {
	if len(r.Ways) == 0 {
		return nil
	}
	return &r.Ways[0]
}

// Short is the way in a few words: "set aside state/0/0/12.zip", "roll back to batch 9".
func (r *Recovery) Short() string {
	files := phrase.List(r.Files, 3)
	switch r.Way {
	case PutBack:
		return "put back " + files
	case SetAside:
		return "set aside " + files
	case RollBack:
		return fmt.Sprintf("roll back to batch %d", r.To)
	}
	return "start a new checkpoint at the offsets of this one"
}

// Free reports whether nothing is read again, written twice or lost, and no file has to be found.
func (r *Recovery) Free() bool { return slices.Max(r.Cost()) == 0 }

// Cost orders ways: what is lost, then what is written twice, what is read again, and whether a file has to be
// found that may be nowhere.
func (r *Recovery) Cost() []int64 {
	c := []int64{0, int64(len(r.Twice)), 0, 0}
	switch {
	case r.LosesState:
		c[0] = 2
	case r.LosesID:
		c[0] = 1
	}
	if r.First >= 0 {
		c[2] = r.Last - r.First + 1
	}
	if r.Way == PutBack {
		c[3] = 1
	}
	return c
}
