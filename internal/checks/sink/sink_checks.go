package sink

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/output"
	"tidemark/internal/phrase"
)

// by says how far a proof goes, for the evidence of a finding.
func by(o *checks.Output) string {
	switch {
	case o.By == output.Number:
		return "recorded with a batch ID and no query ID: any query that wrote there counts"
	case o.Under != "":
		return fmt.Sprintf("recorded with the ID %q and not with the query ID: this applies if the query writes with that ID", o.Under)
	}
	return "recorded with the ID of this query"
}

// recorded is where and when the newest batch of the output is recorded.
func recorded(o *checks.Output) string {
	text := o.Proof.Where.String()
	if o.Proof.Version >= 0 {
		text += fmt.Sprintf(", %s %d", o.VersionWord(), o.Proof.Version)
	}
	if o.Proof.Time > 0 {
		text += ", " + checks.Utc(o.Proof.Time)
	}
	return text
}

var SinkAhead = &checks.Check{
	Code:     "sink-ahead",
	Severity: checks.Info,
	Question: checks.ReplaySafe,
	Title:    "the sink has the newest batch, and its commit is missing",
	Meaning: `The query stopped after the sink had the batch and before Spark wrote the commit. A restart re-runs the batch with its
recorded offsets. The sink deduplicates the batch ID and skips it. Nothing is lost or written twice.`,
	NextStep: `Make sure no run of the query is still active, then restart it.`,
	Avoid:    `Do not write the commit file by hand, and do not remove the offset file: the sink would skip a new batch with the same ID.`,
	Needs:    NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		o := p.Sink
		f := checks.Finding{Severity: checks.Info, Batch: o.First, Where: o.Proof.Where,
			Evidence: fmt.Sprintf("batch %d is in the sink (%s), %s; commits/%d is missing", o.First, recorded(o), by(o), o.First)}
		switch o.Situation {
		case checks.Unacknowledged:
			p.Report(f)
		case checks.Forgotten:
			f.Severity = checks.High
			f.OnlyIf = "the sink has no rows of " + phrase.Batch(o.First)
			f.Title = "the sink has batches that Spark re-runs, and no longer deduplicates them"
			f.Evidence = fmt.Sprintf("%s; batch %d is in %s", o.Says, o.Highest, recorded(o))
			f.Meaning = `The table deletes its records of written batches after a time (delta.setTransactionRetentionDuration), and this
record is older. It treats a re-run batch as a new one and writes its rows a second time.`
			f.NextStep = `Look for the rows of these batches in the table. If they exist: delete them before the restart, or continue after
them with a new checkpoint.`
			f.Avoid = `Do not restart to see what happens: the rows may be written twice.`
			p.Report(f)
		}
		return nil
	},
}

var SinkSkipsReplay = &checks.Check{
	Code:     "sink-skips-replay",
	Severity: checks.Critical,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "the sink will skip batches the query has not written yet",
	Meaning: `The sink records a batch ID, and skips every batch up to it. Input of the query in those batches is never written, and
nothing reports it. Likely causes: the checkpoint was restored from an older copy, rolled back by hand, or new on an existing sink. A
second query may also write there. If Spark plans the batches again with the same limits, over the same input, they hold the same rows:
skipping them then loses nothing. No file shows whether that is so.`,
	NextStep: `Check whether the sink has the rows the next batches read; use the positions below. If the checkpoint is an older copy: find
the newest one and use that. If rows are missing: write them by hand from the recorded offsets. If you start over: use a new checkpoint
and a sink (or ID) without records, from the position where the sink ends.`,
	Avoid: `Do not edit the sink's log, and do not restart to see what happens: the batches run without an error and write nothing.`,
	Needs: NeedsSink,
	Run:   runSinkSkipsReplay,
}

func runSinkSkipsReplay(_ context.Context, p *checks.Pass) error {
	o := p.Sink
	f := checks.Finding{Severity: checks.Critical, Batch: max(o.First, 0), Where: o.Proof.Where}
	switch o.Situation {
	case checks.Ahead, checks.Replanned:
		if o.By == output.Identifier || o.Situation == checks.Ahead {
			f.Severity = checks.High
		}
		f.Evidence = fmt.Sprintf("%s; batch %d is in %s, %s", o.Says, o.Highest, recorded(o), by(o))
	case checks.OldOutput:
		if o.Highest < 0 {
			return nil
		}
		if o.By == output.QueryID {
			f.Severity = checks.High // of this query itself: its batches may be the same once more
		}
		f.Title = "the sink will skip the first batches of a new checkpoint"
		f.Evidence = fmt.Sprintf("%s; batch %d is in %s, %s", o.Says, o.Highest, recorded(o), by(o))
		f.Meaning = `The checkpoint is new, and an older checkpoint of this query or another query wrote to the sink before. The sink
compares batch IDs only, and a new checkpoint counts from 0. The input of its first batches is never written, and nothing reports it. If
these batches hold the same rows as the old ones, nothing is lost.`
		f.NextStep = `Write to a new, empty location, or continue with the checkpoint that wrote to this sink.`
	case checks.SetBack:
		next := nextBatch(p)
		if o.Held.Undone.Last < next {
			return nil
		}
		f.Batch = max(next, o.Held.Undone.First)
		f.Where = o.Held.Undone.Where
		f.Title = "the table was restored, and will skip re-run batches"
		f.Evidence = fmt.Sprintf("%s; %s shows it, batch %d is in %s", o.Says, o.Held.Undone.Where, o.Highest, recorded(o))
		f.Meaning = `A restore removes rows from the table, but keeps its records of written batches. The table treats a re-run batch as
written. It skips the batch without an error, and the rows stay lost.`
		f.NextStep = `Before a restart, write the rows of these batches by hand, from their recorded offsets. Or start the query with a new
query ID (a new checkpoint) or another txnAppId. Begin at the position where the table ends now; batch IDs start again.`
		f.Avoid = `Do not edit the table's log, and do not restart to see what happens: the batch runs without an error and writes nothing.`
	default:
		return nil
	}
	p.Report(f)
	return nil
}

// nextBatch is the batch that the next start runs first, whatever else is in its way.
func nextBatch(p *checks.Pass) int64 { return basics.NextStart(context.Background(), p).FirstBatch() }

var SinkBehind = &checks.Check{
	Code:     "sink-behind",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Short:    "batches missing in the sink",
	Title:    "committed batches are missing in the sink",
	Meaning: `The checkpoint continues after these batches, so a restart does not read or write them again. Their rows are missing in the
sink. Likely causes: the sink was restored, its log was deleted, or it is not the query's sink. The commit may also have been written
without the batch.`,
	NextStep: `Look in the sink for rows of the positions below. If they are missing: write them from the source by hand. If you have a
copy of the checkpoint and the source still has the positions: re-run these batches from an older checkpoint state.`,
	Avoid: `Do not restart and expect Spark to re-run the batches: it does not.`,
	Needs: NeedsSink,
	Run:   runSinkBehind,
}

func runSinkBehind(_ context.Context, p *checks.Pass) error {
	o := p.Sink
	f := checks.Finding{Severity: checks.High, Batch: o.First, Where: o.Proof.Where}
	if o.First >= 0 {
		f.Banner = missingFrom(o.First, o.Last)
	}
	if o.Emptied != nil && o.Highest < nextBatch(p) {
		p.Report(emptied(o))
	}
	switch done := nextBatch(p) - 1; {
	case o.Situation == checks.Behind && o.Highest < 0:
		f = noRecord(p, f)
	case o.Situation == checks.Behind:
		f.Evidence = fmt.Sprintf("%s; the newest batch in the sink is %d (%s), %s", o.Says, o.Highest, recorded(o), by(o))
	case o.Situation == checks.SetBack && o.Held.Undone.First <= done && read(o.Missing):
		f.Title = "the table was restored, and a restart does not write the removed rows"
		f.Where = o.Held.Undone.Where
		f.Evidence = fmt.Sprintf("%s; %s shows it", o.Says, o.Held.Undone.Where)
	default:
		return nil
	}
	if text := gave(o.Missing, o.Part); text != "" {
		f.Evidence += "; " + text
	}
	for _, note := range o.Notes {
		f.Evidence += "; " + note
	}
	p.Report(f)
	return nil
}

// noRecord is a Delta table that records no query, although batches are committed.
func noRecord(p *checks.Pass, f checks.Finding) checks.Finding {
	o := p.Sink
	f.Batch = o.Last
	f.Where = decode.Where{File: o.Location}
	f.Title = "the table has no record of the committed batches"
	f.Evidence = o.Says
	f.Meaning = `A Delta sink records the query ID and the batch ID with each batch it writes. This table has no such record, so it does not have the
batches. Likely causes: the table was deleted, or created again. It may also be the wrong table. A restart creates a missing table,
and writes only later batches.`
	f.NextStep = `Check that the location is the sink of the query. If it is: look for the old table in a backup or in object versions, and put
it back before the restart. Not found: start a new checkpoint, which reads the source again from the start.`
	f.Avoid = `Do not restart to fill the table again: Spark does not write committed batches a second time.`
	switch {
	case o.Absent:
		f.Title = "the sink has no table although batches are committed"
		f.OnlyIf = "the query writes to another location"
	case p.Spec == nil || p.Spec.Sink == nil || p.Spec.Sink.Kind == "":
		f.OnlyIf = "the query writes with foreachBatch, which leaves no record"
	}
	return f
}

// emptied is a newest batch whose rows a later version of the table removed.
func emptied(o *checks.Output) checks.Finding {
	e := o.Emptied
	f := checks.Finding{Severity: checks.High, Batch: o.Highest, Where: e.Where, OnlyIf: "the rows were removed on purpose",
		Title: "rows of the newest batch were removed from the sink"}
	all := "the only file"
	if e.Files > 1 {
		all = fmt.Sprintf("all %d files", e.Files)
	}
	f.Evidence = fmt.Sprintf("version %d (%s) removed %s of batch %d and wrote no rows", e.Version, e.Operation, all, o.Highest)
	f.Meaning = `The table log shows the batch, and a later version that removed its rows. Who did that and why is not recorded here. Rows of older
batches may be removed too. A restart continues after the batch and does not write its rows again.`
	f.NextStep = `Find out who ran the operation: the history of the table names it. If the rows are needed: restore the table to the version
before it, while its files exist. If not, restart.`
	f.Avoid = `Do not restart and expect Spark to write the removed rows again: it does not.`
	if e.Others {
		f.Severity, f.OnlyIf = checks.Medium, ""
		f.Title = "the sink was rewritten after the newest batch"
		f.Evidence = fmt.Sprintf("version %d (%s) removed %s of batch %d and wrote other files", e.Version, e.Operation, all, o.Highest)
		f.Meaning = `The new files may have the rows of the batch, or not: the table log does not show that. A restart continues after the batch and does
not write its rows again.`
	}
	return f
}

// missingFrom says that batches are missing, both ends included.
func missingFrom(first, last int64) string {
	if first == last {
		return fmt.Sprintf("batch %d is missing from the sink", first)
	}
	return phrase.Batches(first, last) + " are missing from the sink"
}

// gaveLimit is how many ranges the evidence of a finding names.
const gaveLimit = 6

// gave are the ranges that missing batches read, in one line.
func gave(all []checks.Range, part bool) string {
	var parts []string
	for _, x := range all {
		if x.From == nil || x.To == nil || x.From.Text == x.To.Text {
			continue
		}
		name := x.Part
		if name == "" {
			name = fmt.Sprintf("source %d", x.Source)
		}
		text := fmt.Sprintf("%s from %s to %s", name, x.From.Text, x.To.Text)
		if x.Counted {
			text += fmt.Sprintf(" (%d %s)", x.Count, x.Unit)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	if more := len(parts) - gaveLimit; more > 0 {
		parts = append(parts[:gaveLimit], fmt.Sprintf("%d more", more))
	}
	text := "they read " + strings.Join(parts, ", ")
	if part {
		text += "; the offset file before them is missing, so they read more than this"
	}
	return text
}

var SinkLogDamaged = &checks.Check{
	Code:     "sink-log-damaged",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "the sink's log lacks a file its next compaction reads",
	Meaning: `The file sink writes a log of its files in _spark_metadata, and compacts it at intervals. A compaction reads the compact file
before it and every batch after that. If one is missing, the query stops. Until then Spark writes batches as usual. Spark queries that
read the sink read the same files. Likely causes: the sink location changed while the checkpoint was kept, or a clean-up or copy missed
files.`,
	NextStep: `Before the batch that compacts, copy the missing _spark_metadata files from the old folder, a backup or object versions. Their entries use absolute paths: the listed files stay in the old folder.`,
	Avoid:    `Do not delete _spark_metadata, and do not write the missing file by hand: readers would lose rows or see them twice.`,
	Needs:    NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		if o := p.Sink; o.Situation == checks.NoTrace && output.IsFile(o.Kind) && (o.Absent || o.Held.Unlogged != nil) {
			p.Report(sinkLogGone(p))
		}
		if p.Sink.Flaw != nil {
			p.Report(tableLogHole(p.Sink))
		}
		for _, d := range p.Sink.Damages {
			f := checks.Finding{Severity: checks.High, Batch: d.Next, Where: d.Where, Evidence: d.Evidence}
			if d.Next >= 0 {
				f.Evidence += fmt.Sprintf("; the compaction at batch %d reads it", d.Next)
			}
			if d.Assumed {
				f.Evidence += ", if the interval is the default of 10"
			}
			if d.Next >= 0 && d.Next <= nextBatch(p) {
				f.Severity = checks.Critical
			}
			p.Report(f)
		}
		return nil
	},
}

// tableLogHole is a Delta table that cannot be opened because its log lacks a commit.
func tableLogHole(o *checks.Output) checks.Finding {
	return checks.Finding{Severity: checks.Critical, Batch: -1, Where: decode.Where{File: o.Location}, Evidence: o.Flaw.Because,
		Title: "the log of the sink table lacks a commit",
		Meaning: `Delta puts a table together from its newest checkpoint and every commit after it. With a commit missing, nobody can read or write
the table. The query fails as it opens its sink. Likely causes: a clean-up or a copy missed files, or someone deleted one.`,
		NextStep: `Look for the missing _delta_log file in a backup or in object versions, and put it back before the restart.`,
		Avoid:    `Do not write the missing file by hand, and do not delete _delta_log: the table would lose its rows.`}
}

// sinkLogGone is the output folder of a file sink without its log.
func sinkLogGone(p *checks.Pass) checks.Finding {
	o, next := p.Sink, nextBatch(p)
	every, assumed := compactInterval(p)
	compaction, lacks := firstCompaction(next, every)
	compacts := fmt.Sprintf("; the compaction at batch %d reads it", compaction)
	if assumed {
		compacts += fmt.Sprintf(", if the interval is the default of %d", every)
	}
	f := checks.Finding{Severity: checks.High, Batch: next, Where: decode.Where{File: output.Join(o.Location, output.FileLog)},
		Title:    "the sink has no log of the files the query wrote",
		Evidence: fmt.Sprintf("%s has no _spark_metadata, and the checkpoint has committed batches up to %d", o.Location, p.Survey.Standing.LastCommitted),
		Meaning: fmt.Sprintf(`The log was deleted or missed in a copy, or the query does not write to this folder. The query begins a new
log with batch %d and fails at batch %d: that compaction needs %s. From its first file on, Spark queries use the new log. They
no longer see older files.`, next, compaction, lacks),
		NextStep: `Stop the query. Check that the location is right. Look for _spark_metadata in a backup, the trash or object versions.
Put it back complete before the restart.`,
		Avoid: `Do not restart to see what happens: the first file of a new log hides all older files from readers.`}
	f.Evidence += compacts
	if compaction == next && declaresFileSink(p) {
		f.Severity = checks.Critical
	}
	u := o.Held.Unlogged
	if u == nil {
		return f
	}
	f.Title = "the file sink has lost its log"
	f.Evidence = fmt.Sprintf("%s has %s, such as %s, and no log of them: _spark_metadata is missing or empty; batches up to %d are committed",
		o.Location, dataFiles(u), u.First, p.Survey.Standing.LastCommitted) + compacts
	f.Meaning += ` The data files are still in the folder, and nothing else lists them.`
	if !declaresFileSink(p) {
		f.Title = "data files without the log of a file sink"
		f.Meaning = `If the query writes with Spark's file sink: ` + basics.LowerFirst(f.Meaning) + ` The files alone do not prove that. A
batch job, foreachBatch and some tables use the same file names. No file shows which query wrote it.`
		f.NextStep = `Check how the query writes, and name it with sink.kind of --spec. If it is the file sink: ` + basics.LowerFirst(f.NextStep)
	}
	f.NextStep += ` Not found: rebuild the log only from a list of the files and of which are complete. Files of failed attempts are in the
folder too. Otherwise write to a new folder with a new checkpoint.`
	return f
}

// firstCompaction is the first batch from next on that compacts the log of a file sink which has no file of batches before
// next, and what of them it needs (CompactibleFileStreamLog.compact: it opens, by computed names, the compact file before
// and the file of every batch since).
func firstCompaction(next, every int64) (batch int64, needs string) {
	batch = next/every*every + every - 1
	first := batch - every + 1 // of those that are compacted, the one before it has the older ones
	switch {
	case first > 0:
		needs = log.FileName(first-1, true)
	case next == 1:
		needs = log.FileName(0, false)
	default:
		return batch, fmt.Sprintf("the files of batches 0 to %d", next-1)
	}
	return batch, needs
}

// compactInterval is how many batches lie between two compactions of a file sink's log that has no compact file: what the
// spec declares, else Spark's default.
func compactInterval(p *checks.Pass) (every int64, assumed bool) {
	if p.Spec != nil {
		if n, err := strconv.ParseInt(p.Spec.Conf[confSinkCompaction], 10, 64); err == nil && n > 0 {
			return min(n, math.MaxInt32), false // an Int to Spark
		}
	}
	return log.DefaultInterval, true
}

func declaresFileSink(p *checks.Pass) bool {
	return p.Spec != nil && p.Spec.Sink != nil && output.IsFile(p.Spec.Sink.Kind)
}

var QueryIDConflict = &checks.Check{
	Code:     "query-id-conflict",
	Severity: checks.High,
	Question: checks.SameQuery,
	Damage:   checks.NoDamage,
	OnlyIf:   "the query ID in the checkpoint is the right one",
	Title:    "the sink knows this query by another ID",
	Meaning: `The sink records batches with the query ID, and the ID in the metadata file is not among them. The metadata file was
replaced, or created again after it was lost. Or this sink or checkpoint belongs to another query. With a new ID the sink deduplicates no
re-run batch, and writes it a second time.`,
	NextStep: `Find out which ID the query had: its progress events and the driver log show it. If metadata was replaced: put the old file
back before a restart. If the sink belongs to another query: name the right one with --sink.`,
	Avoid: `Do not copy an ID from the sink into metadata without a second source that confirms it is this query's.`,
	Needs: NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		o := p.Sink
		if o.Situation == checks.OldOutput && o.Highest < 0 && p.Survey.Standing.LastPlanned < 0 {
			p.Report(newCheckpoint(o))
		}
		if o.Situation != checks.OtherID {
			return nil
		}
		f := checks.Finding{Severity: checks.Medium, Batch: -1, Where: o.Proof.Where, Evidence: o.Says}
		if p.Survey.Metadata != nil {
			f.Evidence += "; the ID of the checkpoint is in metadata"
		}
		for _, w := range o.Others {
			f.Where = cmp.Or(f.Where, w.Where)
			same := w.Highest == p.Survey.Standing.LastCommitted || w.Highest == p.Survey.Standing.LastPlanned
			if same && w.Highest >= nextBatch(p) { // else nothing is re-run that the sink has under the other ID
				f.Severity = checks.High
			}
		}
		if o.Lost != "" {
			f.Severity = min(f.Severity, checks.Medium)
		}
		if f.Severity < checks.High {
			f.Title = "the sink knows other IDs, and not the ID of this query"
		}
		p.Report(f)
		return nil
	},
}

// newCheckpoint is a checkpoint without any batch, on a sink that has batches of other IDs. Once it has planned one, another query is as
// likely to write there.
func newCheckpoint(o *checks.Output) checks.Finding {
	return checks.Finding{Severity: checks.High, Batch: 0, Where: o.Others[0].Where, Evidence: o.Says,
		Title:  "the checkpoint is new, and the sink has batches of another query ID",
		OnlyIf: "the sink has no rows that this query will read",
		Meaning: `A new checkpoint has a new query ID, and the sink deduplicates by that ID. If an older checkpoint of this query filled the
sink, a start writes the same rows a second time. If the start option begins later, rows between are never read. If another query
writes there, nothing is wrong.`,
		NextStep: `Find out which query has the other ID. If it is this query: look for its old checkpoint, and continue with that. Not found: empty the sink,
or begin with start offsets where the old checkpoint ended.`,
		Avoid: `Do not start to see what happens: the sink takes the same rows twice without an error.`}
}
