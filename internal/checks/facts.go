package checks

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// listLimit is how many numbers a list of batches keeps; a hole can be as wide as a number is long.
const listLimit = 1000

// elsewhere are the checks of a location that is no checkpoint.
var elsewhere = []*Check{noCheckpoint, loginRefused, accessDenied, archivedObject}

// gather collects what the checkpoint says before anything is judged.
func gather(p *Pass) Facts {
	f := Facts{
		Location: p.Location, Written: p.Written, Spark: p.Spark,
		Batches: numbers(p.Checkpoint), Operators: p.Survey.State, Standing: p.Survey.Standing,
	}
	f.Loads, f.MoreLoads = loads(p)
	if p.Survey.Metadata != nil {
		f.QueryID = p.Survey.Metadata.ID
	}
	f.Sources = sourcesOf(p)
	return f
}

// sourcesOf are the sources of the newest plan, in its order; none where no plan can be read.
func sourcesOf(p *Pass) (all []Source) {
	plan := newestPlan(p.Survey.Standing)
	if plan == nil {
		return nil
	}
	for i, o := range inPlanOrder(plan) {
		s := Source{Index: i, Kinds: o.KindNames(), Parts: len(o.Parts)}
		if kind, sure := likeliest(p, sourceKey(i, o), o, declaredSource(p.Spec, plan, i, o)); sure {
			s.Kind = kind
		}
		if _, err := strconv.Atoi(o.Name); err != nil {
			s.Name = o.Name
		}
		all = append(all, s)
	}
	return all
}

// numbers are the batch ids of the two logs.
func numbers(c *checkpoint.Checkpoint) Batches {
	b := Batches{FirstPlanned: c.Offsets.First(), LastPlanned: c.Offsets.Last(), FirstCommitted: c.Commits.First(), LastCommitted: c.Commits.Last()}
	committed := slices.Collect(c.Commits.IDs())
	for id := range c.Offsets.IDs() {
		if _, ok := slices.BinarySearch(committed, id); ok {
			continue
		}
		if len(b.Uncommitted) < listLimit {
			b.Uncommitted = append(b.Uncommitted, id)
		} else {
			b.More.Uncommitted++
		}
	}
	b.MissingOffsets, b.More.MissingOffsets = between(&c.Offsets)
	b.MissingCommits, b.More.MissingCommits = between(&c.Commits)
	return b
}

// between are the numbers that a log lacks between its first and its last, and how many more there
// are than are listed.
func between(d *checkpoint.LogDir) (missing []int64, more int64) {
	before := int64(-1)
	for id := range d.IDs() {
		if before >= 0 {
			from := before + 1
			for ; from < id && len(missing) < listLimit; from++ {
				missing = append(missing, from)
			}
			more += id - from
		}
		before = id
	}
	return missing, more
}

// newestPlan is the newest plan of which sources can be read, among those that a start looks at; nil
// when there is none.
func newestPlan(s checkpoint.Standing) *log.Plan {
	for _, b := range []*checkpoint.Batch{s.Last, s.Before, s.Committed} {
		if b != nil && b.Plan != nil && len(b.Plan.Sources) > 0 {
			return b.Plan
		}
	}
	return nil
}

// inPlanOrder are the sources of a plan by their position (see log.Plan.InOrder).
func inPlanOrder(plan *log.Plan) []source.Offset { return plan.InOrder() }

// writtenBy is the releases that can have written the checkpoint. The newest plan counts; where the
// one before it tells of other releases, that is said too.
func writtenBy(cp *checkpoint.Checkpoint, s *statestore.Survey) spark.Span {
	st := s.Standing
	e := spark.Evidence{}
	for _, b := range []*checkpoint.Batch{st.Last, st.Before, st.Committed} {
		if b != nil && b.Plan != nil && b.Plan.HasMetadata {
			e.Plan, e.PlanVersion, e.Conf = b.Plan.File, b.Plan.Version, b.Plan.Conf
			break
		}
	}
	if c := st.Committed; c != nil && c.Commit != nil && c.Commit.Version > 0 {
		e.Commit, e.CommitVersion = c.Commit.File, c.Commit.Version
		// The five bytes of "v1\n{}" are a commit that names nothing.
		e.NoWatermark = c.Commit.Version == 1 && c.Commit.Size == 5 && len(c.Commit.Problems) == 0
	}
	e.NoCommits = beforeCommits(NewPass(cp, s, nil, nil))
	stateEvidence(&e, s.State)
	span := spark.Infer(e)
	if b := st.Before; b != nil && b.Plan != nil && e.Plan != b.Plan.File && len(b.Plan.Conf) > 0 {
		before := spark.Infer(spark.Evidence{Plan: b.Plan.File, PlanVersion: b.Plan.Version, Conf: b.Plan.Conf})
		if !overlap(before, span) {
			span.Because = append(span.Because, fmt.Sprintf("%s was written by Spark %s: the query changed release with batch %d", b.Plan.File, before, st.LastPlanned))
		}
	}
	return span
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

func storeEvidence(e *spark.Evidence, st *statestore.Store) {
	for _, f := range st.Files {
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
