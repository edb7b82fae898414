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
	Title:    "a file that belongs to the state is not there",
	Meaning: `A snapshot that the next start loads names this file, and it is not there. The first batch asks for it and fails, again at every
restart. A lifecycle rule or a clean-up takes old files like this one first, for one SST file serves many versions; a copy that left files
out and an upload that never arrived do it too.`,
	NextStep: `Look for the file in the versions of the bucket, the trash or a backup. ` + basics.CopyFirst + `Put it back and restart. If it cannot be
had, go back to a version that all stores still have: move the files of later batches out of offsets and commits, and make sure that the
sources still hold those batches and that the sink takes them twice.`,
	Avoid: `Do not make an empty file in its place, and do not rename another one.`,
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
				Evidence: fmt.Sprintf("%s holds state up to version %d and no _metadata/schema", s.Dir, state.Newest(s.Files)),
				Title:    "the schema file of a state store is not there",
				Meaning: `The state of this store is here and its schema file is not, although the release that wrote the newest plan keeps one. Spark
starts all the same and writes the file anew from the query as it is then: it does not compare the query's columns with those of the
state, and takes bytes of one type for another if they have changed. A lifecycle rule or a clean-up takes old files like this one first.`,
				NextStep: `Look for the file in the versions of the bucket or a backup, and look for other old files that are gone. ` + basics.CopyFirst +
					`Put it back, or make sure that the query's keys and aggregates are exactly those that it had.`,
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
