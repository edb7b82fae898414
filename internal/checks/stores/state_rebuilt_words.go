package stores

import (
	"fmt"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// reportRebuilt tells of a snapshot that does not agree with the files before it, and returns what it told.
//
// Which of the two is right, no byte says. A snapshot without a row, or that only lacks rows, is the likely one; one that differs in
// few of many rows, or with two equal files before it, may be the right one.
func reportRebuilt(p *checks.Pass, t *twofold, r *statestore.Rebuilt, same string) checks.Finding {
	f := checks.Finding{Severity: checks.Critical, Batch: t.file.Version - 1, Where: decode.Where{File: t.at()},
		Evidence: fmt.Sprintf("%s has %s; %s at version %d: %s", t.file.Name(), basics.Counted(r.Rows, "rows"), t.made()+" "+gives(&t.from)+" "+basics.Counted(r.FromRows, "rows"), t.file.Version, apart(r)),
		Title:    "a state snapshot does not match the files before it",
		Avoid: `Do not take a successful start as proof that the state is right, and do not start a new checkpoint: the older files all
exist.`}
	lacks := r.Apart && r.Missing > 0 && r.More+r.Other == 0 && same == ""
	if few := r.Apart && 2*(r.Missing+r.More+r.Other) <= max(r.Rows, r.FromRows); !lacks && (few || same != "") {
		f.Severity = checks.High
	}
	if same != "" {
		f.Evidence += "; " + same
	}
	const trusts = `A start loads the newest snapshot at or below the version it needs. It does not check the files before it. `
	f.Meaning = trusts + `The two should have the same rows, and they differ. One of them is from another version, partition or attempt. If
it is the snapshot, the restart silently continues with wrong rows. If it is an older file, nothing is wrong until the snapshot is lost.`
	f.NextStep = `Find out which one is right before you restart. Look for the original files in object versions or a backup, and compare times. ` + basics.CopyFirst + `If the snapshot is wrong: ` + basics.LowerFirst(t.aside())
	if lacks {
		f.Title = "a state snapshot lacks rows of the files before it"
		f.Meaning = trusts + `The change files show that this partition has rows the snapshot lacks. The query continues without them.
Counts start again, keys count as new, and no error shows it. Spark writes such a snapshot if its store is being cleared at that moment
(SPARK-48105). A file of another version or partition looks the same.`
		f.NextStep = `Set this snapshot aside before you restart. ` + basics.CopyFirst + t.aside() + ` Spark re-runs no batch.`
	}
	if t.loads && t.Chain.Version > t.file.Version {
		f.Meaning += fmt.Sprintf(` The output of %s since then has the same errors, if a batch started with this file.`, basics.Span{First: t.file.Version, Last: t.Chain.Version - 1}.Batches())
	}
	if t.ranOn {
		f.Meaning += ` An older snapshot is wrong as well, and this one was built from it. The query has continued with the wrong rows, and
its later output has the same errors.`
		f.NextStep = `Find the first wrong snapshot before you restart. ` + basics.CopyFirst + `Roll back to the batch that wrote it, with that
snapshot set aside. The sources must still have the later batches, and the sink must accept them twice.`
	}
	if !t.loads {
		f.Severity = checks.Medium
		f.Evidence += "; the restart does not load it"
		f.Meaning = `The two should have the same rows, and they differ. The restart does not load this version. A rollback to this version
would load it.`
		f.NextStep = `Nothing to do before a restart. Before a rollback to this version: ` + basics.LowerFirst(basics.CopyFirst) + t.aside()
	}
	p.Report(f)
	return f
}

// made is the older files: "11.snapshot with 12.delta to 22.delta".
func (t *twofold) made() string {
	steps := t.from.Files
	base := ""
	if t.from.Base > 0 {
		base, steps = steps[0].Name(), steps[1:]
		if len(steps) > 0 {
			base += " with "
		}
	}
	switch n := len(steps); n {
	case 0:
		return base
	case 1:
		return base + steps[0].Name()
	default:
		return fmt.Sprintf("%s%s to %s", base, steps[0].Name(), steps[n-1].Name())
	}
}

// gives is the verb that goes with made.
func gives(c *state.Chain) string {
	if c.Base == 0 && len(c.Files) > 1 {
		return "give"
	}
	return "gives"
}

// aside is what moving the snapshot out of the way does.
func (t *twofold) aside() string {
	var names []string
	for _, f := range t.Files() {
		if f.Role.Whole() && f.Version > t.from.Base && f.Version <= t.file.Version {
			names = append(names, t.Path(f.Name()))
		}
	}
	text := strings.Join(names, " and ")
	if len(names) > 3 {
		text = fmt.Sprintf("%s to %s", names[0], names[len(names)-1])
	}
	return fmt.Sprintf("Set %s aside with its checksum files, and nothing else: Spark then rebuilds version %d from %s.", text, t.file.Version, t.made())
}

// apart says in which rows the two differ.
func apart(r *statestore.Rebuilt) string {
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, basics.Counted(n, "rows")+" "+verb(n)+" "+what)
		}
	}
	if r.Apart {
		add(r.Missing, "not in the snapshot")
		add(r.More, "only in the snapshot")
		if r.Other > 0 {
			parts = append(parts, fmt.Sprintf("%s %s another value", basics.Counted(r.Other, "rows"),
				map[bool]string{true: "has", false: "have"}[r.Other == 1]))
		}
		return strings.Join(parts, ", ")
	}
	switch d := r.FromRows - r.Rows; {
	case d > 0:
		return fmt.Sprintf("the snapshot has %s fewer, or more", basics.Counted(d, "rows"))
	case d < 0:
		return fmt.Sprintf("the snapshot has %s more", basics.Counted(-d, "rows"))
	}
	return "the same number, but different rows"
}

func verb(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
