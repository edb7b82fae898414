package report

import (
	"slices"
	"strings"

	"tidemark/internal/checks"
)

type recoveryJSON struct {
	Way         checks.RecoveryWay `json:"way"`
	Does        string             `json:"does"`
	Files       []string           `json:"files"`
	MoreFiles   int                `json:"more_files,omitempty"` // how many there are that are not listed
	ToBatch     *int64             `json:"to_batch,omitempty"`   // of roll-back
	Restart     restart            `json:"restart"`              // afterwards
	ReadsAgain  readsAgainJSON     `json:"reads_again"`
	WritesTwice []int64            `json:"writes_twice"` // committed batches that the sink is given again
	Lost        lostJSON           `json:"lost"`
	Needs       []string           `json:"needs"`
}

type readsAgainJSON struct {
	FirstBatch int64       `json:"first_batch"` // -1 for none
	LastBatch  int64       `json:"last_batch"`
	Ranges     []rangeJSON `json:"ranges"` // empty also where the plans do not record them
}

type lostJSON struct {
	State   bool `json:"state"`
	QueryID bool `json:"query_id"`
}

type noRecoveryJSON struct {
	Way     checks.RecoveryWay `json:"way"`
	Because string             `json:"because"`
}

func newRecoveries(r *checks.Recoveries) (ways []recoveryJSON, not []noRecoveryJSON) {
	for i := range r.Ways {
		w := &r.Ways[i]
		j := recoveryJSON{Way: w.Way, Does: w.Does, Files: list(w.Files), MoreFiles: w.More, Restart: newPrediction(&w.Restart),
			ReadsAgain: readsAgainJSON{w.First, w.Last, newRanges(w.Ranges)}, WritesTwice: list(w.Twice),
			Lost: lostJSON{w.LosesState, w.LosesID}, Needs: list(w.Needs)}
		if w.To >= 0 {
			j.ToBatch = &w.To
		}
		ways = append(ways, j)
	}
	for _, n := range r.Not {
		not = append(not, noRecoveryJSON(n))
	}
	return ways, not
}

// newRollback is the way back to an older batch, in the form that restart has for it.
func newRollback(w *checks.Recovery) *rollback {
	b := &rollback{Batch: w.To, StateVersion: w.Restart.StateVersion, Missing: []string{}, MoveAside: []string{}, RunsAgainTo: w.Last,
		SinkGivenTo: w.To, Ranges: newRanges(w.Ranges)}
	for _, log := range []string{"commits/", "offsets/"} {
		if i := slices.IndexFunc(w.Files, func(name string) bool { return strings.HasPrefix(name, log) }); i >= 0 {
			b.MoveAside = append(b.MoveAside, w.Files[i])
		}
	}
	if n := len(w.Twice); n > 0 {
		b.SinkGivenTo = w.Twice[n-1]
	}
	return b
}
