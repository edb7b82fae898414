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
)

// by says how far a proof goes, for the evidence of a finding.
func by(o *checks.Output) string {
	switch {
	case o.By == output.Number:
		return "the output keeps batch numbers and no query id, so that any query that wrote there counts"
	case o.Under != "":
		return fmt.Sprintf("recorded under the id %q and not under that of the query: it holds if the query writes with that id", o.Under)
	}
	return "recorded under the id of this query"
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
	Title:    "the output has the newest batch, and its commit is missing",
	Meaning: `The query stopped after the output took the batch and before the checkpoint noted it. A restart runs the batch again with the same
offsets; the output recognizes the batch and skips it. Nothing is lost and nothing is written twice: only time is spent.`,
	NextStep: `Make sure that no run of the query is still alive, then restart it.`,
	Avoid:    `Do not write the commit file by hand, and do not remove the plan: another plan of the same number would be skipped.`,
	Needs:    NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		o := p.Sink
		f := checks.Finding{Severity: checks.Info, Batch: o.First, Where: o.Proof.Where,
			Evidence: fmt.Sprintf("batch %d is in the output (%s), %s; commits/%d is not there", o.First, recorded(o), by(o), o.First)}
		switch o.Situation {
		case checks.Unacknowledged:
			p.Report(f)
		case checks.Forgotten:
			f.Severity = checks.High
			f.Title = "the output has batches that run again, and has forgotten that it has them"
			f.Evidence = fmt.Sprintf("%s; batch %d is in %s", o.Says, o.Highest, recorded(o))
			f.Meaning = `The table is set to forget after a time which batches it was given (delta.setTransactionRetentionDuration), and this record is older. A batch
that comes again is then taken for a new one: its rows are written a second time.`
			f.NextStep = `Look in the table for the rows of these batches. If they are there, take them out before the restart, or go on behind them with a new
checkpoint.`
			f.Avoid = `Do not restart and see: the rows may be written twice.`
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
	Title:    "the output will skip batches that the query has yet to write",
	Meaning: `The output remembers a batch number, and takes every batch up to it for one that it has. What the query reads in those batches is never
written, and nothing says so. The checkpoint was restored from an older copy, rolled back by hand, or started anew on an output that was
written before; or a second query writes there.`,
	NextStep: `Do not restart yet. Find out whether the rows that the next batches read are in the output already, by the positions below and the rows
themselves. If the checkpoint is an older copy, look for the newest one and use that. Else either write the batches that would be skipped by hand, from the positions
that the plan gives, or start the query with a new checkpoint and an output (or id) that remembers nothing, at the position where the output ends.`,
	Avoid: `Do not edit the log of the output, and do not restart and see: the batches run without an error and write nothing.`,
	Needs: NeedsSink,
	Run:   runSinkSkipsReplay,
}

func runSinkSkipsReplay(_ context.Context, p *checks.Pass) error {
	o := p.Sink
	f := checks.Finding{Severity: checks.Critical, Batch: max(o.First, 0), Where: o.Proof.Where}
	switch o.Situation {
	case checks.Ahead, checks.Replanned:
		if o.By == output.Identifier {
			f.Severity = checks.High
		}
		f.Evidence = fmt.Sprintf("%s; batch %d is in %s, %s", o.Says, o.Highest, recorded(o), by(o))
	case checks.OldOutput:
		if o.Highest < 0 {
			return nil
		}
		f.Title = "the output will skip the first batches of a new checkpoint"
		f.Evidence = fmt.Sprintf("%s; batch %d is in %s, %s", o.Says, o.Highest, recorded(o), by(o))
		f.Meaning = `The checkpoint is new, and the output was written before, by an older checkpoint of this query or by another one. The output compares batch
numbers only, and a new checkpoint counts from 0: what its first batches read is never written, and nothing says so.`
		f.NextStep = `Write to a new, empty location, or go on with the checkpoint that wrote this output.`
	case checks.SetBack:
		next := nextBatch(p)
		if o.Held.Undone.Last < next {
			return nil
		}
		f.Batch = max(next, o.Held.Undone.First)
		f.Where = o.Held.Undone.Where
		f.Title = "the table was set back, and will skip what is run again"
		f.Evidence = fmt.Sprintf("%s; %s says so, batch %d is in %s", o.Says, o.Held.Undone.Where, o.Highest, recorded(o))
		f.Meaning = `Setting a table back takes rows out, and leaves its memory of written batches as it is. A batch that is run again is taken for one
that is there: it is skipped without an error, and its rows stay lost.`
		f.NextStep = `Before a restart, write the rows of these batches by hand, from the positions of their plans; or start the query deliberately with a new
query id (a new checkpoint) or another txnAppId at the position where the table ends now, knowing that batch numbers begin anew.`
		f.Avoid = `Do not edit the log of the table, and do not restart and see: the batch runs without an error and writes nothing.`
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
	Title:    "batches that are done for the checkpoint are not in the output",
	Meaning: `The checkpoint goes on behind these batches, so that a restart does not read or write them again: their rows are missing from the output.
The output was set back or restored, its log was deleted, it is another output than the query wrote to, or the commit was written without the batch.`,
	NextStep: `Look in the output for rows of the positions below. If they are missing, write them from the source by hand; or, with a copy of the checkpoint
at hand and the source still holding the positions, let an older state of the checkpoint run these batches again.`,
	Avoid: `Do not restart with the thought that the batches come again: they do not.`,
	Needs: NeedsSink,
	Run:   runSinkBehind,
}

func runSinkBehind(_ context.Context, p *checks.Pass) error {
	o := p.Sink
	f := checks.Finding{Severity: checks.High, Batch: o.First, Where: o.Proof.Where}
	switch done := nextBatch(p) - 1; {
	case o.Situation == checks.Behind:
		f.Evidence = fmt.Sprintf("%s; the newest batch of the output is %d (%s), %s", o.Says, o.Highest, recorded(o), by(o))
	case o.Situation == checks.SetBack && o.Held.Undone.First <= done && read(o.Missing):
		f.Title = "the table was set back, and a restart does not write again what was taken out"
		f.Where = o.Held.Undone.Where
		f.Evidence = fmt.Sprintf("%s; %s says so", o.Says, o.Held.Undone.Where)
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
		parts = append(parts[:gaveLimit], fmt.Sprintf("%d parts more", more))
	}
	text := "they read " + strings.Join(parts, ", ")
	if part {
		text += "; the plan of the batch before them is not there, so they read more than this"
	}
	return text
}

var SinkLogDamaged = &checks.Check{
	Code:     "sink-log-damaged",
	Severity: checks.High,
	Question: checks.ReplaySafe,
	Damage:   checks.NoDamage,
	Title:    "the output's own log lacks what its next compaction reads",
	Meaning: `The file sink keeps a log of the files that it wrote, in _spark_metadata, and compacts it from time to time. A compaction opens the compact
file before and every batch after it, and stops the query where one is missing. Until then batches are written as usual. Reading the output through Spark
opens the same files. The output location was changed while the checkpoint was kept, or a clean-up or a copy left files out.`,
	NextStep: `Before the batch that compacts, copy the missing files of _spark_metadata from the old output folder, a backup or an older version of the
object. Their entries name files by absolute path: what they list stays in the old folder.`,
	Avoid: `Do not delete _spark_metadata, and do not write the missing file by hand: readers would lose rows, or see them twice.`,
	Needs: NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		if o := p.Sink; o.Situation == checks.NoTrace && output.IsFile(o.Kind) && (o.Absent || o.Held.Unlogged != nil) {
			p.Report(sinkLogGone(p))
		}
		for _, d := range p.Sink.Damages {
			f := checks.Finding{Severity: checks.High, Batch: d.Next, Where: d.Where, Evidence: d.Evidence}
			if d.Next >= 0 {
				f.Evidence += fmt.Sprintf("; the compaction at batch %d reads it", d.Next)
			}
			if d.Assumed {
				f.Evidence += ", if the interval is the default one of 10"
			}
			if d.Next >= 0 && d.Next <= nextBatch(p) {
				f.Severity = checks.Critical
			}
			p.Report(f)
		}
		return nil
	},
}

// sinkLogGone is the output folder of a file sink without its log.
func sinkLogGone(p *checks.Pass) checks.Finding {
	o, next := p.Sink, nextBatch(p)
	every, assumed := compactInterval(p)
	compaction, lacks := firstCompaction(next, every)
	compacts := fmt.Sprintf("; the compaction at batch %d reads it", compaction)
	if assumed {
		compacts += fmt.Sprintf(", if the interval is the default one of %d", every)
	}
	f := checks.Finding{Severity: checks.High, Batch: next, Where: decode.Where{File: output.Join(o.Location, output.FileLog)},
		Title:    "the output has no log of what the query wrote",
		Evidence: fmt.Sprintf("%s has no _spark_metadata, and the checkpoint has committed batches up to %d", o.Location, p.Survey.Standing.LastCommitted),
		Meaning: fmt.Sprintf(`The log was deleted or left out of a copy, or this is not the folder that the query wrote to. The query begins a new log with batch %d and
fails at batch %d, which compacts the log and needs %s. From the new log's first file on, readers through Spark go by that log: they see
at most what is written from then on.`, next, compaction, lacks),
		NextStep: `Stop the query. Check that the location is right. Look for _spark_metadata in a backup, in the trash or in older versions of its objects, and put it back complete before the
restart.`,
		Avoid: `Do not restart to see what happens: the first file of a new log hides all that was written before from readers.`}
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
	f.Meaning += ` The data files are still in the folder, and are listed nowhere else.`
	if !declaresFileSink(p) {
		f.Title = "data files without the log of a file sink"
		f.Meaning = `If the query writes with Spark's file sink: ` + basics.LowerFirst(f.Meaning) + ` The files alone do not prove that: a batch job, foreachBatch and some tables name files in
the same way, and no file says which query wrote it.`
		f.NextStep = `Check how the query writes, and name it with sink.kind of --spec. If it is the file sink: ` + basics.LowerFirst(f.NextStep)
	}
	f.NextStep += ` Not found: the log can be made again only from a list of the files together with what is known of which are complete, because files of failed attempts are
in the folder too. Else write to a new folder with a new checkpoint.`
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
	Title:    "the output knows this query under another id",
	Meaning: `The output records batches by the id of the query that wrote them, and the id in the checkpoint's metadata is not among them. The metadata
file was replaced, or made anew after it was lost; or this is the output, or the checkpoint, of another query. Under a new id the output recognizes no batch that
comes again: it is written a second time.`,
	NextStep: `Find out which id the query had: its progress events and the driver's log name it. If metadata was replaced, put the old one back before a
restart. If the output is another query's, give the right one with --sink.`,
	Avoid: `Do not put an id from the output into metadata without a second source that says it is this query's.`,
	Needs: NeedsSink,
	Run: func(_ context.Context, p *checks.Pass) error {
		o := p.Sink
		if o.Situation != checks.OtherID {
			return nil
		}
		f := checks.Finding{Severity: checks.Medium, Batch: -1, Where: o.Proof.Where, Evidence: o.Says}
		if p.Survey.Metadata != nil {
			f.Evidence += "; the id of the checkpoint is in metadata"
		}
		for _, w := range o.Others {
			f.Where = cmp.Or(f.Where, w.Where)
			if w.Highest == p.Survey.Standing.LastCommitted || w.Highest == p.Survey.Standing.LastPlanned {
				f.Severity = checks.High
			}
		}
		if o.Lost != "" {
			f.Severity = min(f.Severity, checks.Medium)
		}
		if f.Severity < checks.High {
			f.Title = "the output knows other ids, and not that of this query"
		}
		p.Report(f)
		return nil
	},
}
