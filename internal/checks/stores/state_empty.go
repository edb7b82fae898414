package stores

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/logs"
	"tidemark/internal/phrase"
)

const (
	stateEmptyMeaning = `A folder that must contain state has no state file, or is missing. The first batch after a restart fails. Spark's
error names a missing file, not the missing folder. Its state (counts, windows, seen keys) is lost unless a copy exists. Likely causes: a
copy without state, a clean-up of large folders, or a lifecycle rule.`
	stateEmptyNextStep = `Look for the folder in a backup, object versions or the trash, from the time of the newest commit. ` +
		basics.CopyFirst + `Put the complete folder back. If there is no copy: start a new checkpoint that reads the sources from an
earlier position, and so builds the state again.`
)

var StateEmpty = &checks.Check{
	Code:     "state-empty",
	Severity: checks.Critical,
	Question: checks.Intact,
	Damage:   checks.Broken,
	Lacks:    true,
	OfState:  true,
	Rejudge:  true,
	Title:    "the state a restart loads is missing",
	Meaning:  stateEmptyMeaning,
	NextStep: stateEmptyNextStep,
	Avoid: `Do not delete the rest of the checkpoint, and do not create empty files in its place: the query would continue with wrong
results.`,
	Run: runStateEmpty,
}

func runStateEmpty(_ context.Context, p *checks.Pass) error {
	elsewhere := OtherDisks(p)
	for _, g := range GoneState(p) {
		f := checks.Finding{Severity: checks.Critical, Batch: g.batch, Where: decode.Where{File: g.Dir}, Evidence: g.Evidence}
		if elsewhere != "" && (g.whole || g.many && writtenLocally(p)) {
			f.Meaning = stateEmptyMeaning + " " + elsewhere
			f.NextStep = lookOnExecutors + " " + stateEmptyNextStep
		}
		p.Report(f)
	}
	if g, ok := perhapsGone(p); ok {
		if elsewhere != "" {
			elsewhere = " " + elsewhere
		}
		p.Report(checks.Finding{Severity: checks.High, Batch: g.batch, Where: decode.Where{File: g.Dir}, Evidence: g.Evidence,
			OnlyIf: "the query keeps no state",
			Meaning: `The state folder exists and contains no operator, and the query has a watermark. Either the query is stateless and
the folder is a leftover, or its state was lost. The files alone do not show which.` + elsewhere,
			NextStep: `Check the query for a stateful operator: an aggregation, a join, dropDuplicates or another. If it has one: put the
state folder back from a copy of the same time as the newest commit, before a restart.`})
	}
	return nil
}

const lookOnExecutors = `If the checkpoint location has no shared file system: look for the folder on the disks of the executors first.`

// OtherDisks says that the executors may have written state elsewhere: all that the driver of a query writes is there. "" where that
// is not so.
func OtherDisks(p *checks.Pass) string {
	if p.Root.Err != nil || p.Survey.Metadata == nil || p.Offsets.Last() < 0 || p.Commits.Last() < 0 || len(logs.CopySigns(p)) > 0 {
		return ""
	}
	text := `Everything the driver writes exists (the query ID and the logs), and executors write the state. If that is a local disk and the cluster has several machines, each executor writes to its own disk.`
	if writtenLocally(p) {
		text += ` Hadoop checksum files next to the logs show that this folder was written on a local file system.`
	}
	return text
}

// writtenLocally reports whether Hadoop's local file system wrote the logs: it keeps a checksum
// beside each file.
func writtenLocally(p *checks.Pass) bool {
	for _, e := range p.Offsets.Others {
		if log.ParseName(e.Name).Role == log.HadoopCRC {
			return true
		}
	}
	return p.Root.Find(".metadata.crc") != nil
}

// goneDir is a folder of state that the start needs and that is gone or holds nothing.
type goneDir struct {
	Dir      string
	Op       *statestore.Operator // nil where its folder is gone
	batch    int64                // the batch whose state it held
	whole    bool                 // no file of its operator is there, or of any operator
	many     bool                 // it stands for many partitions of which no file is there
	Evidence string
}

// GoneState are the folders of state that hold nothing although the next start loads from them: those
// of operators, of partitions, and of the stores of a join.
func GoneState(p *checks.Pass) []goneDir {
	version, ok := StartVersion(p)
	if !ok || version <= 0 {
		return nil
	}
	if len(p.Survey.State) == 0 {
		if because := KeepsState(p); because != "" {
			return []goneDir{{Dir: "state", whole: true, batch: version - 1, Evidence: "no operator has a folder in state; " + because}}
		}
		return nil
	}
	gone := goneOperators(p, version)
	for i := range p.Survey.State {
		if op := &p.Survey.State[i]; op.Err == nil && Judged(p, op, version) {
			gone = append(gone, goneParts(p, op, version)...)
		}
	}
	return gone
}

// perhapsGone is a folder state without operators where only a watermark hints at a stateful query.
func perhapsGone(p *checks.Pass) (goneDir, bool) {
	version, ok := StartVersion(p)
	last := p.Survey.Standing.Last
	if e := p.Root.Find("state"); !ok || version <= 0 || e == nil || !e.Dir || len(p.Survey.State) > 0 || KeepsState(p) != "" {
		return goneDir{}, false
	}
	if last == nil || last.Plan == nil || last.Plan.Watermark <= 0 || basics.DeclaresNoState(p) {
		return goneDir{}, false
	}
	return goneDir{Dir: "state", batch: version - 1, Evidence: fmt.Sprintf("no operator has a folder in state; %s has the watermark %d", last.Plan.File, last.Plan.Watermark)}, true
}

// goneOperators are operators without a folder: those that the newest commit names, and numbers below
// one that is there, for operators are counted from 0.
func goneOperators(p *checks.Pass, version int64) (gone []goneDir) {
	there := func(id int) bool {
		return slices.ContainsFunc(p.Survey.State, func(o statestore.Operator) bool { return o.ID == id })
	}
	ids := CommittedIDs(p)
	highest := 0
	for i := range p.Survey.State {
		if op := &p.Survey.State[i]; Judged(p, op, version) {
			highest = max(highest, op.ID)
		}
	}
	for key := range ids {
		if id, err := strconv.Atoi(key); err == nil && id < 1000 {
			highest = max(highest, id)
		}
	}
	for id := 0; id <= min(highest, 1000); id++ {
		if there(id) {
			continue
		}
		dir := path.Join("state", strconv.Itoa(id))
		evidence := fmt.Sprintf("%s is missing; operators are counted from 0 and state/%d exists", dir, highest)
		if _, ok := ids[strconv.Itoa(id)]; ok {
			evidence = fmt.Sprintf("%s is missing; %s records the IDs of its state files", dir, basics.LogName(&p.Commits, p.Commits.Last()))
		} else if len(ids) > 0 {
			continue
		}
		gone = append(gone, goneDir{Dir: dir, batch: version - 1, Evidence: evidence})
	}
	return gone
}

// fewFolders is how many partitions are told one by one.
const fewFolders = 8

// goneParts are the partitions of an operator that hold nothing, or the operator itself where none
// holds anything.
func goneParts(p *checks.Pass, op *statestore.Operator, version int64) []goneDir {
	count, names := PartitionCount(p, op), storeNames(op)
	var empty []int64    // partitions without a file
	var stores []goneDir // stores without a file, in partitions with some
	for id := range count {
		part := op.Partition(id)
		if part != nil && unlistedPart(part) {
			continue
		}
		var without []string
		for _, name := range names {
			if part == nil || part.Store(name) == nil || len(part.Store(name).Files) == 0 {
				without = append(without, name)
			}
		}
		if len(without) == len(names) {
			empty = append(empty, int64(id))
			continue
		}
		for _, name := range without {
			dir := path.Join(op.Dir, strconv.Itoa(id), name)
			stores = append(stores, goneDir{Dir: dir, Op: op, batch: version - 1,
				Evidence: fmt.Sprintf("%s has no state file; the other stores of partition %d have", dir, id)})
		}
	}
	switch {
	case len(empty) == count || count == 0 && len(op.Partitions) == 0:
		return []goneDir{{Dir: op.Dir, Op: op, whole: true, batch: version - 1, Evidence: fmt.Sprintf("%s has no state file in any partition; version %d is needed", op.Dir, version)}}
	case len(empty) > fewFolders:
		return append([]goneDir{{Dir: path.Join(op.Dir, strconv.FormatInt(empty[0], 10)), Op: op, many: true, batch: version - 1,
			Evidence: fmt.Sprintf("%d of the %d partitions the restart loads have no state file: %s", len(empty), count, phrase.List(basics.SpanNames(basics.Runs(empty)), 5))}}, stores...)
	}
	var gone []goneDir
	for _, id := range empty {
		dir := path.Join(op.Dir, strconv.FormatInt(id, 10))
		gone = append(gone, goneDir{Dir: dir, Op: op, batch: version - 1,
			Evidence: fmt.Sprintf("%s has no state file; the restart loads partitions 0 to %d at version %d", dir, count-1, version)})
	}
	return append(gone, stores...)
}

// unlistedPart reports whether a part of a partition could not be listed: nothing is then known of it.
func unlistedPart(part *statestore.Partition) bool {
	return part.Err != nil || slices.ContainsFunc(part.Stores, func(s statestore.Store) bool { return s.Err != nil })
}
