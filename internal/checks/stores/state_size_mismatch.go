package stores

import (
	"context"

	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateSizeMismatch = &checks.Check{
	Code:     "state-size-mismatch",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	OfState:  true,
	Rejudge:  true,
	Title:    "a state file has a different size than recorded",
	Meaning: `A snapshot the restart loads names this file and its size, and the size differs. Spark compares the sizes when it fetches the
file, and the first batch fails at every restart. Likely causes: an interrupted upload, or two attempts at one version with the same name
(some releases before 4.0). A different size proves that this is the wrong file. An equal size would not prove the opposite.`,
	NextStep: `Look for the original file in object versions or a backup. ` + basics.CopyFirst + `Put it back and restart. If
it cannot be recovered: roll back to the newest version every partition can load. For that, set the later files in offsets and commits
aside. The sources must still have those batches, and the sink must accept them twice.`,
	Avoid: `Do not change the recorded size, and do not put the file of another version or partition in its place.`,
	Run: func(ctx context.Context, p *checks.Pass) error {
		return reportStateFlaws(ctx, p, statestore.OtherSize)
	},
}
