package sources

import (
	"context"
	"fmt"
	"path"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/logs"
)

var (
	comparedEntries = checks.Comparison{Short: "file source logs", One: "file source log file with the batch IDs of its entries", Many: "file source log files with the batch IDs of their entries"}
	comparedLogs    = checks.Comparison{Short: "file source logs", One: "file source log with the newest offset file", Many: "file source logs with the newest offset file"}
)

var SourceLogMismatch = &checks.Check{
	Code:     "source-log-mismatch",
	Severity: checks.Medium,
	Question: checks.SameQuery,
	Damage:   checks.Altered,
	Title:    "an entry of the file source log is in the wrong file",
	Meaning: `Each entry of this log records its number, and this one differs from its file: a file was renamed, copied from
another one, or changed. A re-run batch uses the file numbers; reading a compact file uses the entry numbers. The two now
silently read different input files.`,
	NextStep: basics.CopyFirst + `Compare the file with object versions or a backup, and put the right one back.`,
	Avoid:    `Do not rename files of this log or change numbers in them: input files would be skipped or read twice.`,
	Run:      runSourceLogMismatch,
}

func runSourceLogMismatch(ctx context.Context, p *checks.Pass) error {
	plan := basics.NewestPlan(p.Survey.Standing)
	if plan == nil || p.Sources.Err != nil {
		return nil
	}
	files, logsSeen := 0, 0
	for i, o := range plan.InOrder() {
		key := basics.SourceKey(i, o)
		f := basics.FolderOf(p, key)
		if f == nil || f.Err != nil || !basics.FileSource(p, key, o) {
			continue
		}
		for _, file := range f.Files {
			files += entriesOfFile(p, file)
		}
		if p.Deep {
			n, err := olderSourceFiles(ctx, p, f)
			if files += n; err != nil {
				return err
			}
		}
		if id, ok := basics.LogOffset(o); ok {
			logsSeen++
			logAhead(p, plan, f, id)
		}
	}
	p.Crosschecked(comparedEntries, files)
	p.Crosschecked(comparedLogs, logsSeen)
	return nil
}

// entriesOfFile holds the entries of one file against its number: they have that one, or in a compact file one up to it. It is 1 where that
// could be done.
func entriesOfFile(p *checks.Pass, file *checkpoint.SourceFile) int {
	n := log.ParseName(path.Base(file.Name))
	if file.Err != nil || file.Entries == 0 {
		return 0
	}
	first := n.ID
	if n.Compact {
		first = 0
	}
	if odd, found := file.IDs.Outside(first, n.ID); found {
		p.Reportf(-1, decode.Where{File: file.Name}, "%s has an entry with batchId %d", file.Name, odd)
	}
	return 1
}

// olderSourceFiles reads the files of a log that no start reads. n is how many were held against their numbers.
func olderSourceFiles(ctx context.Context, p *checks.Pass, f *checkpoint.SourceFolder) (n int, err error) {
	for file, err := range p.OlderSourceFiles(ctx, f) {
		if file != nil && file.Err != nil {
			p.Unread(checkpoint.Unread{Name: file.Name, Err: file.Err})
		} else if file != nil {
			n += entriesOfFile(p, file)
			if e := basics.FirstProblem(file.Problems); e != nil {
				p.For(logs.LogMalformed).Report(checks.Finding{Severity: checks.Medium, Batch: -1, Where: e.Where,
					Evidence: basics.FlawText(e),
					Title:    "an older file of the file source log cannot be parsed",
					Meaning: `A restart reads the newest compact file of this log and the files after it. This file is older,
so it does not stop a restart. You would need it to roll back.`,
					NextStep: `Nothing is needed before a restart. Find out what changed the file: newer files may be affected
too.`})
			}
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// logAhead tells of a log that continues after the newest plan. One entry is what a crash between the two writes leaves; each further one
// takes a
// start that found new files and planned nothing.
func logAhead(p *checks.Pass, plan *log.Plan, f *checkpoint.SourceFolder, id int64) {
	latest := f.Log.Latest()
	if latest <= id+1 {
		return
	}
	p.Report(checks.Finding{Severity: checks.Low, Batch: -1, Where: decode.Where{File: fmt.Sprintf("%s/%s", f.Name, log.FileName(latest, false))},
		Evidence: fmt.Sprintf("%s goes up to entry %d, but %s, the newest offset file, only to %d", f.Name, latest, plan.File, id),
		Title:    "the file source log continues after the newest offset file",
		Meaning: `Entries after the newest offset file name files no batch has read yet; the next batch reads all of them.
Each start that fails before it plans leaves one such entry. So does a copy or rollback that set back offsets but not sources.`,
		NextStep: `If offsets was restored from an older copy: restore sources from the same moment. If it was not: nothing is
needed.`,
		Avoid: `Do not delete these entries while the query runs.`})
}
