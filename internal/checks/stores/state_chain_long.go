package stores

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
	"tidemark/internal/checks"
)

var StateChainLong = &checks.Check{
	Code:     "state-chain-long",
	Severity: checks.Medium,
	Question: checks.Intact,
	OfState:  true,
	Rejudge:  true,
	Title:    "many small state files since the last snapshot",
	Meaning: `A restart rebuilds each store from its last snapshot and one file for every batch since then. So many files slow the restart,
and any missing one stops it. A maintenance task writes the snapshots while the query runs. It has not kept up, or each run of the query
is too short for it.`,
	NextStep: `Look in the executor logs for errors of the state store maintenance. Let the query run for some minutes, or lower
spark.sql.streaming.stateStore.minDeltasForSnapshot and spark.sql.streaming.stateStore.maintenanceInterval.`,
	Avoid: `Do not delete any of these files: a restart needs each one.`,
	Run:   runStateChainLong,
}

// longChain is how many files a version is rebuilt from before it is told: ten times what Spark aims at.
const longChain = 100

func runStateChainLong(_ context.Context, p *checks.Pass) error {
	type longest struct {
		Need
		stores int
	}
	var found []longest
	for n := range Needs(p) {
		if len(n.Chain.Files) <= longChain || !n.Chain.Whole() {
			continue
		}
		if k := len(found); k == 0 || found[k-1].Op != n.Op {
			found = append(found, longest{n, 0})
		}
		l := &found[len(found)-1]
		if len(n.Chain.Files) > len(l.Chain.Files) {
			l.Need = n
		}
		l.stores++
	}
	for _, l := range found {
		from := "the first batch"
		if l.Chain.Base > 0 {
			from = l.Chain.Files[0].Name()
		}
		more := ""
		if l.stores > 1 {
			more = fmt.Sprintf("; %d stores of the operator need more than 100", l.stores)
		}
		p.Reportf(-1, decode.Where{File: l.Dir}, "version %d is rebuilt from %d files since %s, %d bytes%s", l.Chain.Version, len(l.Chain.Files), from, l.Chain.Bytes(), more)
	}
	return nil
}
