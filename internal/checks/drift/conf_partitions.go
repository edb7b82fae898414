package drift

import (
	"fmt"
	"strconv"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
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
		Title:    "no plan records how many partitions the state has",
		Evidence: fmt.Sprintf("%s pins no %s; %s has %d partitions", newest.Plan.File, basics.ConfPartitions, op.Dir, n),
		Meaning: fmt.Sprintf(`A start takes %s from the newest plan. This one does not have it, as those of Spark before 2.2 do not, so the value of the session
counts: it must be %d, and Spark's default is 200. With a larger value the batch fails over state of a partition that was never written. With a smaller one it runs, and
looks for rows in the wrong partitions.`, basics.ConfPartitions, n),
		NextStep: fmt.Sprintf(`Set %s=%d for the first start. The plans that it writes pin the number.`, basics.ConfPartitions, n),
		Avoid:    `Do not add folders of partitions, and do not write the setting into a plan by hand.`})
}

// sessionPartitions compares the declared number of partitions with that of the state, where no plan pins one.
func (c *comparer) sessionPartitions(field, declared string) bool {
	n, op := unpinned(c.Pass)
	want, err := strconv.Atoi(declared)
	if n == 0 || err != nil {
		return false
	}
	d := checks.Drift{Field: field, Declared: declared, Recorded: fmt.Sprintf("%d (partitions of %s; no plan pins the number)", n, op.Dir), Way: checks.Decide,
		Where:    decode.Where{File: op.Dir},
		NextStep: fmt.Sprintf(`Set %s=%d for the first start. The plans that it writes pin the number.`, basics.ConfPartitions, n),
		Avoid:    `Do not add folders of partitions, and do not write the setting into a plan by hand.`}
	switch {
	case want == n:
		c.agree(field, false)
		return true
	case want > n:
		d.Effect, d.Stage, d.Error = checks.RefusesDrift, checks.WhenLoaded, stores.NotThere(c.Start, op)
		d.Meaning = fmt.Sprintf(`The newest plan pins no number of partitions, so the value of the session counts. State was written with %d partitions: the first batch looks
for state of partition %d too, which no run wrote, and fails.`, n, n)
	default:
		d.Effect = checks.Misreads
		d.Meaning = fmt.Sprintf(`The newest plan pins no number of partitions, so the value of the session counts. State was written with %d partitions: with %d Spark leaves out the
others without an error and looks for many rows in partitions that do not hold them.`, n, want)
	}
	c.differ(d)
	return true
}
