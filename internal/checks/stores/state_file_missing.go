package stores

import (
	"context"
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var StateFileMissing = &checks.Check{
	Code:     "state-file-missing",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	OfState:  true,
	Rejudge:  true,
	Title:    "a file of the state is missing",
	Meaning: `A snapshot the restart loads names this file, and it is missing. The first batch needs it and fails at every restart. Likely
causes: a lifecycle rule or clean-up, an incomplete copy, or an incomplete upload. One SST file serves many versions, so age rules delete
such files first.`,
	NextStep: `Look for the file in object versions, the trash or a backup. ` + basics.CopyFirst + `Put it back and restart. If
it cannot be recovered: roll back to the newest version every partition can load. For that, set the later files in offsets and commits
aside. The sources must still have those batches, and the sink must accept them twice.`,
	Avoid: `Do not create an empty file in its place, and do not rename another one.`,
	Run:   runStateFileMissing,
}

func runStateFileMissing(ctx context.Context, p *checks.Pass) error {
	reportSchemasMissing(p)
	return reportStateFlaws(ctx, p, statestore.Gone)
}

// reportSchemasMissing tells of stores whose schema file is gone.
func reportSchemasMissing(p *checks.Pass) {
	version, ok := StartVersion(p)
	if !ok || version <= 0 || !keepsSchemas(p) {
		return
	}
	for i := range p.Survey.State {
		op := &p.Survey.State[i]
		first := op.Partition(0)
		if op.Err != nil || first == nil || first.Err != nil || !Judged(p, op, version) || op.Metadata != nil && op.Metadata.Version == 2 {
			continue
		}
		for _, s := range first.Stores {
			file := path.Join(s.Dir, "_metadata", "schema")
			there := slices.ContainsFunc(op.Schemas, func(s *state.Schema) bool { return s.File == file })
			unread := slices.ContainsFunc(p.Survey.Unread, func(u checkpoint.Unread) bool { return u.Name == file })
			if there || unread || s.Err != nil || len(s.Files) == 0 {
				continue
			}
			p.Report(checks.Finding{Severity: checks.Medium, Batch: -1, Where: decode.Where{File: file},
				Evidence: fmt.Sprintf("%s has state up to version %d and no _metadata/schema", s.Dir, state.Newest(s.Files)),
				Title:    "the schema file of a state store is missing",
				Meaning: `The state of this store exists and its schema file is missing. The Spark release of the newest offset file writes one. Spark starts and writes the file again from the current query. It does not compare the query's columns with the state. If
a type changed, it misreads the bytes. A lifecycle rule or clean-up deletes old files like this one first.`,
				NextStep: `Look for the file in object versions or a backup, and check for other missing old files. ` + basics.CopyFirst +
					`Put it back. If it cannot be recovered: make sure the query's keys and aggregates have not changed.`,
				Avoid: `Do not change the query in the same restart.`})
		}
	}
}

// keepsSchemas reports whether the newest plan is of a release that writes a schema file for each
// store: 3.1 or later, which is also the first to pin the codec.
func keepsSchemas(p *checks.Pass) bool {
	last := p.Survey.Standing.Last
	if last == nil || last.Plan == nil {
		return false
	}
	_, ok := last.Plan.Conf[basics.ConfCodec]
	return ok
}
