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
		Title:    "a snapshot of the state is not what the files before it make",
		Avoid:    `Do not take a start that goes well for a proof that the state is right, and do not begin a new checkpoint: the files before it are all there.`}
	lacks := r.Apart && r.Missing > 0 && r.More+r.Other == 0 && same == ""
	if few := r.Apart && 2*(r.Missing+r.More+r.Other) <= max(r.Rows, r.FromRows); !lacks && (few || same != "") {
		f.Severity = checks.High
	}
	if same != "" {
		f.Evidence += "; " + same
	}
	const trusts = `A start takes the newest snapshot at or below the version that it loads, and trusts it: it does not look at the files before it. `
	f.Meaning = trusts + `The two should hold the same rows, and do not: one of them is of another version, partition or attempt. If it is the snapshot, the
next start goes on with wrong rows, without a word; if it is one of the files before, nothing is wrong until the snapshot is lost.`
	f.NextStep = `Do not restart before it is clear which of them is right: look for these files as they were in the versions of the bucket or a backup, and compare
times. ` + basics.CopyFirst + t.aside()
	if lacks {
		f.Title = "a snapshot of the state lacks rows that the files before it have"
		f.Meaning = trusts + `By what each batch changed, this partition has rows that the snapshot lacks. The query continues without them: counts begin again, keys count
as new, and no error shows it. A snapshot that was written while its store was being cleared leaves such a file (SPARK-48105), and so does one of another version or partition
in its place.`
		f.NextStep = `Do not restart with this file in place. ` + basics.CopyFirst + t.aside() + ` No batch has to run again.`
	}
	if t.loads && t.Chain.Version > t.file.Version {
		f.Meaning += fmt.Sprintf(` What %s wrote since counts from the wrong rows too, if one of them began with this file.`, basics.Span{First: t.file.Version, Last: t.Chain.Version - 1}.Batches())
	}
	if t.ranOn {
		f.Meaning += ` A snapshot before it is wrong as well, and this one is made from that: the query has gone on with the wrong rows, and what it wrote since counts from them.`
		f.NextStep = `Do not restart. ` + basics.CopyFirst + `Go back to the batch that the first of the wrong snapshots was made after, with that snapshot out of the way, if the sources
still hold what came since and the sink takes it twice.`
	}
	if !t.loads {
		f.Severity = checks.Medium
		f.Evidence += "; the next start does not load it"
		f.Meaning = `The two should hold the same rows, and do not. The next start does not load this version. It would be loaded if the query had to go back to it.`
		f.NextStep = `Nothing has to be done before a restart. Before going back to this version: ` + basics.LowerFirst(basics.CopyFirst) + t.aside()
	}
	p.Report(f)
	return f
}

// made is the older files: "11.snapshot with 12.delta … 22.delta".
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
		return fmt.Sprintf("%s%s … %s", base, steps[0].Name(), steps[n-1].Name())
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
		text = fmt.Sprintf("%s … %s", names[0], names[len(names)-1])
	}
	return fmt.Sprintf("Moving %s aside, with its checksum files and nothing else, lets Spark rebuild version %d from %s, which are all there.", text, t.file.Version, t.made())
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
	return "as many, and not the same"
}

func verb(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
