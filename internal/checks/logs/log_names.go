package logs

import (
	"context"
	"fmt"
	"path"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// runNames looks for names that Spark takes for a batch and then cannot open, and for folders in
// the place of the next file.
func runNames(_ context.Context, p *checks.Pass) error {
	for _, d := range []*checkpoint.LogDir{&p.Offsets, &p.Commits} {
		if d.Err != nil {
			continue
		}
		for _, f := range d.Files {
			if d.Find(f.ID) != nil || f.Compact {
				continue
			}
			found := checks.Finding{Severity: checks.Medium, Batch: f.ID, Where: decode.Where{File: path.Join(d.Name, f.Name)},
				Title:    "Spark counts a log file as a batch and cannot open it",
				Evidence: fmt.Sprintf("%s/%s counts as batch %d, but %s/%d is missing", d.Name, f.Name, f.ID, d.Name, f.ID),
				Meaning:  UnreadAtStart,
				NextStep: basics.CopyFirst + `If it is the right file: rename it to the plain number. If it is not: move it
out of the folder.`}
			if basics.StartReads(p, found.Where.File) {
				found.Severity = checks.High
				found.Meaning = `Spark takes this file as the newest of its log and opens it by the plain number. It fails
because that file is missing. A person or a copy tool likely gave it this name.`
				if keepsCommits(p) { // HDFSMetadataLog.getLatest of 3.0 and older, from source
					found.Meaning = fmt.Sprintf(`Spark %s opens this file by the plain number, which is missing. It then continues with the
next older file. A person or a copy tool likely gave it this name.`, p.Spark)
				}
			}
			p.Report(found)
		}
		folders(p, d)
	}
	return nil
}

// folders looks for a folder where one of the next files will be written.
func folders(p *checks.Pass, d *checkpoint.LogDir) {
	for id := max(p.Offsets.Last(), p.Commits.Last(), 0); id <= p.Offsets.Last()+2; id++ {
		e := d.Other(fmt.Sprint(id))
		if e == nil || !e.Dir || d.Find(id) != nil {
			continue
		}
		f := checks.Finding{Severity: checks.High, Batch: id, Where: decode.Where{File: path.Join(d.Name, e.Name)},
			Title:    "a folder blocks the name of a log file",
			Evidence: fmt.Sprintf("%s/%d is a folder", d.Name, id),
			Meaning: `Spark does not count a folder as a batch. When it writes this file, the name is taken. It then stops
with CONCURRENT_STREAM_LOG_UPDATE, as if a second query were writing.`,
			NextStep: basics.CopyFirst + `Then move the folder out of the log.`}
		if !p.Spark.AtLeast(spark.Version{Major: 3, Minor: 4}) {
			f.Meaning = fmt.Sprintf(`Spark %s counts the folder as the newest batch of this log, tries to read it, and fails.`, p.Spark)
		}
		p.Report(f)
	}
}
