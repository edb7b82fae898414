package stores

import (
	"context"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
)

var StateMostlyEmpty = &checks.Check{
	Code:     "state-mostly-empty",
	Severity: checks.Medium,
	Question: checks.Intact,
	OfState:  true,
	Rejudge:  true,
	Title:    "most state partitions are empty",
	Meaning: `Most partitions of this operator have no row, but every batch writes a file for each one. That costs time in each batch, and
requests on an object store. The number of partitions was fixed when the query first started. No setting changes it.`,
	NextStep: `If batches are too slow: plan a new checkpoint with fewer spark.sql.shuffle.partitions, or use offline state repartitioning
(Spark 4.2 and later).`,
	Avoid: `Do not change spark.sql.shuffle.partitions in the newest offset file: Spark would load fewer partitions and lose the keys of
the others.`,
	Run: runStateMostlyEmpty,
}

// Bounds of state-mostly-empty: a query that has just begun may fill its partitions yet.
const (
	manyPartitions = 100
	settledVersion = 20
)

// emptyDelta is the size of an HDFS-backed delta or snapshot of no row, compressed with LZ4: a block
// with the end mark FF FF FF FF (21 + 4 bytes) and the end block (21).
const emptyDelta = 46

func runStateMostlyEmpty(_ context.Context, p *checks.Pass) error {
	type count struct{ all, empty int }
	var op *statestore.Operator
	var c count
	tell := func() {
		if op != nil && c.all >= manyPartitions && c.empty*10 >= c.all*9 {
			p.Reportf(-1, decode.Where{File: op.Dir}, "%d of %d stores have no row", c.empty, c.all)
		}
	}
	for n := range Needs(p) {
		if n.Chain.Version < settledVersion {
			return nil
		}
		if n.Op != op {
			tell()
			op, c = n.Op, count{}
		}
		c.all++
		if n.Chain.Whole() && holdsNothing(&n.Chain) {
			c.empty++
		}
	}
	tell()
	return nil
}

// holdsNothing reports whether no file of the chain has a row, as far as sizes prove it.
func holdsNothing(c *state.Chain) bool {
	for _, f := range c.Files {
		if f.Role.RocksDB() || f.Size != emptyDelta {
			return false
		}
	}
	return len(c.Files) > 0
}
