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
	Title:    "the restart ignores partitions with current state",
	Meaning: `The newest offset file records fewer partitions than exist, and the others have the version the restart loads. Spark silently
starts and spreads the keys over the recorded number of partitions. The state of the other partitions is lost, and many keys look for
their state in the wrong partition. Only an edited offset file, or one from another query, records a different number.`,
	NextStep: `Restore the recorded number of partitions before you restart. ` + basics.CopyFirst + `Compare the newest offset file with the ones before it, and write the number they record.`,
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
			p.Reportf(version-1, decode.Where{File: dir}, "%s records %d partitions; %s has %d, all with version %d", basics.LogName(&p.Offsets, p.Offsets.Last()), pinned, op.Dir, n, version)
		}
	}
	return nil
}
