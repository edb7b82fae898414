package stores

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateFormatOld = &checks.Check{
	Code:     "state-format-old",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	OfState:  true,
	Rejudge:  true,
	OnlyIf:   "the join is an inner join",
	Title:    "a stream-stream join stores its state in the format of Spark 2",
	Meaning: `The newest offset file does not record spark.sql.streaming.join.stateFormatVersion, or records 1. So the state of this join
has format 1. Spark 3.0 and later refuse to start an outer join with it (SPARK-26154), because format 1 gives wrong outer rows. An inner
join starts and continues.`,
	NextStep: `Check whether the join is an outer join. If it is an outer join: let the query finish on Spark 2.4, or start it on a new
checkpoint. Compare the joined rows around the change. If it is an inner join: nothing to do.`,
	Avoid: `Do not write version 2 into the newest offset file: the stores lack its column, and Spark would misread them.`,
	Run:   runStateFormatOld,
}

func runStateFormatOld(_ context.Context, p *checks.Pass) error {
	last := p.Survey.Standing.Last
	if last == nil || last.Plan == nil || !last.Plan.HasMetadata || pinsJoin2(p.Survey.Standing.Before) {
		return nil
	}
	value, pinned := last.Plan.Conf[basics.ConfJoin]
	if pinned && value != "1" {
		return nil
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		dir, ok := joinStore(op)
		if !ok || matchedRecorded(op) {
			continue
		}
		f := checks.Finding{Severity: checks.High, Batch: -1, Where: decode.Where{File: dir}}
		if pinned {
			f.Evidence = fmt.Sprintf("%s records %s = 1; %s is a store of a stream-stream join", last.Plan.File, basics.ConfJoin, dir)
		} else {
			f.Evidence = fmt.Sprintf("%s does not record %s, which means 1; %s is a store of a stream-stream join", last.Plan.File, basics.ConfJoin, dir)
		}
		if !p.Spark.AtLeast(spark.Version{Major: 3}) {
			f.Severity = checks.Medium
			f.NextStep = fmt.Sprintf(`Nothing to do for a restart with Spark %s. Before an upgrade to 3.0 or later, check whether the join
is an outer join.`, p.Spark)
		}
		if declaresInner(p) {
			f.Severity, f.Evidence = checks.Low, f.Evidence+"; the spec declares an inner join"
			f.NextStep = `Nothing to do for a restart: an inner join of format 1 starts and continues.`
		}
		p.Report(f)
	}
	return nil
}

// declaresInner reports whether the spec declares inner joins and no others.
func declaresInner(p *checks.Pass) (inner bool) {
	if p.Spec == nil {
		return false
	}
	for i := range p.Spec.Operators {
		switch op := &p.Spec.Operators[i]; {
		case op.Join == "inner":
			inner = true
		case op.Join != "" || op.Name == "" || op.Name == "symmetricHashJoin":
			return false
		}
	}
	return inner
}

// pinsJoin2 reports whether a batch pins format 2 of the join, or a later one.
func pinsJoin2(b *checkpoint.Batch) bool {
	if b == nil || b.Plan == nil {
		return false
	}
	v, ok := b.Plan.Conf[basics.ConfJoin]
	return ok && v != "1"
}

// joinStore is the folder of a store in the layout of join formats 1 and 2.
func joinStore(op *statestore.Operator) (dir string, ok bool) {
	for _, part := range op.Partitions {
		for _, s := range part.Stores {
			if slices.Contains(statestore.JoinStores, s.Name) {
				return s.Dir, true
			}
		}
	}
	return "", false
}

// matchedRecorded reports whether a schema of the operator has the column that format 2 added.
func matchedRecorded(op *statestore.Operator) bool {
	for _, s := range op.Schemas {
		for _, f := range s.Families {
			if n := len(f.Value); n > 0 && f.Value[n-1].Name == "matched" {
				return true
			}
		}
	}
	return false
}
