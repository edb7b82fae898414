package sources

import (
	"context"
	"slices"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var ConnectorFilesElsewhere = &checks.Check{
	Code:     "connector-files-elsewhere",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "a connector's own progress is not in this checkpoint",
	Meaning: `This connector keeps in files of its own what the plan does not hold: for Kinesis where each shard ended, for Auto
Loader which files it has seen. None of them are here. They are kept in another place, a folder or a table that the query's options
name (for Kinesis executor.metadata.path, or DynamoDB), or they are gone. Where the query goes on cannot be told from this checkpoint
alone.`,
	NextStep: `Look in the query's options for where the connector keeps its progress, and look there for the last batch before a
restart. Copy it together with the checkpoint.`,
	Avoid: `Do not treat this checkpoint as a whole copy of the query's progress.`,
	Run: func(_ context.Context, p *checks.Pass) error {
		plan := basics.NewestPlan(p.Survey.Standing)
		if plan == nil || p.Sources.Err != nil {
			return nil
		}
		for i, o := range plan.InOrder() {
			key := basics.SourceKey(i, o)
			f := basics.FolderOf(p, key)
			if f != nil && (f.Err != nil || f.Shut) {
				continue
			}
			k := o.Likeliest()
			if k.Folders != nil && !keepsProgress(f, k) {
				p.Reportf(p.Offsets.Last(), decode.Where{File: "sources/" + key}, "%s is of kind %s, and sources/%s holds no folder %s", basics.SourceWords(key, o), k.Name, key, strings.Join(k.Folders, " or "))
			}
		}
		return nil
	},
}

// keepsProgress reports whether the folder of a source has what its kind keeps beside the plans.
func keepsProgress(f *checkpoint.SourceFolder, k *source.Kind) bool {
	switch {
	case f == nil:
		return false
	case k.EndsApart:
		return len(f.Ended) > 0
	}
	return slices.ContainsFunc(k.Folders, func(dir string) bool { return f.Other(dir) != nil })
}
