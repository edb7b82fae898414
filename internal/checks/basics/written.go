package basics

import (
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/spec"
)

// WrittenBy is the releases that can have written the checkpoint. The newest plan counts; where the
// one before it tells of other releases, that is said too.
func WrittenBy(cp *checkpoint.Checkpoint, s *statestore.Survey) spark.Span {
	st := s.Standing
	e := spark.Evidence{}
	for _, b := range []*checkpoint.Batch{st.Last, st.Before, st.Committed} {
		if b == nil || b.Plan == nil || !b.Plan.HasMetadata {
			continue
		}
		if e.Plan == "" || len(e.Conf) == 0 && len(b.Plan.Conf) > 0 { // one that pins nothing shows nothing
			e.Plan, e.PlanVersion, e.Conf = b.Plan.File, b.Plan.Version, b.Plan.Conf
		}
	}
	if c := st.Committed; c != nil && c.Commit != nil && c.Commit.Version > 0 {
		e.Commit, e.CommitVersion = c.Commit.File, c.Commit.Version
		// The five bytes of "v1\n{}" are a commit that names nothing.
		e.NoWatermark = c.Commit.Version == 1 && c.Commit.Size == 5 && len(c.Commit.Problems) == 0
		e.Watermark = c.Commit.HasWatermark
	}
	p := checks.NewPass(cp, s, nil, nil)
	e.NoCommits = BeforeCommits(p)
	stateEvidence(&e, s.State)
	lackingOfState(&e, p)
	span := spark.Infer(e)
	if b := st.Before; b != nil && b.Plan != nil && e.Plan != b.Plan.File && len(b.Plan.Conf) > 0 {
		before := spark.Infer(spark.Evidence{Plan: b.Plan.File, PlanVersion: b.Plan.Version, Conf: b.Plan.Conf})
		if !overlap(before, span) {
			span.Because = append(span.Because, fmt.Sprintf("%s was written by Spark %s: the query changed release with batch %d", b.Plan.File, before, st.LastPlanned))
		}
	}
	return span
}

// ReleaseOf returns the release that will do the restart: the one that a spec declares, which may be nil, else the newest that can have written
// the checkpoint.
func ReleaseOf(written spark.Span, declared *spec.Spec) spark.Version {
	if declared != nil && declared.Spark != (spark.Version{}) {
		return declared.Spark
	}
	return written.Newest()
}

// stateEvidence adds what the files of state show of the releases that wrote them: one file of each kind.
func stateEvidence(e *spark.Evidence, ops []statestore.Operator) {
	for i := range ops {
		if m := ops[i].Metadata; m != nil && m.Version > 0 && e.OperatorMetadata == "" {
			e.OperatorMetadata = m.File
		}
		for _, schema := range ops[i].Schemas {
			if e.Schema == "" && schema.Version > 0 {
				e.Schema = schema.File
			}
		}
		for _, part := range ops[i].Partitions {
			for j := range part.Stores {
				storeEvidence(e, &part.Stores[j])
				if e.Checksum != "" && e.Changelog != "" {
					return
				}
			}
		}
	}
}

// lackingOfState adds what the first operator that has state lacks: its record, and the schema of a store. What could not be read is
// not called missing.
func lackingOfState(e *spark.Evidence, p *checks.Pass) {
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		first := op.Partition(0)
		if op.Err != nil || first == nil || first.Err != nil || UnreadBelow(p, op.Dir) || !hasState(first) {
			continue
		}
		if op.Metadata == nil {
			e.Recordless = op.Dir
		}
		if len(op.Schemas) == 0 {
			e.Schemaless = path.Join(op.Dir, "0")
		}
		return
	}
}

// hasState reports whether some store of a partition has a file of a version.
func hasState(p *statestore.Partition) bool {
	return slices.ContainsFunc(p.Stores, func(s statestore.Store) bool { return len(s.Files) > 0 })
}

func storeEvidence(e *spark.Evidence, st *statestore.Store) {
	for _, f := range st.Files {
		if f.Role == state.Zip && e.RocksDB == "" {
			e.RocksDB = st.Path(f)
		}
		if f.Role == state.Changelog && e.Changelog == "" {
			e.Changelog = st.Path(f)
		}
		if f.Sums&state.SparkSum != 0 && e.Checksum == "" {
			e.Checksum = st.Path(f) + ".crc"
		}
	}
}

// overlap reports whether some release is in both spans.
func overlap(a, b spark.Span) bool {
	return (a.Below == (spark.Version{}) || !b.From.AtLeast(a.Below)) && (b.Below == (spark.Version{}) || !a.From.AtLeast(b.Below))
}
