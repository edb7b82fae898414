package stores

import (
	"context"
	"errors"
	"io/fs"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

var ChecksumMismatch = &checks.Check{
	Code:     "checksum-mismatch",
	Severity: checks.High,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Title:    "a file is not the one that its checksum was made of",
	Meaning: `The file was changed after it was written, by hand or by damage, and the checksum beside it is still that of the old
bytes. Spark's default way of reading log files on a local disk does not look at the checksum and uses the changed bytes without
a word; where another file manager is set, the start fails with a checksum error.`,
	NextStep: `Find out what was changed: compare the file with a backup. ` + basics.CopyFirst + `Then put the original back. If the change is
wanted, remove the checksum of this one file together with the edit.`,
	Avoid: `Do not remove all checksum files: the others agree with their files and prove that those are whole.`,
	Run:   runChecksums,
	Walk: func(p *checks.Pass) checks.Walker {
		return checks.Walker{Batch: func(_, b *checkpoint.Batch) {
			for _, e := range b.Checksums {
				reportChecksum(p, b.ID, e, basics.StartReads(p, e.File))
			}
		}}
	},
}

// runMetadataChecksum judges the file metadata; the logs are judged batch by batch.
func runMetadataChecksum(ctx context.Context, p *checks.Pass) error {
	const file, side = "metadata", ".metadata.crc"
	if p.Survey.Metadata == nil || p.Root.Find(side) == nil {
		return nil
	}
	var data [2][]byte
	for i, name := range []string{file, side} {
		var err error
		if data[i], err = p.Read(ctx, name, 1<<20); checkpoint.Stopped(err) {
			return err
		} else if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				p.Unread(checkpoint.Unread{Name: name, Err: err})
			}
			return nil
		}
	}
	if e := log.VerifyHadoopCRC(file, data[0], side, data[1]); e != nil {
		reportChecksum(p, -1, e, true)
	}
	return nil
}

func reportChecksum(p *checks.Pass, batch int64, e *decode.Error, needed bool) {
	f := checks.Finding{Severity: checks.High, Batch: batch, Where: e.Where, Evidence: e.File + ": " + e.Err.Error()}
	switch {
	case e.Flaw != decode.Checksum:
		f.Severity = checks.Low
		f.Title = "a checksum file does not parse"
		f.Meaning = `It says nothing about the file beside it. Spark's default way of reading log files on a local disk does not look at it.`
		f.NextStep = `Nothing has to be done before a restart.`
		f.Avoid = `Do not remove all checksum files: the others are good.`
	case !needed:
		f.Severity = checks.Medium
	}
	p.Report(f)
}
