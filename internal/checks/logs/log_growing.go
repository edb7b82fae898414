package logs

import (
	"context"
	"fmt"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/internal/checks"
	"tidemark/internal/phrase"
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
	Title:    "the file source log only grows, and each compaction rewrites it",
	Meaning: `A compact file repeats every file the source ever read; entries are never removed. Spark reads and rewrites it
at each compaction and reads it at each start. Batches that compact and starts get slower, and the driver needs more memory.
Nothing is damaged: the log works this way.`,
	NextStep: `Use fewer and larger input files, or a table format as the source. With a new checkpoint, the log starts small
again.`,
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
		size := entriesIn(base.Entries, base.Size)
		if base.Partly {
			size = phrase.Bytes(base.Size)
		}
		p.Report(checks.Finding{Severity: severity, Batch: -1, Where: decode.Where{File: base.Name},
			Evidence: fmt.Sprintf("%s has %s; the log compacts every %d entries, next at %d", base.Name, size, interval, next)})
	}
	return nil
}

// entriesIn is how large a log is, for people.
func entriesIn(entries, bytes int64) string {
	return phrase.Units(entries, "entries") + " in " + phrase.Bytes(bytes)
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
	size := phrase.Bytes(g.Bytes)
	if g.Entries >= 0 {
		size = entriesIn(g.Entries, g.Bytes)
	}
	evidence := fmt.Sprintf("%s has %s", g.Where.File, size)
	if g.Ordinary > 0 {
		evidence += fmt.Sprintf(", an ordinary batch has %d (about %s)", g.Ordinary, phrase.Bytes(g.Ordinary*g.Bytes/max(g.Entries, 1)))
	}
	next := fmt.Sprintf("the log compacts every %d batches, next at batch %d", g.Interval, g.Next)
	if g.Until >= 0 {
		next = fmt.Sprintf("a run with the usual interval compacts next at batch %d; a restart infers an interval of %d from this file, and compacts next at batch %d", g.Until, g.Interval, g.Next)
	}
	p.Report(checks.Finding{Severity: severity, Batch: -1, Where: g.Where,
		Evidence: evidence + "; " + next,
		Title:    "the file sink's log only grows, and each compaction rewrites it",
		Meaning: `A compact file of _spark_metadata repeats every file the query ever wrote. Entries are removed only if the
option retention is set. Spark reads and rewrites it at each compaction, so those batches get slower and the driver needs more
memory. Nothing is damaged: the file sink works this way.`,
		NextStep: `Write fewer and larger files, or write to a table format instead. If old output is removed anyway: set the
file sink option retention (Spark 3.1 on).`,
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
