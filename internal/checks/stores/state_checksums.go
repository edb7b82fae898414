package stores

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// runChecksums judges the checksums that are not in the logs: of the file metadata, of the small files that say
// how state is read, of the logs of file sources, and of state.
func runChecksums(ctx context.Context, p *checks.Pass) error {
	return errors.Join(runMetadataChecksum(ctx, p), smallChecksums(ctx, p), stateChecksums(ctx, p))
}

// stateChecksums compares state files with the checksums beside them: those that the next start loads,
// and all with --deep. Another size than Spark's checksum records is told as state-file-damaged.
func stateChecksums(ctx context.Context, p *checks.Pass) error {
	files, limit := NeededStateFiles(p), int64(ReadWhole)
	if p.Deep {
		files, limit = everyStateFile(p), 1<<62
	}
	for v, err := range statestore.Verify(ctx, p.Checkpoint, files, limit) {
		for _, u := range v.Unread {
			p.Unread(u)
		}
		if err != nil {
			return err
		}
		reportVerified(p, &v)
	}
	return nil
}

func reportVerified(p *checks.Pass, v *statestore.Verified) {
	loads := loadedByStart(p, v)
	if v.Size != nil && v.File.Size > 0 {
		f := checks.Finding{Severity: checks.Critical, Batch: v.Version - 1, Where: v.Size.Where, Evidence: v.Name() + ": " + v.Size.Err.Error(), Title: "a state file is longer or shorter than when it was written"}
		if !loads {
			f.Severity = checks.Medium
		}
		p.For(StateFileDamaged).Report(f)
	}
	for _, e := range []*decode.Error{v.Spark, v.Hadoop} {
		if e == nil {
			continue
		}
		f := checks.Finding{Severity: checks.High, Batch: v.Version - 1, Where: e.Where, Evidence: v.Name() + ": " + e.Err.Error(),
			Title: "a state file does not match its checksum",
			Meaning: `The bytes of this state file have changed since it was written. Or file and checksum are of two attempts at the same
version. Spark 4.1 compares them when it loads the file and fails, except for zips in checkpoint format 1. Spark 4.2 and later compare
them in checkpoint format 2 only. If nothing compares them, Spark loads the file, unless it fails to decompress it.`,
			NextStep: `Look for the original file in object versions or a backup. ` + basics.CopyFirst + `Put back a file and a
checksum of the same time, then restart.`,
			Avoid: `Do not remove the checksum to avoid the error: Spark would continue with the changed bytes.`}
		if e.Flaw != decode.Checksum {
			f.Title = "the checksum file of a state file does not parse"
			f.Evidence = fmt.Sprintf("%s: %v", e.File, e.Err)
			f.Meaning = `It proves nothing about the file next to it. Spark 4.1 reads it when it loads that file and fails, except for zips
in checkpoint format 1. Spark 4.2 and later read it in checkpoint format 2 only.`
			f.NextStep = basics.CopyFirst + `Then set this one checksum file aside: without it Spark loads the file unchecked.`
			f.Avoid = `Do not remove the checksums of the other files: those are good.`
		}
		if !loads || e.Flaw != decode.Checksum && (e == v.Hadoop || !ChecksumStops(p, v.File.File)) {
			f.Severity = checks.Low
		}
		if !loads && e.Flaw == decode.Checksum {
			f.Severity = checks.Medium
		}
		p.Report(f)
	}
}

// loadedByStart reports whether the next start loads the file.
func loadedByStart(p *checks.Pass, v *statestore.Verified) bool {
	if !p.Deep {
		return true // only those are looked at
	}
	for f := range NeededStateFiles(p) {
		if f.Dir == v.Dir && f.Name() == v.Name() {
			return true
		}
	}
	return false
}

// ChecksumStops reports whether the release refuses the file for its checksum. 4.1 does, but for the
// zips of checkpoint format 1, which two attempts may have written; 4.2 and later only in format 2.
func ChecksumStops(p *checks.Pass, f state.File) bool {
	switch {
	case f.Sums&state.SparkSum == 0 || !p.Spark.AtLeast(spark.Version{Major: 4, Minor: 1}):
		return false
	case p.Spark.AtLeast(spark.Version{Major: 4, Minor: 2}):
		return f.ID != ""
	}
	return f.ID != "" || f.Role != state.Zip
}

// NeededStateFiles are the state files that the next start loads.
func NeededStateFiles(p *checks.Pass) iter.Seq[statestore.File] {
	return func(yield func(statestore.File) bool) {
		for n := range Needs(p) {
			for _, f := range n.Chain.Files {
				if f.Sums != 0 && !yield(statestore.File{Dir: n.Dir, File: f}) {
					return
				}
			}
		}
	}
}

// everyStateFile are all state files with a checksum.
func everyStateFile(p *checks.Pass) iter.Seq[statestore.File] {
	return func(yield func(statestore.File) bool) {
		for _, op := range p.Survey.State {
			for _, part := range op.Partitions {
				for _, s := range part.Stores {
					for _, f := range s.Files {
						if f.Sums != 0 && !yield(statestore.File{Dir: s.Dir, File: f}) {
							return
						}
					}
				}
			}
		}
	}
}

// ChecksumRefusal is the first file of which the release finds, by the checksum beside it, that it is
// not what was written. Its error means that nothing more will be read.
func ChecksumRefusal(ctx context.Context, p *checks.Pass) (words, because string, err error) {
	if !p.Spark.AtLeast(spark.Version{Major: 4, Minor: 1}) {
		return "", "", nil
	}
	for v, err := range statestore.Verify(ctx, p.Checkpoint, NeededStateFiles(p), ReadWhole) {
		switch {
		case err != nil:
			return "", "", err
		case !ChecksumStops(p, v.File.File):
		case v.Size != nil:
			return Uncategorized + "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED", fmt.Sprintf("%s: %v", v.Size.Where, v.Size.Err), nil
		case v.Spark != nil && v.Spark.Flaw == decode.Checksum:
			return Uncategorized + "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED", fmt.Sprintf("%s: %v", v.Spark.Where, v.Spark.Err), nil
		case v.Spark != nil && v.Spark.Flaw == decode.Empty:
			return Uncategorized + "No content to map due to end-of-input", fmt.Sprintf("%s: %v", v.Spark.Where, v.Spark.Err), nil
		case v.Spark != nil && v.Spark.Flaw != decode.VersionUnknown:
			return Uncategorized + "Unrecognized token", fmt.Sprintf("%s: %v", v.Spark.Where, v.Spark.Err), nil
		}
	}
	return "", "", nil
}

// Uncategorized stands before the cause of a state file that does not load, since 4.0.
const Uncategorized = "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED: "
