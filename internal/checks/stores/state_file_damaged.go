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
	Title:    "a state file is empty or damaged",
	Meaning: `The restart loads this file, and it is not what Spark wrote: even an empty store has some bytes and an end mark. The first
batch fails on it at every restart. Likely causes: a full disk, an interrupted write or copy, or damaged bytes.`,
	NextStep: `Look for the original file in object versions or a backup. ` + basics.CopyFirst + `Put it back and restart. If
it cannot be recovered: roll back to a batch whose state every partition can load. The sources must still have the later batches, and the
sink must accept them twice.`,
	Avoid: `Do not delete the file or replace it with one of another version or partition: Spark may start and produce wrong results.`,
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
				Evidence: fmt.Sprintf("%s has 0 bytes; the restart loads version %d, which needs it", f.Name(), n.Chain.Version) + evidence})
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
		f.Title = "the metadata of a stateful operator is damaged"
		f.Meaning = `This file records how the operator was set up and which schema files its state has. The first batch after a restart
reads it to compare it with the query, and fails. The state itself is not affected.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. An older file in the same
folder has the same contents, except for changes between two runs.`
		f.Avoid = `Do not move the folder: without this metadata the query does not start either.`
	case e.What == log.OperatorWhat:
		f.Severity = checks.Medium
		f.Title = "the metadata of a stateful operator does not parse"
		f.Meaning = `This file records the name and the number of partitions of each stateful operator. Spark starts even if it cannot read
the file, and then does not notice changed operators. Readers without the query, such as Spark's state reader, fail on it.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. A restart of the same query
does not need it.`
		f.Avoid = `Do not restart with a changed query: nothing would detect the change.`
	case e.Flaw == decode.VersionUnknown, !SchemaStops(p, e):
		f.Severity = checks.High
		f.Title = "the schema of a state store does not parse"
		f.Meaning = `The columns of this store cannot be read from its schema file. A release newer than this version of tidemark may have
written it.`
		f.NextStep = `Find out which Spark release wrote it.`
		f.Avoid = `Do not delete the file: without it Spark does not notice when the query has changed.`
	default:
		f.Title = "the schema of a state store is damaged"
		f.Meaning = `Every start reads this file to compare the query's columns with those of the state, and fails. The state itself is not
affected.`
		f.NextStep = basics.CopyFirst + `Put the file back from a backup or another copy of this checkpoint. If there is none: set this one
file aside. The same query then starts, and Spark writes the file again from the query, without a comparison.`
		f.Avoid = `Do not set it aside and change the query at the same time: Spark would not notice columns that do not match the state.`
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
