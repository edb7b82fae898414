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
	Title:    "a file of the state has another size than is recorded",
	Meaning: `A snapshot that the next start loads names this file and its size, and the file that is there has another. Spark compares the two
as it fetches the file, and the first batch fails, again at every restart. An upload that was cut off does this, and so do two attempts at
one version that used the same name, as releases before 4.0 sometimes did. Another size proves that it is not the file that was meant; an
equal size would not prove that it is.`,
	NextStep: `Look for the file as it was in the versions of the bucket or a backup. ` + basics.CopyFirst + `Put it back and restart. If it cannot be
had, go back to a version that all stores still have: move the files of later batches out of offsets and commits, and make sure that the
sources still hold those batches and that the sink takes them twice.`,
	Avoid: `Do not change the recorded size, and do not put the file of another version or partition in its place.`,
	Run: func(ctx context.Context, p *checks.Pass) error {
		return reportStateFlaws(ctx, p, statestore.OtherSize)
	},
}
