package examine

import (
	"slices"

	"tidemark/checkpoint"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/sources"
	"tidemark/internal/checks/stores"
)

// gather collects what the checkpoint says before anything is judged.
func gather(p *checks.Pass) checks.Facts {
	f := checks.Facts{
		Location: p.Location, Written: p.Written, Spark: p.Spark,
		Batches: numbers(p.Checkpoint), Operators: p.Survey.State, Standing: p.Survey.Standing,
	}
	f.Loads, f.MoreLoads = stores.Loads(p)
	if !p.Now.IsZero() {
		f.Checked = p.Now.UnixMilli()
	}
	if p.Survey.Metadata != nil {
		f.QueryID = p.Survey.Metadata.ID
	}
	f.Sources = sources.Of(p)
	return f
}

// numbers are the batch ids of the two logs.
func numbers(c *checkpoint.Checkpoint) checks.Batches {
	b := checks.Batches{FirstPlanned: c.Offsets.First(), LastPlanned: c.Offsets.Last(), FirstCommitted: c.Commits.First(),
		LastCommitted: c.Commits.Last()}
	committed := slices.Collect(c.Commits.IDs())
	for id := range c.Offsets.IDs() {
		if _, ok := slices.BinarySearch(committed, id); ok {
			continue
		}
		if len(b.Uncommitted) < basics.ListLimit {
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
			for ; from < id && len(missing) < basics.ListLimit; from++ {
				missing = append(missing, from)
			}
			more += id - from
		}
		before = id
	}
	return missing, more
}
