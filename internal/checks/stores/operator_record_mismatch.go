package stores

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

var comparedOperators = checks.Comparison{Short: "operator records", One: "record of a stateful operator with its folders, its schemas and the newest offset file", Many: "records of stateful operators with their folders, their schemas and the newest offset file"}

var OperatorRecordMismatch = &checks.Check{
	Code:     "operator-record-mismatch",
	Severity: checks.Medium,
	Question: checks.Intact,
	Damage:   checks.Altered,
	Title:    "the metadata of a stateful operator does not match its state",
	Meaning: `Spark writes the operator's name, stores and number of partitions when it first runs, and never changes them. The folders,
the schemas or the newest offset file show different values. The operator metadata was changed, or it belongs to another operator. A start
takes its numbers from the offset file and continues. Readers without the query, such as Spark's state reader, use the operator metadata,
and fail or miss rows.`,
	NextStep: basics.CopyFirst + `Compare the operator metadata with a backup or another copy of this checkpoint, and put the right file
back.`,
	Avoid: `Do not trust the output of a state reader before this is fixed: it may lack complete partitions.`,
	Run:   runOperatorRecord,
}

func runOperatorRecord(_ context.Context, p *checks.Pass) error {
	records := 0
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		if !ReadRecord(op) {
			continue
		}
		records++
		if text, stops := IdentityFlaw(op); text != "" {
			f := checks.Finding{Severity: checks.Medium, Batch: -1, Where: decode.Where{File: op.Metadata.File}, Evidence: text}
			if stops && ComparesOperators(p) {
				f.Severity = checks.Critical
				f.Meaning = `Since Spark 4.0 a start compares the query's operators with this metadata, and fails if a number or name differs. No query has an operator that matches this metadata and its state. The metadata was changed, or it belongs to another
operator. The state itself is not affected.`
				f.NextStep = basics.CopyFirst + `Put the operator metadata back from a backup or another copy of this checkpoint. If there
is none: set this one file aside. The same query then starts, because Spark does not compare.`
				f.Avoid = `Do not set it aside and change the query at the same time: Spark would not notice operators that do not match
the state.`
			}
			p.Report(f)
		}
		if text := numbersFlaw(p, op); text != "" {
			p.Reportf(-1, decode.Where{File: op.Metadata.File}, "%s", text)
		}
	}
	p.Crosschecked(comparedOperators, records)
	return nil
}

// ReadRecord reports whether the record of an operator is there and parses.
func ReadRecord(op *statestore.Operator) bool {
	return op.Metadata != nil && op.Metadata.Version > 0 && len(op.Metadata.Problems) == 0
}

// ComparesOperators reports whether a start compares the query's operators with the records (IncrementalExecution, 4.0 on). It does where
// every record can be read, and not for batch 0.
func ComparesOperators(p *checks.Pass) bool {
	version, ok := StartVersion(p)
	return ok && version > 0 && p.Spark.Major >= 4 && !slices.ContainsFunc(p.Survey.State, func(op statestore.Operator) bool {
		return op.Metadata != nil && !ReadRecord(&op)
	})
}

// WrongRecords are the records of stateful operators that stop a start, whatever the query is.
func WrongRecords(p *checks.Pass) (files []string) {
	if !ComparesOperators(p) {
		return nil
	}
	for i := range p.Survey.State {
		if op := &p.Survey.State[i]; ReadRecord(op) {
			if _, stops := IdentityFlaw(op); stops {
				files = append(files, op.Metadata.File)
			}
		}
	}
	return files
}

// operatorNames are those that the stateful operators of the releases known here have.
var operatorNames = []string{
	"stateStoreSave", "dedupe", "dedupeWithinWatermark", "symmetricHashJoin", "flatMapGroupsWithState", "applyInPandasWithState",
	"sessionWindowStateStoreSaveExec", "globalLimit", "transformWithStateExec", "transformWithStateInPandasExec", "transformWithStateInPySparkExec",
	"StatefulStreamlineAggregate",
}

// IdentityFlaw is what a record says of its operator that cannot be: "" for nothing. stops: no query has such an operator.
func IdentityFlaw(op *statestore.Operator) (text string, stops bool) {
	m := op.Metadata
	switch {
	case m.ID != int64(op.ID):
		return fmt.Sprintf("%s is the metadata of operator %d, and is in the folder of operator %d", m.File, m.ID, op.ID), true
	case !slices.Contains(operatorNames, m.Name):
		near := phrase.Misspelled(m.Name, operatorNames)
		if near == "" {
			return "", false // of a release, or of a vendor, that is not known here
		}
		return fmt.Sprintf("%s names the operator %q, which no known Spark release has; %q exists", m.File, m.Name, near), true
	}
	want := shapedAs(op)
	if want == "" || want == m.Name {
		return "", false
	}
	return fmt.Sprintf("%s names the operator %q, and its state (%s) has the shape of %q", m.File, m.Name, shapeFile(op), want), true
}

// shapedAs is the operator that alone keeps state of this shape; "" where several do, or nothing tells.
func shapedAs(op *statestore.Operator) string {
	if joined := slices.ContainsFunc(op.StoreNames(), func(name string) bool {
		return slices.Contains(statestore.JoinStores,
			name)
	}); joined {
		return "symmetricHashJoin"
	}
	if len(op.Schemas) != 1 || len(op.Schemas[0].Problems) > 0 || len(op.Schemas[0].Families) != 1 {
		return ""
	}
	value := op.Schemas[0].Families[0].Value
	if len(value) != 1 {
		return ""
	}
	switch of := op.Metadata.Name; {
	case value[0].Name == "__dummy__" && (value[0].Type == "void" || value[0].Type == "null"):
		return "dedupe"
	case value[0].Name == "expiresAtMicros" && (of == "dedupe" || of == "dedupeWithinWatermark"):
		return "dedupeWithinWatermark"
	case of == "dedupe" || of == "dedupeWithinWatermark":
		return "stateStoreSave"
	}
	return ""
}

func shapeFile(op *statestore.Operator) string {
	if len(op.Schemas) == 1 {
		return op.Schemas[0].File
	}
	return op.Dir
}

// numbersFlaw is what a record says of stores and partitions that is not so; "" for nothing.
func numbersFlaw(p *checks.Pass, op *statestore.Operator) string {
	m := op.Metadata
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	names := op.StoreNames()
	pinned, known := pinnedPartitions(p)
	for _, s := range m.Stores {
		if len(names) > 0 && op.Err == nil && !slices.Contains(names, s.Name) &&
			!slices.ContainsFunc(op.Partitions, func(part statestore.Partition) bool { return part.Err != nil }) {
			add("it names the store %q, and the stores are %s", s.Name, strings.Join(names, ", "))
		}
		switch n := int64(len(op.Partitions)); {
		case known && s.Partitions != int64(pinned):
			add("it has %d partitions for the store %q, and %s records %d", s.Partitions, s.Name, basics.LogName(&p.Offsets, p.Offsets.Last()), pinned)
		case !known && n > 0 && s.Partitions < n:
			add("it has %d partitions for the store %q, and %d partition folders exist", s.Partitions, s.Name, n)
		}
		if want, ok := prefixOf(op); ok && s.Prefix != want {
			add("it has a key prefix of %d columns for the store %q, and the key has a prefix of %d", s.Prefix, s.Name, want)
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	return m.File + ": " + phrase.List(wrong, 3)
}

// prefixOf is how many columns of its keys an operator has as their prefix. Session windows look for all sessions of a key, whose columns
// stand
// before the start of the session; no other operator with a record of version 1 has any.
func prefixOf(op *statestore.Operator) (n int64, ok bool) {
	switch {
	case op.Metadata.Version > 1:
		return 0, false
	case op.Name != "sessionWindowStateStoreSaveExec":
		return 0, true
	case len(op.Schemas) != 1 || len(op.Schemas[0].Problems) > 0 || len(op.Schemas[0].Families) != 1:
		return 0, false
	}
	return int64(len(op.Schemas[0].Families[0].Key)) - 1, true
}
