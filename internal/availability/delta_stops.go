package availability

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tidemark/internal/tablelog/delta"
)

// This file is what a start of Delta's source fails over, as the log of the table shows it. A start asks for the newest plan once
// more (DeltaSource.getBatch), from the version where that plan began: there it compares schemas. Then it looks for new files
// (DeltaSource.latestOffset) from the end of that plan on, and checks each commit on its way. Read in Delta 3.3, the release for Spark 3.5.

// deltaDefaultLimit is how many files a Delta source takes in a batch unless it is told otherwise (DeltaOptions).
const deltaDefaultLimit = 1000

func (d *deltaLook) stop(s Stop) { d.s.Stops = append(d.s.Stops, s) }

// stops are what the commits from begin on stop a start over, in the order in which Spark meets them.
func (w *deltaWindow) stops(begin int64) error {
	w.missingCommits()
	if w.asked >= 0 && w.asked == begin && !w.snapshot {
		if err := w.schemaStops(); err != nil {
			return err
		}
	}
	w.changedRows()
	w.missingFile()
	return nil
}

// option reports whether an option of the source is declared with this value; said is false where it is not declared at all.
func (w *deltaWindow) option(name, value string) (is, said bool) {
	got, said := w.r.Declared.Option(name)
	return said && strings.EqualFold(strings.TrimSpace(got), value), said
}

func (w *deltaWindow) on(name string) bool {
	is, _ := w.option(name, "true")
	return is
}

// changeFeed reports whether the query declares that it reads the change data feed.
func (w *deltaWindow) changeFeed() bool { return w.on("readChangeFeed") || w.on("readChangeData") }

// missingCommits are commits that a start reads and that are no longer in the log (DeltaLog.getChangeLogFiles).
func (w *deltaWindow) missingCommits() {
	fails, said := FailsOnLoss(w.r.Declared)
	if !fails {
		return
	}
	s := Stop{Error: "DELTA_MISSING_FILES_UNEXPECTED_VERSION"}
	if !said {
		s.Default = "failOnDataLoss=true"
	}
	expected := w.newest.Num
	if w.asked >= 0 && !w.snapshot {
		expected = w.asked
	}
	if w.snapshot {
		expected = w.at.Num + 1
	}
	for _, c := range w.log.Commits {
		switch {
		case c.Version < expected:
		case c.Version == expected:
			expected++
		default:
			s.Later = w.r.Again && expected > w.newest.Num
			s.Because = fmt.Sprintf("a start reads the table from version %d on, and the next commit left is version %d", expected, c.Version)
			w.stop(s)
			return
		}
	}
}

// schemaStops are schemas that the rows since the newest plan were written with and that the table's newest schema does not
// read (DeltaSourceBase.checkReadIncompatibleSchemaChanges). A source with a schema log follows such changes.
func (w *deltaWindow) schemaStops() error {
	if w.meta == nil {
		return nil
	}
	first, err := w.metadataAt(w.asked)
	if err != nil || first == nil {
		return err
	}
	if w.changeFeed() && first.Configuration["delta.enableChangeDataFeed"] != "true" {
		w.stop(Stop{Error: "DELTA_MISSING_CHANGE_DATA", Change: true, Because: fmt.Sprintf("the query reads the change data feed, and version %d of the table has none", w.asked)})
	}
	for _, option := range []string{"schemaTrackingLocation", "schemaLocation"} {
		if _, said := w.r.Declared.Option(option); said {
			return nil
		}
	}
	changes := []deltaCommit{{version: w.asked, metadata: first}}
	for _, c := range w.commits {
		if c.version > w.asked && c.metadata != nil {
			changes = append(changes, c)
		}
	}
	for _, c := range changes {
		later := w.unread(c.version) && !w.reached(c.version)
		what, of := c.metadata.NotAdditive(w.meta), "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
		if what == "" {
			what, of = c.metadata.Unreadable(w.meta), "DELTA_SCHEMA_CHANGED_WITH_VERSION"
		}
		if what != "" {
			w.stop(Stop{Error: of, Change: true, Later: later, Because: fmt.Sprintf("%s after version %d, and the query reads rows of that version or newer ones", what, c.version)})
			return nil
		}
	}
	return nil
}

// metadataAt is what the table was at a version; nil where that was not found.
func (w *deltaWindow) metadataAt(v int64) (*delta.Metadata, error) {
	if !slices.ContainsFunc(w.commits, func(c deltaCommit) bool { return c.version > v && c.metadata != nil }) {
		return w.meta, nil
	}
	if sum, err := w.log.ReadChecksum(w.ctx, v); err != nil || sum != nil && sum.Metadata != nil {
		if err != nil {
			return nil, err
		}
		return sum.Metadata, nil
	}
	log, err := w.log, error(nil)
	if log.From > 0 {
		if log, err = delta.List(w.ctx, w.files, 0); err != nil {
			return nil, err
		}
	}
	look := &deltaLook{ctx: w.ctx, files: w.files, log: log, r: w.r, s: &Source{}}
	for at := v; at >= 0 && at > v-deltaCommits && log.Commit(at) != nil; at-- {
		if err := look.described(log, at); err != nil || look.meta != nil {
			return look.meta, err
		}
	}
	for i := len(log.Checkpoints) - 1; i >= 0; i-- {
		if c := &log.Checkpoints[i]; c.Version <= v {
			state, err := log.ReadCheckpoint(w.ctx, c)
			if state == nil || undecoded(err) {
				return nil, nil
			}
			return state.Metadata, err
		}
	}
	return nil, nil
}

// unread reports whether a commit comes after the newest plan.
func (w *deltaWindow) unread(version int64) bool {
	return version > w.newest.Num || version == w.newest.Num && w.newest.Sub < 0 && !w.snapshot
}

// reached reports whether the first search for new files gets to a commit that comes after the newest plan: it ends where a batch is full.
// With Trigger.AvailableNow it goes to the end of the log.
func (w *deltaWindow) reached(version int64) bool {
	if w.r.Again {
		return false // the batch that is re-run comes first
	}
	if w.r.AllAtOnce {
		return true
	}
	n := 0
	for _, c := range w.commits {
		if c.version < version && w.unread(c.version) {
			n += c.adds
		}
	}
	return n <= w.limit()
}

// limit is how many files a batch takes at most; 0 where a limit in bytes decides.
func (w *deltaWindow) limit() int {
	if text, said := w.r.Declared.Option("maxFilesPerTrigger"); said {
		n, _ := strconv.Atoi(strings.TrimSpace(text))
		return n
	}
	if _, said := w.r.Declared.Option("maxBytesPerTrigger"); said {
		return 0
	}
	return deltaDefaultLimit
}

// changedRows are commits that removed rows the query may have read: without an option for them Delta's source stops there
// (DeltaSource.validateCommitAndDecideSkipping). Where the newest plan has such a commit behind it, an option is set.
func (w *deltaWindow) changedRows() {
	changes := w.on("ignoreChanges") || w.on("skipChangeCommits") || w.on("ignoreFileDeletion")
	deletes := changes || w.on("ignoreDeletes")
	if w.changeFeed() {
		return
	}
	for _, c := range w.commits {
		if !c.removes || w.snapshot && c.version <= w.at.Num {
			continue
		}
		rewrites := c.adds > 0
		if !w.unread(c.version) {
			changes, deletes = changes || rewrites, true
			continue
		}
		if rewrites && changes || !rewrites && deletes {
			continue
		}
		s := Stop{Change: true, Later: !w.reached(c.version), Error: "DELTA_SOURCE_IGNORE_DELETE", Because: fmt.Sprintf("version %d%s removed rows from the table", c.version, inBrackets(w.ops[c.version]))}
		if rewrites {
			s.Error, s.Because = "DELTA_SOURCE_TABLE_IGNORE_CHANGES", fmt.Sprintf("version %d%s changed rows of the table", c.version, inBrackets(w.ops[c.version]))
		}
		if _, said := w.r.Declared.Option("skipChangeCommits"); !said {
			s.Default = "skipChangeCommits=false"
		}
		w.stop(s)
		return
	}
}

// missingFile is a file that a batch reads and that is gone: the task that opens it fails.
func (w *deltaWindow) missingFile() {
	if w.lost == nil {
		return
	}
	limit := w.limit()
	w.stop(Stop{Error: "does not exist", OfFile: true, Later: !w.r.Again && w.lost.nth > limit && limit > 0 || !w.r.Again && limit == 0 && w.lost.nth > 1,
		Because: fmt.Sprintf("a file that version %d added is missing, and the batch reads it", w.lost.version)})
}
