package stores

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateWithoutLog = &checks.Check{
	Code:     "state-without-log",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	OfState:  true,
	Rejudge:  true,
	Title:    "state exists for batches that the logs do not have",
	Meaning: `The logs are empty or restarted at batch 0, and state of an earlier run of the query still exists. Up to Spark 4.0 the query
silently starts at batch 0. It reads everything the sources still have again, and writes state versions that already exist. From 4.1 on
the start fails while offsets/ is empty. Likely causes: offsets and commits were deleted to start over, or a copy without the logs.`,
	NextStep: basics.CopyFirst + `Then choose one of two ways. To continue where the query stopped: put offsets and commits back from the
same time as the state. To start over: use a new, empty checkpoint location. The sink then gets all rows again.`,
	Avoid: `Do not restart on this folder unchanged, and do not delete only parts of it.`,
	Run:   runStateWithoutLog,
}

func runStateWithoutLog(_ context.Context, p *checks.Pass) error {
	if p.Offsets.Err != nil {
		return nil
	}
	store, oldest := newestState(p)
	if store == nil {
		return nil
	}
	newest := store.Files[len(store.Files)-1]
	at := decode.Where{File: store.Path(newest)}
	if len(p.Offsets.Files) == 0 {
		f := checks.Finding{Severity: checks.Critical, Batch: 0, Where: at,
			Evidence: fmt.Sprintf("state has versions %d to %d (%s), offsets/ has no batch", oldest, newest.Version, at.File)}
		if p.Spark.AtLeast(spark.Version{Major: 4, Minor: 1}) {
			f.Title = "state exists and its logs are missing"
		} else if p.Restart.Outcome == checks.Refuses {
			f.Meaning = `The offset log is empty, and state of an earlier run of the query still exists. The query starts at batch 0 with
empty state and reads everything the sources still have again. Then it fails; the rows may be in the sink by then. Likely causes: offsets
were deleted to start over, or a copy without them.`
		}
		p.Report(f)
		return nil
	}
	if at, evidence, ok := startedOver(p); ok {
		p.Reportf(-1, at, "%s", evidence)
	}
	return nil
}

// clockSlack is how much older a state file must be than the first plan: the clocks of a store and of
// a driver may differ.
const clockSlack = 10 * 60_000 // ms

// startedOver finds a version beyond the newest plan that was written before batch 0 was planned: the
// logs are younger than the state.
func startedOver(p *checks.Pass) (at decode.Where, evidence string, ok bool) {
	first, last := p.Survey.Kept(0).Timestamp(), p.Offsets.Last()
	if p.Offsets.First() != 0 || first == 0 {
		return at, "", false
	}
	for i := range p.Survey.State {
		for _, part := range p.Survey.State[i].Partitions {
			for _, s := range part.Stores {
				if state.Newest(s.Files) <= last+2 {
					continue
				}
				f := s.Files[len(s.Files)-1]
				if f.Modified == 0 || f.Modified > first-clockSlack {
					continue
				}
				at = decode.Where{File: s.Path(f)}
				return at, fmt.Sprintf("%s was written %s, offsets/0 was planned %s; offsets ends at %d", at.File, basics.Stamp(f.Modified), basics.Stamp(first), last), true
			}
		}
	}
	return at, "", false
}

// newestState is the store with the highest version, and the lowest version of any; nil where there is
// no state file.
func newestState(p *checks.Pass) (newest *statestore.Store, oldest int64) {
	for i := range p.Survey.State {
		for j := range p.Survey.State[i].Partitions {
			part := &p.Survey.State[i].Partitions[j]
			for k := range part.Stores {
				s := &part.Stores[k]
				if len(s.Files) == 0 {
					continue
				}
				if newest == nil || state.Newest(s.Files) > state.Newest(newest.Files) {
					newest = s
				}
				if v := s.Files[0].Version; oldest == 0 || v < oldest {
					oldest = v
				}
			}
		}
	}
	return newest, oldest
}
