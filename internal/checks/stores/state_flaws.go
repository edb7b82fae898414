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
	out.Evidence += fmt.Sprintf("; version %d, which the restart loads, needs it", f.Chain.Version)
	evidence, act, err := wayBack(ctx, p, &f.Need)
	out.Evidence += evidence
	if act != "" && f.Kind == statestore.Hidden {
		act = "Do not restart yet, even if Spark starts. " + act
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
	f.Severity = checks.High
	from := "older files that are all there"
	if c := &n.Chain; c.Whole() && !slices.ContainsFunc(c.Files, func(g state.File) bool { return n.Path(g.Name()) == f.Where.File }) {
		from = RebuiltFrom(c) + ", which are all there"
	}
	f.Evidence += fmt.Sprintf("; version %d can be rebuilt from %s", n.Chain.Version, from)
	f.Meaning = `Spark ` + p.Spark.String() + ` passes over this snapshot and rebuilds the version from an older one, without a word. Releases before 4.2,
and 4.2 and later with automatic repair switched off, fail on it.`
	f.NextStep = `Nothing has to be done for a restart with this release. ` + basics.CopyFirst + `Find out what happened to the file (a full disk, a copy or an
upload that was cut off) and whether other files suffered.`
	return f
}

// hidden is a finding of a block of an SST file that is only met when a row in it is asked for.
func hidden(out checks.Finding) checks.Finding {
	out.Title = "rows of the state are unreadable"
	out.Meaning = `A block of this file fails its own checksum. Spark does not look at it as it loads the store: a batch fails when it asks for a row in
the block, and a batch that only goes over all rows may leave out those in the block and behind it, without a word. Counts and windows are
then wrong, and nobody is told.`
	out.NextStep = `Do not restart before the file is replaced, even if Spark starts. Look for it as it was in the versions of the bucket or a backup. ` +
		basics.CopyFirst + `Put it back. If it cannot be had, go back to a version that all stores still have.`
	out.Avoid = `Do not take a start that goes well for a proof that the state is whole.`
	return out
}

// another is a finding of an SST file that is whole and not the one that its snapshot was made with.
func another(p *checks.Pass, f *stateFlaw, out checks.Finding) checks.Finding {
	out.Title = "an SST file of the state is that of another attempt"
	const begins = `The file is whole, has the name and the size that the snapshot records, and is not the one that the snapshot was made with: RocksDB notes an id of
each file in its MANIFEST, which it makes of what the file says of itself. Two attempts at one version that used the same name leave this, and so does a copy that mixed files up. `
	out.Meaning = begins + `RocksDB compares the two as it opens the file, and the first batch fails ("Mismatch in unique ID on table file"), again at every restart.`
	if f.Kind == statestore.Unlike {
		out.Meaning = begins + `Spark ` + p.Spark.String() + ` does not compare them: it loads the file without a word, and the rows of this partition are others than they were.`
	}
	out.NextStep = `Do not restart. Look for the file as it was in the versions of the bucket or a backup. ` + basics.CopyFirst + `Put it back. If it cannot be had, go back to a version
that all stores still have.`
	out.Avoid = `Do not change the snapshot so that it fits the file, and do not take a start that goes well for a proof that the state is right.`
	return out
}

// miscounted is a finding of a snapshot with another number of keys than it says.
func miscounted(out checks.Finding) checks.Finding {
	out.Severity = checks.High
	out.Title = "a snapshot of the state has another number of keys than it says"
	out.Meaning = `Spark counts the keys of a store as it writes them, and notes the number in the snapshot. Its files hold another number of keys: one of them may be that
of another attempt, or Spark's count has gone wrong, which the rows do not suffer from. Spark does not compare them.`
	out.NextStep = `Do not restart before it is clear. Compare with the snapshot before (tidemark state --changes), and look for the files as they were in the versions of the bucket
or a backup.`
	out.Avoid = `Do not take a start that goes well for a proof that the state is right.`
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
					Meaning: `Spark reads this file up to the mark that ends its rows, and does not look at what comes behind: all rows are there, and a restart
goes well. Something has touched the file all the same.`,
					NextStep: `Nothing has to be done before a restart. Find out what changed the file, and whether others suffered.`,
					Avoid:    `Do not delete the file: it is needed.`})
			}
		}
	}
}

func reportUnloaded(p *checks.Pass, c *statestore.Contents, f *stateFlaw) {
	p.Report(checks.Finding{Severity: checks.Medium, Batch: c.Version - 1, Where: f.Where, Evidence: f.text() + "; the next start does not load it",
		Meaning:  `The next start does not load this version. It would be missed if the query had to go back to it.`,
		NextStep: `Nothing has to be done before a restart. Find out what happened to the file, and whether others suffered.`,
		Avoid:    `Do not delete the file: others may build on it.`})
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
