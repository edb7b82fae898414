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
	comparedEntries = checks.Comparison{Short: "file source logs", One: "file of a file source log with the batch of its entries", Many: "files of file source logs with the batches of their entries"}
	comparedLogs    = checks.Comparison{Short: "file source logs", One: "file source log with the newest offset file", Many: "file source logs with the newest offset file"}
)

var SourceLogMismatch = &checks.Check{
	Code:     "source-log-mismatch",
	Severity: checks.Medium,
	Question: checks.SameQuery,
	Damage:   checks.Altered,
	Title:    "an entry of the file source's own log is in the wrong file",
	Meaning: `Each entry of this log records which number it was written under, and that is not the number of its file: a file was renamed, copied
from another one, or changed. A batch that is run again goes by files, and one that goes by a compacted file by the entries: the two now read
different input files, and neither says so.`,
	NextStep: basics.CopyFirst + `Compare the file with a backup or an older version of the object, and put it back.`,
	Avoid:    `Do not rename files of this log, and do not change numbers in them.`,
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
					Title:    "an older file of the file source's own log does not parse",
					Meaning:  `A start reads the newest compact file of this log and those after it, and this one is older: it stops no start. It would be needed to step back.`,
					NextStep: `Nothing has to be done before a restart. Find out what changed the file: the same may hit a newer one.`})
			}
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// logAhead tells of a log that goes on behind the newest plan. One entry is what a crash between the two writes leaves; each further one
// takes a
// start that found new files and planned nothing.
func logAhead(p *checks.Pass, plan *log.Plan, f *checkpoint.SourceFolder, id int64) {
	latest := f.Log.Latest()
	if latest <= id+1 {
		return
	}
	p.Report(checks.Finding{Severity: checks.Low, Batch: -1, Where: decode.Where{File: fmt.Sprintf("%s/%s", f.Name, log.FileName(latest, false))},
		Evidence: fmt.Sprintf("%s goes up to entry %d, and %s, the newest plan, only to %d", f.Name, latest, plan.File, id),
		Title:    "the file source's own log continues after the newest plan",
		Meaning: `The entries after the newest plan name files that no batch has read yet; the next batch reads all of them. Starts that fail before they plan
leave one such entry each. So does a copy or a rollback that took offsets back and left sources as it was.`,
		NextStep: `If offsets was put back from an older copy, put sources back to the same moment. Else nothing has to be done.`,
		Avoid:    `Do not delete these entries while the query runs.`})
}
