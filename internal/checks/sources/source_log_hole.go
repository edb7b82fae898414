package sources

import (
	"context"
	"fmt"
	"slices"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var SourceLogHole = &checks.Check{
	Code:     "source-log-hole",
	Severity: checks.Critical,
	Question: checks.SameQuery,
	Damage:   checks.Broken,
	Lacks:    true,
	Salvage:  true,
	Rejudge:  true,
	Title:    "the file source log lacks an entry a restart needs",
	Meaning: `A file source records the files it has read in its own log. A restart reads its newest compact file, every later
entry, and the entries the newest offset file names. Without them Spark fails or, if it does not notice, reads files again and
may skip others. Likely causes: a cleanup, a lost write, or an incomplete copy.`,
	NextStep: `Look for the file in object versions or a backup, and put it back. If it is not found: list the input folder
and compare it with the remaining entries before you restart.`,
	Avoid: `Do not invent or rename an entry or delete the log: the query would read every file again.`,
	Run:   runSourceLogHole,
}

func runSourceLogHole(ctx context.Context, p *checks.Pass) error {
	plan := basics.NewestPlan(p.Survey.Standing)
	if plan == nil || p.Sources.Err != nil {
		return nil
	}
	for i, o := range plan.InOrder() {
		key := basics.SourceKey(i, o)
		f := basics.FolderOf(p, key)
		if !basics.FileSource(p, key, o) || f != nil && f.Err != nil {
			continue
		}
		if f != nil {
			logFilesMissing(p, f)
			for _, file := range f.Files {
				logFileDamaged(ctx, p, file)
			}
		}
		if f == nil || len(f.Needs.Missing) == 0 {
			entriesMissing(p, plan, key, o, f)
		}
	}
	return nil
}

// logFilesMissing are the files that the newest entry stands on.
func logFilesMissing(p *checks.Pass, f *checkpoint.SourceFolder) {
	if len(f.Needs.Missing) == 0 {
		return
	}
	p.Reportf(-1, decode.Where{File: f.Name + "/" + f.Needs.Missing[0]}, "%s goes up to %d, which needs %s; missing: %s",
		f.Name, f.Log.Latest(), NeededNames(f), f.Needs.MissingText())
}

// logFileDamaged is a file that a start reads and cannot. A long one was read at its two ends only, and
// is read whole where everything is to be verified.
func logFileDamaged(ctx context.Context, p *checks.Pass, file *checkpoint.SourceFile) {
	if file.Partly && p.Deep {
		if file = p.SourceFile(ctx, file.Name, file.Size, true); file.Err != nil {
			p.Unread(checkpoint.Unread{Name: file.Name, Err: file.Err})
		}
	}
	i := slices.IndexFunc(file.Problems, func(e *decode.Error) bool { return e.Flaw != decode.LineEnds })
	if i < 0 {
		return
	}
	f := checks.Finding{Severity: checks.Critical, Batch: -1, Where: file.Problems[i].Where, Evidence: basics.FlawText(file.Problems[i]),
		Title: "a file of the file source log cannot be parsed",
		Meaning: `A restart reads this file to know which input files were read already, and fails if it cannot be parsed.
Likely causes: an interrupted write, a full disk, or an edit. Other entries of the file are intact.`}
	if more := len(file.Problems) - i - 1; more > 0 {
		f.Evidence += fmt.Sprintf("; %d more problems in this file", more)
	}
	p.Report(f)
}

// entriesMissing are entries that the newest plan names, and that the log does not hold: the last one
// it read, and those that its batch reads.
func entriesMissing(p *checks.Pass, plan *log.Plan, key string, o source.Offset, f *checkpoint.SourceFolder) {
	to, ok := basics.LogOffset(o)
	if !ok || to < 0 {
		return
	}
	from := to - 1
	if before := p.Survey.Standing.Before; before != nil && before.Plan != nil && before.Plan != plan {
		if id, ok := basics.LogOffset(basics.SourceNamed(before.Plan, key)); ok {
			from = min(from, id)
		}
	}
	if Absent(f, from+1, to) == "" {
		return
	}
	missing := from + 1
	for f != nil && missing < to && f.Holds(missing) {
		missing++
	}
	name := "sources/" + key
	if f != nil {
		name = fmt.Sprintf("%s/%d", name, missing)
	}
	text := fmt.Sprintf("%s names entry %d of sources/%s", plan.File, to, key)
	if missing < to {
		text = fmt.Sprintf("%s reads entries %d to %d of sources/%s; entry %d is in no file", plan.File, from+1, to, key, missing)
	}
	p.Reportf(p.Offsets.Last(), decode.Where{File: name}, "%s, and %s", text, LogReach(f))
}
