package report

import (
	"fmt"
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
			ReadsAgain: readsAgainJSON{w.First, w.Last, newRanges(w.Ranges)}, WritesTwice: list(w.Twice), Lost: lostJSON{w.LosesState, w.LosesID}, Needs: list(w.Needs)}
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
	b := &rollback{Batch: w.To, StateVersion: w.Restart.StateVersion, Missing: []string{}, MoveAside: []string{}, RunsAgainTo: w.Last, SinkGivenTo: w.To, Ranges: newRanges(w.Ranges)}
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

// Cost is what a way costs, in one sentence.
func Cost(w *checks.Recovery) string {
	var parts []string
	if w.First >= 0 {
		parts = append(parts, "reads again what "+batchSpan(w.First, w.Last)+" read")
	}
	if n := len(w.Twice); n > 0 {
		parts = append(parts, "gives the sink "+batchSpan(w.Twice[0], w.Twice[n-1])+" a second time")
	}
	switch {
	case w.LosesState:
		parts = append(parts, "loses the state and the query ID")
	case w.LosesID:
		parts = append(parts, "loses the query ID, by which a sink knows repeated batches")
	}
	if len(parts) == 0 {
		return "Costs nothing: no row is read again, written twice or lost."
	}
	return "It " + strings.Join(parts, " and ") + "."
}

func batchSpan(first, last int64) string {
	if first == last {
		return fmt.Sprintf("batch %d", first)
	}
	return fmt.Sprintf("batches %d to %d", first, last)
}

// WayNames are the ways as a person reads them.
var WayNames = map[checks.RecoveryWay]string{
	checks.PutBack: "put back", checks.SetAside: "set aside", checks.RollBack: "roll back", checks.NewCheckpoint: "new checkpoint",
}

// BeforeAnyWay is what comes before each of the ways.
const BeforeAnyWay = "First stop every run of the query and copy the whole checkpoint. Move files, never delete them: nothing else brings them back."

// waysPart are the ways, cheapest first, and what is none.
func waysPart(p *page, v *checks.Verdict) {
	r := &v.Recover
	if len(r.Ways)+len(r.Not) == 0 {
		return
	}
	p.title("THE WAYS BACK, CHEAPEST FIRST")
	if len(r.Ways) > 0 {
		p.wrap("  ", BeforeAnyWay)
	}
	for i := range r.Ways {
		w := &r.Ways[i]
		p.hang(fmt.Sprintf("  %d ", i+1), Printable(w.Does)+" "+Cost(w))
		for _, need := range w.Needs {
			p.hang("    "+p.mark("·", "-")+" ", Printable(need))
		}
		if i == 0 || !r.Ways[0].Free() {
			p.ranges(v, w.Ranges, "    ")
		}
	}
	for _, n := range r.Not {
		p.hang("  "+p.mark("✗", "x")+" ", WayNames[n.Way]+": not possible. "+Sentence(Printable(n.Because)))
	}
}
