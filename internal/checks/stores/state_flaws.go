package stores

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// reportStateFlaws tells of the flaws of some kinds in the files of state that the next start loads.
func reportStateFlaws(ctx context.Context, p *checks.Pass, kinds ...statestore.FlawKind) error {
	told := map[string]bool{} // a file that several snapshots name
	for f := range stateFlaws(p) {
		if !slices.Contains(kinds, f.Kind) || told[f.Where.String()] {
			continue
		}
		told[f.Where.String()] = true
		if err := reportStateFlaw(ctx, p, &f); err != nil {
			return err
		}
	}
	if !p.Deep {
		return nil
	}
	if err := readUnloaded(ctx, p); err != nil {
		return err
	}
	for _, c := range ContentsOf(p).unloaded {
		for _, f := range onePerPlace(c.Flaws) {
			if slices.Contains(kinds, f.Kind) && !told[f.Where.String()] {
				told[f.Where.String()] = true
				reportUnloaded(p, c, &f)
			}
		}
	}
	return nil
}

func reportStateFlaw(ctx context.Context, p *checks.Pass, f *stateFlaw) error {
	out := checks.Finding{Severity: checks.Critical, Batch: f.file.Version - 1, Where: f.Where, Evidence: f.text()}
	switch {
	case f.passed:
		p.Report(passedOver(p, &f.Need, out))
		return nil
	case f.Kind == statestore.Hidden:
		out = hidden(out)
	case f.Kind == statestore.Another || f.Kind == statestore.Unlike:
		out = another(p, f, out)
	case f.Kind == statestore.Miscounted:
		out = miscounted(out)
	case f.Flaw == decode.Cut:
		out.Title = "a state file ends too early"
	}
	out.Evidence += fmt.Sprintf("; the restart loads version %d, which needs it", f.Chain.Version)
	evidence, act, err := wayBack(ctx, p, &f.Need)
	out.Evidence += evidence
	if act != "" && f.Kind == statestore.Hidden {
		act = "Fix this before you restart, even if Spark starts. " + act
	}
	out.NextStep = cmp.Or(act, out.NextStep)
	p.Report(out)
	return err
}

// Text is what is wrong: "12.delta, byte 21: the checksum of …".
func (f *stateFlaw) text() string { return saidOf(f.FileFlaw, f.more) }

func saidOf(f statestore.FileFlaw, more int) string {
	text := path.Base(f.File)
	switch {
	case f.Kind == statestore.Gone || f.Kind == statestore.OtherSize:
		return f.Err.Error() // it names the file
	case f.Offset > 0:
		text += fmt.Sprintf(", byte %d", f.Offset)
	}
	text += ": " + f.Err.Error()
	if more > 0 {
		text += fmt.Sprintf(" (and %d more such places)", more)
	}
	return text
}

// passedOver is a finding of a broken whole file in whose place the release loads an older one.
func passedOver(p *checks.Pass, n *Need, f checks.Finding) checks.Finding {
	f.Severity, f.Harmless = checks.High, true
	from := "older files, all of which exist"
	if c := &n.Chain; c.Whole() && !slices.ContainsFunc(c.Files, func(g state.File) bool { return n.Path(g.Name()) == f.Where.File }) {
		from = RebuiltFrom(c) + ", all of which exist"
	}
	f.Evidence += fmt.Sprintf("; version %d can be rebuilt from %s", n.Chain.Version, from)
	f.Meaning = `Spark ` + p.Spark.String() + ` silently ignores this snapshot and rebuilds the version from an older one. Releases before
4.2 fail on it. So do 4.2 and later with automatic snapshot repair off.`
	f.NextStep = `Nothing to do for a restart with this release. ` + basics.CopyFirst + `Find out what damaged the file (full disk, interrupted copy or upload), and whether other files are affected.`
	return f
}

// hidden is a finding of a block of an SST file that is only met when a row in it is asked for.
func hidden(out checks.Finding) checks.Finding {
	out.Title = "rows of the state are unreadable"
	out.Meaning = `A block of this file does not match its own checksum. Spark does not check it when it loads the store. A batch fails if
it reads a row in the block. A batch that scans all rows may silently skip the rows from this block on. Counts and windows are then wrong,
and nothing reports it.`
	out.NextStep = `Replace the file before you restart, even if Spark starts. Look for the original in object versions or a backup. ` +
		basics.CopyFirst + `Put it back. If it cannot be recovered: roll back to a version every partition can load.`
	out.Avoid = `Do not take a successful start as proof that the state is intact.`
	return out
}

// another is a finding of an SST file that is whole and not the one that its snapshot was made with.
func another(p *checks.Pass, f *stateFlaw, out checks.Finding) checks.Finding {
	out.Title = "an SST file of the state is from another attempt"
	const begins = `The file is complete and has the name and size the snapshot records, but it is not the snapshot's file. RocksDB records
an ID of each file in its MANIFEST, computed from the file's properties. Likely causes: two attempts at one version that used the same
name, or a copy that mixed up files. `
	out.Meaning = begins + `RocksDB compares the IDs when it opens the file. The first batch fails at every restart ("Mismatch in unique ID on table file").`
	if f.Kind == statestore.Unlike {
		out.Meaning = begins + `Spark ` + p.Spark.String() + ` does not compare them. It silently loads the file, and this partition then
has different rows.`
	}
	out.NextStep = `Look for the original file in object versions or a backup before you restart. ` + basics.CopyFirst + `Put it
back. If it cannot be recovered: roll back to a version every partition can load.`
	out.Avoid = `Do not change the snapshot to match the file, and do not trust a start only because it succeeds.`
	return out
}

// miscounted is a finding of a snapshot with another number of keys than it says.
func miscounted(out checks.Finding) checks.Finding {
	out.Severity = checks.High
	out.Title = "a state snapshot has a different number of keys than it records"
	out.Meaning = `Spark counts the keys of a store when it writes them, and records the number in the snapshot. Its files have a different
number of keys. One file may be from another attempt. Or Spark's count is wrong, which does not affect the rows. Spark does not compare
them.`
	out.NextStep = `Compare the snapshot with the one before it (tidemark state --changes) before you restart. Look for the original files
in object versions or a backup.`
	out.Avoid = `Do not take a successful start as proof that the state is right.`
	return out
}

// reportOdd tells of bytes that Spark passes over.
func reportOdd(p *checks.Pass) {
	for n := range Needs(p) {
		for _, f := range n.Chain.Files {
			c := n.Contents(p, f)
			if c == nil {
				continue
			}
			for _, e := range c.Odd {
				p.Report(checks.Finding{Severity: checks.Low, Batch: f.Version - 1, Where: e.Where,
					Evidence: fmt.Sprintf("%s: %v", f.Name(), e.Err),
					Title:    "the end of a state file is not as Spark writes it",
					Meaning: `Spark reads this file up to the mark that ends its rows, and ignores the bytes after it. All rows exist, and
a restart loads them. The file was changed nevertheless.`,
					NextStep: `Nothing to do before a restart. Find out what changed the file, and whether other files are affected.`,
					Avoid:    `Do not delete the file: a restart needs it.`})
			}
		}
	}
}

func reportUnloaded(p *checks.Pass, c *statestore.Contents, f *stateFlaw) {
	p.Report(checks.Finding{Severity: checks.Medium, Batch: c.Version - 1, Where: f.Where, Evidence: f.text() + "; the restart does not load it",
		Meaning:  `The restart does not load this version. A rollback to this version would need it.`,
		NextStep: `Nothing to do before a restart. Find out what happened to the file, and whether other files are affected.`,
		Avoid:    `Do not delete the file: other versions may need it.`})
}

// unloadedAtOnce is how many files that no start loads are looked into before the whole ones are forgotten.
const unloadedAtOnce = 512

// readUnloaded looks once into all state files that the next start does not load.
func readUnloaded(ctx context.Context, p *checks.Pass) error {
	if ContentsOf(p).deep {
		return nil
	}
	ContentsOf(p).deep = true
	for files := range slices.Chunk(unloaded(p), unloadedAtOnce) {
		found, err := statestore.ReadContents(ctx, p.Checkpoint, slices.Values(files), readLimits(p))
		for _, c := range found {
			for _, u := range c.Unread {
				p.Unread(u)
			}
			if len(c.Flaws) > 0 {
				ContentsOf(p).unloaded = append(ContentsOf(p).unloaded, c)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unloaded are the state files with bytes that were not looked into yet.
func unloaded(p *checks.Pass) (files []statestore.File) {
	for _, op := range p.Survey.State {
		for _, part := range op.Partitions {
			for _, s := range part.Stores {
				for _, f := range s.Files {
					if f.Size > 0 && ContentsOf(p).files[s.Path(f)] == nil {
						files = append(files, statestore.File{Dir: s.Dir, File: f})
					}
				}
			}
		}
	}
	return files
}
