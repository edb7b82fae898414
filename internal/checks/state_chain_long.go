package checks

import (
	"context"
	"fmt"

	"tidemark/checkpoint/decode"
)

var stateChainLong = &Check{
	Code:     "state-chain-long",
	Severity: Medium,
	Question: Intact,
	OfState:  true,
	Rejudge:  true,
	Title:    "many small state files since the last whole one",
	Meaning: `A restart rebuilds each store from its last whole version and then from one file for every batch since. So many of them make the
restart slow, and each is one more that can be missing. A maintenance task writes the whole versions while the query runs; it has not
kept up, or the query runs too shortly each time for it to come round.`,
	NextStep: `Look in the executors' logs for errors of the state store maintenance. Let the query run on for some minutes, or lower
spark.sql.streaming.stateStore.minDeltasForSnapshot and spark.sql.streaming.stateStore.maintenanceInterval.`,
	Avoid: `Do not delete any of these files: each is needed.`,
	Run:   runStateChainLong,
}

// longChain is how many files a version is rebuilt from before it is told: ten times what Spark aims at.
const longChain = 100

func runStateChainLong(_ context.Context, p *Pass) error {
	type longest struct {
		storeNeed
		stores int
	}
	var found []longest
	for n := range stateNeeds(p) {
		if len(n.chain.Files) <= longChain || !n.chain.Whole() {
			continue
		}
		if k := len(found); k == 0 || found[k-1].op != n.op {
			found = append(found, longest{n, 0})
		}
		l := &found[len(found)-1]
		if len(n.chain.Files) > len(l.chain.Files) {
			l.storeNeed = n
		}
		l.stores++
	}
	for _, l := range found {
		from := "the first batch"
		if l.chain.Base > 0 {
			from = l.chain.Files[0].Name()
		}
		more := ""
		if l.stores > 1 {
			more = fmt.Sprintf("; %d stores of the operator take more than 100", l.stores)
		}
		p.Reportf(-1, decode.Where{File: l.dir}, "version %d is rebuilt from %d files since %s, %d bytes%s", l.chain.Version, len(l.chain.Files), from, l.chain.Bytes(), more)
	}
	return nil
}
