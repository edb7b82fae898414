package stores

import (
	"context"
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateFileDamaged = &checks.Check{
	Code:     "state-file-damaged",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	Salvage:  true,
	OfState:  true,
	Rejudge:  true,
	Title:    "a state file is empty or broken",
	Meaning: `The next start loads this file, and it is not what Spark wrote: even an empty store has some bytes, and an end mark. The first
batch fails on it, again at every restart. A disk that was full, a write or a copy that was cut off, or bytes that went bad leave such a file.`,
	NextStep: `Look for the file as it was in the versions of the bucket or a backup. ` + basics.CopyFirst + `Put it back and restart. If it cannot be
had, go back to a batch whose state all stores still have, if the sources still hold what came after it and the sink takes it twice.`,
	Avoid: `Do not delete the file and do not put one of another version or partition in its place: Spark may start, and the results are wrong.`,
	Run:   runStateFileDamaged,
}

func runStateFileDamaged(ctx context.Context, p *checks.Pass) error {
	for n := range Needs(p) {
		for _, f := range n.Chain.Empty() {
			evidence, act, err := wayBack(ctx, p, &n)
			if err != nil {
				return err
			}
			p.Report(checks.Finding{Severity: checks.Critical, Batch: f.Version - 1, Where: decode.Where{File: n.Path(f.Name())},
				NextStep: act,
				Evidence: fmt.Sprintf("%s has 0 bytes; version %d, which the restart loads, needs it", f.Name(), n.Chain.Version) + evidence})
		}
		for _, f := range n.Chain.Passed {
			if f.Size == 0 {
				p.Report(passedOver(p, &n, checks.Finding{Batch: f.Version - 1, Where: decode.Where{File: n.Path(f.Name())},
					Evidence: f.Name() + " has 0 bytes"}))
			}
		}
	}
	if err := reportRecords(ctx, p); err != nil {
		return err
	}
	reportOdd(p)
	if err := reportTwins(ctx, p); err != nil {
		return err
	}
	if err := reportStateFlaws(ctx, p, statestore.Broken, statestore.Hidden, statestore.Another, statestore.Unlike,
		statestore.Miscounted); err != nil {
		return err
	}
	if err := compareRebuilt(ctx, p); err != nil || !p.Deep {
		return err
	}
	return readRows(ctx, p)
}

// reportSmallFile tells of a schema or operator metadata file that does not decode.
func reportSmallFile(p *checks.Pass, e *decode.Error) {
	f := checks.Finding{Severity: checks.Critical, Batch: -1, Where: e.Where, Evidence: fmt.Sprintf("%s: %v", e.File, e.Err)}
	switch {
	case e.What == log.OperatorWhat && SchemaStops(p, e):
		f.Title = "the record of a stateful operator is broken"
		f.Meaning = `Spark notes in this file how the operator was set up and which schema files its state has. The first batch after a restart reads it,
to compare the query with it, and fails on it. The state itself is not concerned.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. An older file beside it, of the same folder, holds the same
but for what changed between two runs.`
		f.Avoid = `Do not move the folder aside: without any record the query does not start either.`
	case e.What == log.OperatorWhat:
		f.Severity = checks.Medium
		f.Title = "the record of a stateful operator does not parse"
		f.Meaning = `Spark notes the name and the number of partitions of each stateful operator in this file. It starts all the same when it
cannot read it, and then does not notice when the query's operators have changed; what reads state without the query, as Spark's own state
reader does, fails on it.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. A restart of the same query does not need it.`
		f.Avoid = `Do not restart with a changed query: what would have stopped it is not there.`
	case e.Flaw == decode.VersionUnknown, !SchemaStops(p, e):
		f.Severity = checks.High
		f.Title = "the schema of a state store does not parse"
		f.Meaning = `The columns of this store cannot be told from its schema file. It may be of a release that is newer than this program.`
		f.NextStep = `Find out which release of Spark wrote it.`
		f.Avoid = `Do not delete the file: without it Spark does not notice when the query has changed.`
	default:
		f.Title = "the schema of a state store is broken"
		f.Meaning = `Every start reads this file to compare the query's columns with those of the state, and fails on it. The state itself is not
concerned.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. If there is none, moving this one file aside lets the same
query start: Spark then writes it anew from the query, without any comparison.`
		f.Avoid = `Do not move it aside and change the query at the same time: nothing would notice columns that do not fit the state.`
	}
	p.Report(f)
}

// SchemaStops reports whether a start fails on this flaw of a schema file or of a record of an operator, as far as is known. Records of
// version 1 are passed over when they do not parse; those of version 2, which name the schema files, are read by a start of 4.0 and later,
// but for batch 0.
func SchemaStops(p *checks.Pass, e *decode.Error) bool {
	if e.What == log.OperatorWhat {
		version, ok := StartVersion(p)
		return ok && version > 0 && path.Base(path.Dir(e.File)) == "v2" && !slices.Contains([]decode.Flaw{decode.Trailing, decode.LineEnds, decode.NoMetadata}, e.Flaw) && p.Spark.AtLeast(spark.Version{Major: 4})
	}
	return e.What == state.SchemaWhat && slices.Contains([]decode.Flaw{decode.Empty, decode.Cut, decode.Encoding, decode.NoVersion,
		decode.VersionUnknown, decode.Malformed}, e.Flaw)
}
