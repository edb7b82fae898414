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
	Title:    "the connector's progress is not in this checkpoint",
	Meaning: `This connector keeps progress in its own files: for Kinesis the end of each shard, for Auto Loader the files it
has seen. None of them are here. They are in another folder or table named in the query's options, or they are lost. For
Kinesis, see executor.metadata.path or DynamoDB. This checkpoint alone does not show where the query continues.`,
	NextStep: `Find the connector's progress from the query's options, and look for the last batch in it before you restart.
Copy it together with the checkpoint.`,
	Avoid: `Do not treat this checkpoint as a complete copy of the query's progress.`,
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
				p.Reportf(p.Offsets.Last(), decode.Where{File: "sources/" + key}, "%s is of kind %s, but sources/%s has no folder %s", basics.SourceWords(key, o), k.Name, key, strings.Join(k.Folders, " or "))
			}
		}
		return nil
	},
}

// keepsProgress reports whether the folder of a source has what its kind keeps next to the plans.
func keepsProgress(f *checkpoint.SourceFolder, k *source.Kind) bool {
	switch {
	case f == nil:
		return false
	case k.EndsApart:
		return len(f.Ended) > 0
	}
	return slices.ContainsFunc(k.Folders, func(dir string) bool { return f.Other(dir) != nil })
}
