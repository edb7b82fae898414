package drift

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/stores"
)

// unpinned is how many partitions the state has that the next start loads, where the newest plan does not say it, and an operator
// that has them. n is 0 where a plan says it, where nothing is loaded, and where the setting does not decide the number: a global
// aggregation has one partition, whatever it is.
func unpinned(p *checks.Pass) (n int, op *statestore.Operator) {
	last := p.Survey.Standing.Last
	version, ok := stores.StartVersion(p)
	if last == nil || last.Plan == nil || !last.Plan.HasMetadata || !ok || version <= 0 || basics.DeclaresNoState(p) {
		return 0, nil
	}
	for _, key := range []string{basics.ConfPartitions, basics.ConfStatePartitions} {
		if _, pinned := last.Plan.Conf[key]; pinned {
			return 0, nil
		}
	}
	for i := range p.Survey.State {
		o := &p.Survey.State[i]
		if o.Err != nil || !stores.Judged(p, o, version) {
			continue
		}
		if count := stores.PartitionCount(p, o); count > n && (count > 1 || !stores.OnePartition(o)) {
			n, op = count, o
		}
	}
	return n, op
}

// reportUnpinned tells the number of partitions that the session must ask for.
func reportUnpinned(p *checks.Pass, newest *checkpoint.Batch) {
	n, op := unpinned(p)
	if n == 0 {
		return
	}
	p.Report(checks.Finding{Severity: checks.Medium, Batch: newest.ID, Where: decode.Where{File: newest.Plan.File, Line: 2},
		Title:    "no offset file records the number of state partitions",
		Evidence: fmt.Sprintf("%s does not record %s; %s has %d partitions", newest.Plan.File, basics.ConfPartitions, op.Dir, n),
		Meaning: fmt.Sprintf(`A restart takes %s from the newest offset file, and this file does not record it. Spark before 2.2 did not
write it. So the session value counts: it must be %d, and Spark's default is 200. With a larger value the batch fails: it loads state of a
partition no batch wrote. With a smaller value it runs, and reads rows from the wrong partitions.`, basics.ConfPartitions, n),
		NextStep: setPartitions(p, n),
		Avoid:    `Do not add partition folders, and do not write the setting into an offset file by hand.`})
}

// setPartitions says where to set the number of partitions of a state.
func setPartitions(p *checks.Pass, n int) string {
	if !p.Spark.AtLeast(spark.Version{Major: 2, Minor: 2}) {
		return fmt.Sprintf(`Set %s=%d for every start: Spark %s may not record the number.`, basics.ConfPartitions, n, p.Spark)
	}
	return fmt.Sprintf(`Set %s=%d for the first start. The offset files written from then on record the number.`, basics.ConfPartitions, n)
}

// sessionPartitions compares the declared number of partitions with that of the state, where no plan pins one.
func (c *comparer) sessionPartitions(field, declared string) bool {
	n, op := unpinned(c.Pass)
	want, err := strconv.Atoi(declared)
	if n == 0 || err != nil {
		return false
	}
	d := checks.Drift{Field: field, Declared: declared, Recorded: fmt.Sprintf("%d (partitions of %s; no offset file records the number)", n, op.Dir), Way: checks.Decide,
		Where:    decode.Where{File: op.Dir},
		NextStep: setPartitions(c.Pass, n),
		Avoid:    `Do not add partition folders, and do not write the setting into an offset file by hand.`}
	switch {
	case want == n:
		c.agree(field, false)
		return true
	case want > n:
		d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenLoaded, stores.NotThere(c.Start, op)
		d.Meaning = fmt.Sprintf(`The newest offset file does not record the number of partitions, so the session value counts. State was
written with %d partitions. The first batch also loads partition %d, which no batch wrote, and fails.`, n, n)
	default:
		d.Effect = checks.Misreads
		d.Meaning = fmt.Sprintf(`The newest offset file does not record the number of partitions, so the session value counts. State was
written with %d partitions. With %d, Spark silently ignores the others and looks for many rows in the wrong partitions.`, n, want)
	}
	c.differ(d)
	return true
}
