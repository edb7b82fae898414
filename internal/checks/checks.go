// Package checks is what is wrong with a checkpoint, what it means and what to do, and what Spark
// will do at the next start.
package checks

import (
	"context"
	"fmt"
	"time"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/spark"
	"tidemark/internal/output"
	"tidemark/internal/spec"
)

// Severity says what a finding costs the user, not how odd it is.
type Severity int

// The severities, mildest first.
const (
	Info     Severity = iota // normal, worth knowing
	Low                      // untidy, harmless
	Medium                   // will hurt later
	High                     // needs a decision before a restart
	Critical                 // the restart fails, or data is silently wrong
)

// Severities are their names, mildest first.
var Severities = []string{"info", "low", "medium", "high", "critical"}

func (s Severity) String() string { return Severities[s] }

// ParseSeverity reads the name of a severity.
func ParseSeverity(s string) (Severity, error) {
	for i, name := range Severities {
		if s == name {
			return Severity(i), nil
		}
	}
	return 0, fmt.Errorf("%q is not a severity (info, low, medium, high, critical)", s)
}

// Check is one question asked of a checkpoint: words, and functions.
type Check struct {
	Code     string   // stable name: "uncommitted-batch"
	Severity Severity // the usual one
	Title    string   // what is found; no capital, no full stop
	Meaning  string   // what it says about the query, its possible causes included; full sentences
	NextStep string   // the safest useful act; full sentences
	Avoid    string   // the tempting wrong act; "" if there is none
	Needs    string   // one of the flags that must be given for it to run: "--sink"; "" for nothing
	Unseen   bool     // it says only that something could not be looked at: nothing of the checkpoint was found

	// Run judges what few reads tell: listings, the newest files. It runs before Walk. nil: nothing.
	Run func(context.Context, *Pass) error

	// Walk judges the batches one by one: it returns functions that the one pass over all batches
	// calls. nil: nothing.
	Walk func(*Pass) Walker

	// Unread judges what could not be fetched, each thing once; it runs last. nil: nothing.
	Unread func(*Pass, []checkpoint.Unread)
}

// Walker sees every batch of a checkpoint, oldest first. Either function may be nil.
type Walker struct {
	// Batch sees b and the batch before it in the list (nil for the first). before.ID is b.ID-1
	// unless batches are missing. What it keeps of them keeps their memory.
	Batch func(before, b *checkpoint.Batch)
	// Done is called once after the last batch; whole is false where the pass was cut short.
	Done func(whole bool)
}

// Finding is one problem at one place. Code, Title and the other words are its check's, unless the
// evidence makes them others.
type Finding struct {
	*Check
	Severity Severity
	Batch    int64 // -1 when it is about the whole checkpoint
	Where    decode.Where
	Evidence string // the values that show it, as recorded
	Title    string
	Meaning  string
	NextStep string
	Avoid    string
	Salvaged []decode.Salvaged // what still reads of the damaged file that it is about, in the order of the file; nil for nothing
}

// All are the checks, in the order in which they run: cheapest first.
var All = []*Check{
	uncommittedBatch, asyncProgressHoles,
	drift,
	offsetGap, commitGap, commitWithoutOffset,
	metadataMissing, metadataMalformed,
	housekeepingDamage, partialCopy,
	ephemeralLocation,
	leftoverTempFile, secondWriter,
	logEmpty, logMalformed, logVersionUnknown, checksumMismatch,
	confChanged, confMissing,
	sourceLogHole, connectorFileMissing, connectorFilesElsewhere, logFormatOld, logGrowing,
	sourceDataGone, sourceStartGone,
	sourceCountChanged, sourceKindChanged, sourceIdentityChanged, sourceDuplicated,
	offsetRegression, offsetInvalid, partitionVanished, partitionAdded, initialSnapshotRunning,
	watermarkStuck, watermarkFuture, watermarkRegression,
	stateEmpty, stateVersionMissing, stateFileDamaged, stateFileMissing, stateSizeMismatch, stateWithoutLog, stateAhead, statePartitionsIgnored,
	stateChainLong, stateMostlyEmpty, stateFormatOld,
	operatorRecordMismatch, stateSchemaChanged, watermarkMismatch, stateIDsMismatch, sourceLogMismatch,
	sinkAhead, sinkBehind, sinkSkipsReplay, sinkLogDamaged, sinkSchemaChanged, queryIDConflict, sinkFileMissing,
	loginRefused, accessDenied, archivedObject,
}

// Pass is what one run of a check may see.
type Pass struct {
	*checkpoint.Checkpoint
	Survey   *checkpoint.Survey // what was looked at before anything is judged
	Spark    spark.Version      // the release that will do the restart
	Written  spark.Span         // the releases that can have written this
	Restart  Restart            // what Spark will do
	Now      time.Time          // for ages
	Deep     bool               // verify every byte of state, not only what the restart loads
	Spec     *spec.Spec         // what the query declares; nil where that was not given
	Compared Compared           // what came of holding it against what is recorded
	Sink     *Output            // what the output proves; nil where none was given, or where it could not be reached
	Kept     *Kept              // what the sources still have; nil where that was not asked

	moves    *moves       // how the sources moved, shared by all checks
	contents *contents    // what stands in the state files that were looked into
	cross    *crosschecks // which files were compared with each other
	output   output.Sink  // what Sink was told by; nil where no output was given

	check  *Check
	report func(Finding)
	unread func(checkpoint.Unread)
}

// Reportf adds a finding of the check that runs, with its usual severity and words.
func (p *Pass) Reportf(batch int64, where decode.Where, format string, args ...any) {
	p.Report(Finding{Batch: batch, Where: where, Evidence: fmt.Sprintf(format, args...), Severity: p.check.Severity})
}

// Report adds a finding. Words it leaves empty are those of its check; its Severity counts as given.
func (p *Pass) Report(f Finding) {
	f.Check = p.check
	fill := func(s *string, usual string) {
		if *s == "" {
			*s = usual
		}
	}
	fill(&f.Title, f.Check.Title)
	fill(&f.Meaning, f.Check.Meaning)
	fill(&f.NextStep, f.Check.NextStep)
	fill(&f.Avoid, f.Check.Avoid)
	p.report(f)
}

// Unread notes something that could not be fetched: the verdict is then not complete.
func (p *Pass) Unread(u checkpoint.Unread) { p.unread(u) }

func (p *Pass) of(c *Check) *Pass {
	q := *p
	q.check = c
	return &q
}
