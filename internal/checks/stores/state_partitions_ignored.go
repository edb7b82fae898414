package stores

import (
	"context"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StatePartitionsIgnored = &checks.Check{
	Code:     "state-partitions-ignored",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.NoDamage,
	OfState:  true,
	Rejudge:  true,
	Title:    "the restart leaves out partitions that hold current state",
	Meaning: `The newest plan pins fewer partitions than there are, and the ones beyond that number hold the version that the restart loads. Spark
starts without a word and spreads the keys over the pinned number of partitions: what the others hold is lost, and many keys look for
their state where it is not. Only an edited plan, or one that was copied from another query, pins another number than the query began with.`,
	NextStep: `Do not restart. ` + basics.CopyFirst + `Compare the newest plan with the ones before it, and put its number of partitions back to the one that they pin.`,
	Avoid:    `Do not delete the folders of the other partitions.`,
	Run:      runStatePartitionsIgnored,
}

func runStatePartitionsIgnored(_ context.Context, p *checks.Pass) error {
	version, ok := StartVersion(p)
	pinned, known := pinnedPartitions(p)
	if !ok || !known || version <= 0 {
		return nil
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		n := len(op.Partitions)
		if n <= pinned || op.Partitions[n-1].ID != n-1 || !Judged(p, op, version) {
			continue // as many as are pinned, or a stray folder that no run has written
		}
		names, whole := storeNames(op), true
		for id := pinned; id < n && whole; id++ {
			for need := range operatorNeeds(p, op, id, names, version) {
				whole = whole && len(need.Files()) > 0 && state.Loads(need.Files(), version, need.rules)
			}
		}
		if whole {
			dir := op.Dir + "/" + strconv.Itoa(pinned)
			p.Reportf(version-1, decode.Where{File: dir}, "%s pins %d partitions; %s has %d, all with version %d", basics.LogName(&p.Offsets, p.Offsets.Last()), pinned, op.Dir, n, version)
		}
	}
	return nil
}
