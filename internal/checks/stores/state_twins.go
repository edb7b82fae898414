package stores

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// reportTwins tells of state files that are whole and still cannot be right: they hold the same bytes as
// another one. Spark loads them without a word.
func reportTwins(ctx context.Context, p *checks.Pass) error {
	type twin struct {
		op     int
		store  string
		digest [32]byte
	}
	first := map[twin]string{} // where such bytes were seen first
	in := map[twin]int{}       // in which partition
	var before []statestore.File
	for n := range Needs(p) {
		for _, f := range n.steps(p) {
			c := n.Contents(p, f)
			key := twin{n.Op.ID, n.name, c.Digest}
			switch at := n.Path(f.Name()); {
			case first[key] == "":
				first[key], in[key] = at, n.partition
			case in[key] != n.partition:
				reportTwin(p, at, first[key], f)
			}
			if b := n.before(f); b != nil && counts(&n) && n.Contents(p, *b) == nil {
				before = append(before, statestore.File{Dir: n.Dir, File: *b})
			}
		}
	}
	if err := look(ctx, p, before); err != nil {
		return err
	}
	for n := range Needs(p) {
		for _, f := range n.steps(p) {
			b := n.before(f)
			if b == nil || !counts(&n) {
				continue
			}
			if was := n.Contents(p, *b); was != nil && was.Digest == n.Contents(p, f).Digest {
				reportRepeated(p, &n, f, *b)
			}
		}
	}
	return nil
}

// steps are the deltas and changelogs of the chain that were read to their end and change something.
func (n *Need) steps(p *checks.Pass) (files []state.File) {
	for _, f := range n.Chain.Files {
		if c := n.Contents(p, f); !f.Role.Whole() && c != nil && c.Changes > 0 && c.Digest != [32]byte{} {
			files = append(files, f)
		}
	}
	return files
}

// before is what the batch before changed, where it takes as many bytes as f; nil where it does not.
func (n *Need) before(f state.File) *state.File {
	i := slices.IndexFunc(n.Files(), func(b state.File) bool { return b.Version == f.Version-1 && b.Role == f.Role && b.Size == f.Size })
	if i < 0 {
		return nil
	}
	return &n.Files()[i]
}

// counts reports whether the store is of an aggregation whose rows hold a count, which grows whenever a row
// is written.
func counts(n *Need) bool {
	if n.Op.Name != "stateStoreSave" {
		return false
	}
	for _, s := range n.Op.Schemas {
		if path.Dir(path.Dir(s.File)) != path.Join(n.Op.Dir, "0", strings.TrimPrefix(n.name, "default")) {
			continue
		}
		for _, family := range s.Families {
			if slices.ContainsFunc(family.Value, func(f state.Field) bool { return f.Name == "count" && f.Type == "long" }) {
				return true
			}
		}
	}
	return false
}

func reportTwin(p *checks.Pass, at, other string, f state.File) {
	ContentsOf(p).twins = append(ContentsOf(p).twins, at, other)
	p.Report(checks.Finding{Severity: checks.Critical, Batch: f.Version - 1, Where: decode.Where{File: at},
		Evidence: fmt.Sprintf("%s and %s are identical; both have rows", at, other),
		Title:    "two partitions have the same state file",
		Meaning: `Every key belongs to one partition, so two partitions never have the same rows. One of the two files is a copy of the
other. Spark silently loads it. The partition then lacks its own rows, and has keys no lookup finds there. Likely cause: a copy or restore
that mixed up files.`,
		NextStep: `Replace the copied file before you restart. ` + basics.CopyFirst + `Find out from times and backups which file is the copy. Put the right file in its place.`,
		Avoid:    `Do not take a successful start as proof that the state is right.`})
}

func reportRepeated(p *checks.Pass, n *Need, f, before state.File) {
	p.Report(checks.Finding{Severity: checks.High, Batch: f.Version - 1, Where: decode.Where{File: n.Path(f.Name())},
		Evidence: fmt.Sprintf("%s and %s are identical; both write rows with a count", f.Name(), before.Name()),
		Title:    "two versions of the state are the same file",
		Meaning: `The rows of this store have a count, which grows when a batch writes the row. Two batches hardly ever write the same rows
with the same counts, unless all counted values are null. The file is likely a copy of the one before, put in place of a lost file. Spark
silently loads it, and the counts of the later batch are missing.`,
		NextStep: `Look for the original file in object versions or a backup, and compare before you restart. ` + basics.CopyFirst +
			`Put the right file in its place.`,
		Avoid: `Do not take a successful start as proof that the state is right.`})
}
