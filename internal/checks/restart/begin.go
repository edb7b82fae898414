package restart

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/phrase"
)

// nothingPlanned is a start without any plan: a new query to Spark, whatever else exists.
//
// Up to 4.0 it begins at batch 0; from 3.1 on it fails where commits/0 exists (commitExists). 4.1 looks whether logs
// or state hold anything (verifyCheckpointDirectoryEmptyOnStart); 4.3 does too, and before that
// asserts that nothing was committed.
func nothingPlanned(s *Judge) (checks.Restart, bool) {
	if s.L >= 0 {
		return goOn()
	}
	if folder := LastFolder(&s.Offsets); folder >= 0 && !s.OnSpark(3, 4) {
		return NewestNotFound(s)
	}
	leftovers := s.leftovers()
	switch {
	case s.OnSpark(4, 3) && s.C >= 0:
		return refuses(-1, "assertion failed", "offsets has no batch, but commits goes up to %d", s.C)
	case s.OnSpark(4, 1) && len(leftovers) > 0:
		return refuses(-1, "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY", "offsets has no batch, but files exist in %s", strings.Join(leftovers, " and in "))
	case Folder(&s.Offsets, 0):
		return refuses(0, concurrentUpdate, "offsets/0, which batch 0 has to write, is a folder")
	}
	if out, ok := rangedStart(s); ok {
		return out, true
	}
	if out, ok := s.commitExists(0, "offsets has no batch: Spark starts at batch 0"); ok {
		return out, true
	}
	out := checks.Restart{Outcome: checks.Fresh, Batch: 0, StateVersion: -1, Because: "offsets and commits have no batch, so Spark starts at batch 0"}
	if s.Stateful() {
		out.StateVersion = 0
		out.Because = "offsets has no batch, so Spark starts at batch 0 with empty state, although state has older versions"
	} else if s.C >= 0 {
		out.Because = fmt.Sprintf("offsets has no batch, so Spark starts at batch 0, although commits goes up to %d", s.C)
	} else if len(s.Sources.Entries) > 0 {
		out.Because = "offsets and commits have no batch, so Spark starts at batch 0, although sources has older logs"
	}
	out.Because += s.begunBefore()
	if s.Commits.Find(0) != nil {
		out.Because += fmt.Sprintf("; Spark %s keeps the existing commits and does not fail", s.Spark)
	}
	return out, true
}

// begunBefore says which sources begin where they wrote down once that they did, and not where their options say
// (KafkaMicroBatchStream.getOrCreateInitialPartitionOffsets). Some kinds of source read that file as long as no batch is committed.
func (s *Judge) begunBefore() string {
	var all []string
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		if f.First != nil && len(f.First.Problems) == 0 && f.First.Offset.Likeliest().Taken != nil {
			all = append(all, f.First.File)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; the source begins at the offsets in %s, whatever startingOffsets says", phrase.List(all, 3))
}

// leftovers are the folders that are not empty, of those that 4.1 looks into.
func (s *Judge) leftovers() []string {
	var all []string
	for _, d := range []struct {
		name string
		n    int
	}{
		{"offsets", visible(checkpoint.Listing{Entries: s.Offsets.Others})},
		{"commits", len(s.Commits.Files) + visible(checkpoint.Listing{Entries: s.Commits.Others})},
		{"state", visible(s.State)},
	} {
		if d.n > 0 {
			all = append(all, d.name)
		}
	}
	return all
}

// visible is how many entries Spark sees: Hadoop hides its own checksum files from a listing.
func visible(l checkpoint.Listing) int {
	n := 0
	for _, e := range l.Entries {
		if role := log.ParseName(e.Name).Role; role != log.HadoopCRC && role != log.TempCRC {
			n++
		}
	}
	return n
}

// continuousStart is continuous processing (ContinuousExecution): the newest commit decides, and what
// is planned above it is planned again.
func continuousStart(s *Judge) (checks.Restart, bool) {
	if t := basics.DeclaredTrigger(s.Pass); !basics.Continuous(s.Pass) || t != "" && t != "continuous" {
		return goOn()
	}
	if s.C < 0 {
		return checks.Restart{Outcome: checks.Fresh, Batch: 0, StateVersion: -1, Because: "nothing is committed, so continuous processing starts from the beginning"}, true
	}
	if out, ok := NewestCommit(s); ok {
		return out, true
	}
	if s.Offsets.Find(s.C) == nil {
		return refuses(s.C, fmt.Sprintf("Batch %d was committed without end epoch offsets", s.C), "commits/%d exists, but offsets/%d is missing", s.C, s.C)
	}
	plan := s.ReadPlan(s.C)
	if plan == nil {
		return Unknown("offsets/%d, which the restart reads, could not be read", s.C), true
	}
	return checks.Restart{Outcome: checks.Next, Batch: s.C + 1, StateVersion: -1, Ranges: basics.StartRanges(plan, nil),
		Because: fmt.Sprintf("commits/%d is the newest commit, so continuous processing continues from offsets/%d", s.C, s.C)}, true
}

// unfinishedRepartition is a batch that an offline change of the number of state partitions planned
// (4.2 on) and never committed.
func unfinishedRepartition(s *Judge) (checks.Restart, bool) {
	if s.AllCommitted() || !s.OnSpark(4, 2) || s.Last.Plan.Control == "" {
		return goOn()
	}
	return refuses(s.L, "STREAMING_UNFINISHED_REPARTITION_DETECTED", "%s is a batch of an offline state repartition and is not committed", s.Last.Plan.File)
}

// writtenAlready is a log file in the way of the batch: it runs, and cannot be planned or committed.
func writtenAlready(s *Judge) (checks.Restart, bool) {
	b := s.FirstBatch()
	if s.C > s.L {
		if out, ok := s.commitExists(b, "commits goes up to %d, offsets only to %d: Spark re-runs batch %d", s.C, s.L, b); ok {
			return out, true
		}
	}
	switch {
	case Folder(&s.Offsets, b):
		return refuses(b, concurrentUpdate, "offsets/%d, which batch %d has to write, is a folder", b, b)
	case Folder(&s.Commits, b) && s.OnSpark(2, 2):
		return refuses(b, s.Since(3, 1, concurrentUpdate, isFolder), "commits/%d, which batch %d has to write, is a folder", b, b)
	}
	return goOn()
}

// commitExists is a commit of the batch that runs, so CommitLog.add does not write one. From 3.1 on that ends the query
// (MicroBatchExecution.runBatch). 3.0 and older ignore the answer of add: the existing commit is kept, and only one that
// cannot be parsed stops them (seen on 2.4.8 and 3.0.3; the same in the sources of 2.2 and 2.3). 2.1 has no commit log.
func (s *Judge) commitExists(batch int64, runs string, args ...any) (checks.Restart, bool) {
	if s.Commits.Find(batch) == nil || !s.OnSpark(2, 2) {
		return goOn()
	}
	runs = fmt.Sprintf(runs, args...)
	if s.OnSpark(3, 1) {
		return refuses(batch, concurrentUpdate, "%s and fails because commits/%d exists", runs, batch)
	}
	b, err := s.Checkpoint.Batch(s.Ctx, batch)
	if err != nil || b.Commit == nil {
		return s.unread(b, fmt.Sprintf("commits/%d", batch))
	}
	out, stops := s.readCommit(b.Commit, batch)
	out.Because = runs + " and then cannot read its existing commit: " + out.Because
	return out, stops
}

// Folder reports whether a folder has the name of a batch's file.
func Folder(d *checkpoint.LogDir, id int64) bool {
	e := d.Other(strconv.FormatInt(id, 10))
	return e != nil && e.Dir
}

// goesOn is a start that nothing stops.
func goesOn(s *Judge) (checks.Restart, bool) {
	out := checks.Restart{Batch: s.FirstBatch(), StateVersion: s.StateVersion(), Watermark: s.Last.Plan.Watermark}
	if s.AllCommitted() {
		out.Outcome = checks.Next
		out.Because = fmt.Sprintf("offsets/%d and commits/%d exist, so Spark starts batch %d%s", s.L, s.C, s.L+1, s.fallsBack()+s.skips())
		if c := s.Committed.Commit; !basics.HasFlaw(c.Problems, decode.Value) {
			out.Watermark = max(out.Watermark, c.NextWatermark)
		}
		out.Ranges = basics.StartRanges(s.Last.Plan, s.Previous())
		return out, true
	}
	out.Outcome = checks.Rerun
	out.Ranges = s.BatchRanges()
	switch {
	case s.L > 0 && s.Before == nil && !s.OnSpark(2, 3):
		out.Because = fmt.Sprintf("offsets/%d is missing: Spark %s re-runs batch %d and reads every source from its beginning", s.L-1, s.Spark, s.L)
	case !s.OnSpark(2, 2):
		out.Because = fmt.Sprintf("Spark %s keeps no commits: every start re-runs the newest batch, that of offsets/%d", s.Spark, s.L)
	case s.C < 0:
		out.Because = fmt.Sprintf("offsets/%d exists and commits has no batch", s.L)
	case s.C > s.L && s.Commits.Find(s.L) != nil:
		out.Because = fmt.Sprintf("commits goes up to %d, offsets only to %d: Spark %s re-runs batch %d and keeps its existing commit", s.C, s.L, s.Spark, s.L)
	case s.C > s.L:
		out.Because = fmt.Sprintf("offsets/%d exists, commits/%d does not, although commits goes up to %d", s.L, s.L, s.C)
	case basics.AsyncHoles(s.Pass):
		out.Because = fmt.Sprintf("offsets/%d exists, commits/%d does not; Spark also re-runs the batches between %d and %d, which were not logged", s.L, s.L, basics.PlanBefore(s.Pass, s.L), s.L)
	case s.C < s.L-1:
		out.Because = fmt.Sprintf("offsets/%d exists, commits goes only up to %d; of the later batches, Spark re-runs only %d", s.L, s.C, s.L)
	default:
		out.Because = fmt.Sprintf("offsets/%d exists, commits/%d does not", s.L, s.L)
	}
	return out, true
}

// fallsBack says which sources have no offset in the newest plan: each continues from the plan before,
// and what the newest batch read of it is read again.
func (s *Judge) fallsBack() string {
	if s.Previous() == nil {
		return ""
	}
	var back []string
	for i, o := range s.Last.Plan.InOrder() {
		if basics.NoOffset(s.Last.Plan, o) && !basics.SourceOf(s.Previous(), i, o.Name).None {
			back = append(back, strconv.Itoa(i))
		}
	}
	if len(back) == 0 {
		return ""
	}
	return fmt.Sprintf("; source %s has no offset there and continues from offsets/%d, so its rows of batch %d are read again", strings.Join(back, ", "), s.L-1, s.L)
}

// skips says what the answer rests on where the plan before the newest is missing.
func (s *Judge) skips() string {
	if s.L == 0 || s.Offsets.Find(s.L-1) != nil || !s.OnSpark(2, 3) {
		return ""
	}
	without := fmt.Sprintf(": without that mode the start will fail, because offsets/%d is missing", s.L-1)
	if basics.AsyncOn(s.Pass) {
		without = ", which the query uses"
	}
	return fmt.Sprintf("; both logs skip the same batches, as asynchronous progress tracking does%s", without)
}
