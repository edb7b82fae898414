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
	Title:    "a file does not match its checksum",
	Meaning: `The file was changed after it was written, by hand or by damage. The checksum next to it is still that of the old bytes. By
default, Spark does not check it for log files on a local disk, and silently uses the changed bytes. With another checkpoint file manager,
the start fails with a checksum error.`,
	NextStep: `Find out what was changed: compare the file with a backup. ` + basics.CopyFirst + `Then put the original back. If the change
is intended: remove the checksum of this one file.`,
	Avoid: `Do not remove all checksum files: the others match and prove that their files are intact.`,
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
		f.Meaning = `It proves nothing about the file next to it. By default, Spark does not check it for log files on a local disk.`
		f.NextStep = `Nothing to do before a restart.`
		f.Avoid = `Do not remove all checksum files: the others are good.`
	case !needed:
		f.Severity = checks.Medium
	}
	p.Report(f)
}
