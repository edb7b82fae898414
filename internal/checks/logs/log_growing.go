package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
)

// When the log of a file source begins to cost. Every compaction reads and writes it whole, and every
// start reads it whole and keeps each path in the driver's memory: 100,000 entries are about 15 MB to
// write and 50 MB of memory, a second or so on an object store. Below that, a log is worth a word
// where a compaction writes a hundred times what an ordinary entry does.
const (
	growingEntries = 100_000
	growingBytes   = 16 << 20
	grownEntries   = 1000
	grownTimes     = 100
)

var LogGrowing = &checks.Check{
	Code:     "log-growing",
	Severity: checks.Medium,
	Question: checks.Intact,
	Title:    "a log that only grows is read and written whole at each compaction",
	Meaning: `A compact file repeats every file that the source ever took, and entries never leave it. It is read and written whole
at each compaction, and read at each start, so batches that compact and starts get slower, and the driver needs more memory. Nothing
is damaged: this is how the log works.`,
	NextStep: `Have fewer and larger input files, or move on to a table format as the source. When the query is next rebuilt with a new
checkpoint, the log starts small again.`,
	Avoid: `Do not delete entries or compact files by hand: the query would read those files again.`,
	Run:   runLogGrowing,
}

func runLogGrowing(_ context.Context, p *checks.Pass) error {
	sinkGrowing(p)
	for i := range p.Survey.Folders {
		f := &p.Survey.Folders[i]
		base := f.Base()
		if base == nil || base.Err != nil {
			continue
		}
		severity := checks.Low
		switch ordinary := ordinaryEntries(f); {
		case base.Size >= growingBytes || base.Entries >= growingEntries:
			severity = checks.Medium
		case base.Entries < grownEntries || base.Entries < grownTimes*ordinary:
			continue
		}
		interval := f.Log.CompactInterval(log.DefaultInterval)
		latest := f.Log.Latest()
		next := (latest+1)/interval*interval + interval - 1
		size := fmt.Sprintf("%d entries in %d bytes", base.Entries, base.Size)
		if base.Partly {
			size = fmt.Sprintf("%d bytes", base.Size)
		}
		p.Report(checks.Finding{Severity: severity, Batch: -1, Where: decode.Where{File: base.Name},
			Evidence: fmt.Sprintf("%s has %s; the log compacts every %d entries, next at %d", base.Name, size, interval, next)})
	}
	return nil
}

// sinkGrowing is the log that a file sink keeps of its output.
func sinkGrowing(p *checks.Pass) {
	if p.Sink == nil || p.Sink.Growth == nil {
		return
	}
	g, severity := p.Sink.Growth, checks.Low
	switch {
	case g.Bytes >= growingBytes || g.Entries >= growingEntries:
		severity = checks.Medium
	case g.Entries < grownEntries || g.Entries < grownTimes*max(g.Ordinary, 1):
		return
	}
	size := fmt.Sprintf("%d bytes", g.Bytes)
	if g.Entries >= 0 {
		size = fmt.Sprintf("%d entries in %d bytes", g.Entries, g.Bytes)
	}
	evidence := fmt.Sprintf("%s has %s", g.Where.File, size)
	if g.Ordinary > 0 {
		evidence += fmt.Sprintf(", an ordinary batch has %d (about %d bytes)", g.Ordinary, g.Ordinary*g.Bytes/max(g.Entries, 1))
	}
	next := fmt.Sprintf("the log compacts every %d batches, next at batch %d", g.Interval, g.Next)
	if g.Until >= 0 {
		next = fmt.Sprintf("a run with the usual interval compacts next at batch %d; a start infers an interval of %d from this file, and compacts next at batch %d", g.Until, g.Interval, g.Next)
	}
	p.Report(checks.Finding{Severity: severity, Batch: -1, Where: g.Where,
		Evidence: evidence + "; " + next,
		Title:    "the output's own log only grows, and is read and written whole at each compaction",
		Meaning: `A compact file of _spark_metadata repeats every file that the query ever wrote, and entries never leave it unless the option retention is
set. It is read and written whole at each compaction, so batches that compact get slower and the driver needs more memory. Nothing is damaged: this is how the
file sink works.`,
		NextStep: `Write fewer and larger files, set the option retention of the file sink (3.1 on) if old output is removed anyway, or write to a table
format instead.`,
		Avoid: `Do not delete entries or compact files by hand: readers through Spark would lose rows, and the next compaction would stop the query.`})
}

// ordinaryEntries is how many input files an entry of the log has that is not compacted, the most of
// those that were read; 1 where there are none.
func ordinaryEntries(f *checkpoint.SourceFolder) int64 {
	most := int64(1)
	for _, file := range f.Files {
		if file != f.Base() {
			most = max(most, file.Entries)
		}
	}
	return most
}
