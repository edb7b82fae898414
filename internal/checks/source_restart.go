package checks

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/phrase"
)

// sources are the logs that the sources keep themselves: read as the sources are opened, and once
// more as the last batch is asked of them again (MicroBatchExecution.populateStartOffsets calls
// getBatch for it, committed or not).
func sources(s *start) (Restart, bool) {
	if s.Last == nil || s.Last.Plan == nil {
		return goOn()
	}
	steps := []func(*start, string, source.Offset) (Restart, bool){fileLogOpened, fileLogAsked, fileLogNext, kinesisEnds, deltaTable, otherDeltaTable}
	for _, step := range steps {
		for i, o := range s.Last.Plan.InOrder() {
			if s.Last.Plan.Version > 1 && o.Name == "" {
				continue // no name before the offset: Spark finds no source for it
			}
			if out, ok := step(s, sourceKey(i, o), o); ok {
				return out, true
			}
		}
	}
	return goOn()
}

// fileLogsOpened is the log of a file source that cannot be read as the source is made, which is before a start looks at
// offsets and commits. What else can be wrong with a source is told after those: it takes the newest plan.
func fileLogsOpened(s *start) (Restart, bool) {
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		key := path.Base(f.Name)
		if !f.IsLog() || !s.plansSource(key) {
			continue
		}
		if out, ok := fileLogOpened(s, key, source.Offset{}); ok && out.Outcome == Refuses {
			return out, true
		}
	}
	return goOn()
}

// plansSource reports whether the newest plan has a source of this key, or cannot tell.
func (s *start) plansSource(key string) bool {
	if s.Last == nil || s.Last.Plan == nil || len(s.Last.Plan.Sources) == 0 {
		return true
	}
	for i, o := range s.Last.Plan.InOrder() {
		if sourceKey(i, o) == key {
			return true
		}
	}
	return false
}

// unlistedSource is a source whose folder could not be looked into.
func (s *start) unlistedSource(key string) (Restart, bool) {
	if err := s.Sources.Err; err != nil {
		return unknown("the folder sources, which the start reads, could not be listed: %s", why(err)), true
	}
	if f := folderOf(s.Pass, key); f != nil && f.Err != nil {
		return unknown("the folder %s, which the start reads, could not be listed: %s", f.Name, why(f.Err)), true
	}
	return goOn()
}

// fileLogOpened is FileStreamSource as it is made: it reads its whole log, that is the newest compact
// file and all after it (CompactibleFileStreamLog.allFiles).
func fileLogOpened(s *start, key string, o source.Offset) (Restart, bool) {
	if !fileSource(s.Pass, key, o) {
		return goOn()
	}
	if out, ok := s.unlistedSource(key); ok {
		return out, true
	}
	f := folderOf(s.Pass, key)
	if f == nil {
		return goOn()
	}
	if len(f.Needs.Missing) > 0 {
		name, latest := f.Needs.Missing[0], f.Log.Latest()
		return refuses(s.batch(), fmt.Sprintf("%s/%s doesn't exist (latestId: %d, compactInterval: %d)", f.Name, name, latest, f.Log.CompactInterval(log.DefaultInterval)),
			"%s goes up to %d, which needs %s: not there: %s", f.Name, latest, neededNames(f), f.Needs.MissingText())
	}
	for _, file := range f.Files {
		if file.Err != nil {
			return unknown("%s, which the start reads, could not be read: %s", file.Name, why(file.Err)), true
		}
		if words, e := s.logFlaw(file); e != nil {
			return refuses(s.batch(), words, "%s", said(e))
		}
	}
	return goOn()
}

// neededNames are the names of the files that the newest entry needs: "9.compact and 10 to 12".
func neededNames(f *checkpoint.SourceFolder) string {
	latest, first := f.Log.Latest(), int64(0)
	if f.Needs.Base != "" {
		base, _ := strconv.ParseInt(strings.TrimSuffix(f.Needs.Base, ".compact"), 10, 64)
		first = base + 1
	}
	plain := fmt.Sprintf("%d to %d", first, latest)
	switch {
	case f.Needs.Base == "":
		return plain
	case first > latest:
		return f.Needs.Base
	case first == latest:
		return fmt.Sprintf("%s and %d", f.Needs.Base, latest)
	}
	return f.Needs.Base + " and " + plain
}

// logFlaw is what stops the reader of a file source's log, in Spark's words; nil for nothing.
func (s *start) logFlaw(f *checkpoint.SourceFile) (string, *decode.Error) {
	if words, e := s.versionFlaw(f.Problems, s.since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "maximum supported log version is v1")); e != nil {
		return words, e
	}
	for _, e := range f.Problems {
		switch words := jsonFlaw(e); {
		case e.Flaw == decode.ExtraLine:
			return nothingToMap, e
		case words != "":
			return words, e
		}
	}
	return "", nil
}

// fileLogAsked is FileStreamSource.getBatch for the newest plan: the log must hold every id after that
// of the plan before, up to its own (HDFSMetadataLog.verifyBatchIds).
func fileLogAsked(s *start, key string, o source.Offset) (Restart, bool) {
	if o.None || !fileSource(s.Pass, key, o) {
		return goOn()
	}
	from, has := int64(-1), false
	if before := s.previous(); before != nil && s.L > 0 {
		if was := sourceNamed(before, key); !was.None {
			if from, has = logOffset(was); !has {
				return s.notLong(was)
			}
		}
	}
	to, ok := logOffset(o)
	switch {
	case !ok:
		return s.notLong(o)
	case from == to && !s.committed():
		return goOn() // nothing new: a batch that runs again does not ask this source
	case from > to:
		return refuses(s.batch(), "assertion failed", "%s ends at entry %d of sources/%s, and %s at entry %d", s.Last.Plan.File, to, key, s.previous().File, from)
	}
	f := folderOf(s.Pass, key)
	words := absent(f, from+1, to)
	if words == "" {
		return goOn()
	}
	return refuses(s.batch(), words, "%s names entry %d of sources/%s, and %s", s.Last.Plan.File, to, key, logReach(f))
}

// notLong is a line that FileStreamSourceOffset cannot read.
func (s *start) notLong(o source.Offset) (Restart, bool) {
	if _, broken := o.Problem.(*decode.Error); broken && len(o.Kinds) == 0 {
		return goOn() // no JSON: told with the plan
	}
	return refuses(s.batch(), source.File.OnAnother,
		"%s: the folder of this source holds the log of a file source, and its line has no logOffset", o.Where)
}

// sourceNamed is one source of a plan by its key; None where the plan has none of that key.
func sourceNamed(plan *log.Plan, key string) source.Offset {
	for i, o := range plan.InOrder() {
		if sourceKey(i, o) == key {
			return o
		}
	}
	return source.Offset{None: true}
}

// logReach says how far a file source's log goes.
func logReach(f *checkpoint.SourceFolder) string {
	if f == nil {
		return "that folder is not there"
	}
	if f.Log.Latest() < 0 {
		return "that log is empty"
	}
	return fmt.Sprintf("that log has files for %s", phrase.List(spanNames(runs(f.Present())), 6))
}

// absent are the words of Spark where the log lacks an id from first to last; "" where it has them all.
func absent(f *checkpoint.SourceFolder, first, last int64) string {
	if first > last {
		return ""
	}
	latest := int64(-1)
	if f != nil {
		latest = f.Log.Latest()
	}
	const asked = 1 << 20 // ids: more lie between two batches in no log
	if first > latest || last-first > asked && last > latest+asked {
		return fmt.Sprintf("batch %d doesn't exist", first)
	}
	var there []int64
	for id := first; id <= min(last, latest, first+asked); id++ {
		if f.Holds(id) {
			there = append(there, id)
		}
	}
	n := len(there)
	switch {
	case n == 0:
		return fmt.Sprintf("batch %d doesn't exist", first)
	case there[0] > first:
		return notExist(span{first, there[0]}, first, last)
	case there[n-1] < last && last <= latest+asked && n <= asked:
		return notExist(span{there[n-1], last}, first, last)
	}
	if missing := holes(there); len(missing) > 0 {
		return notExist(missing[0], first, last)
	}
	return ""
}

// notExist is the message of verifyBatchIds, which names the neighbour that is there as well.
func notExist(missing span, first, last int64) string {
	var ids []string
	for id := missing.first; id <= missing.last && len(ids) < 20; id++ {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	if missing.count() > 20 {
		ids = append(ids, "…")
	}
	return fmt.Sprintf("batches (%s) don't exist (startId: Some(%d), endId: Some(%d))", strings.Join(ids, ", "), first, last)
}

// fileLogNext is the batch after a committed one, where the log ends below the plan: the next id that
// the log gives is then lower than where the batch must start.
func fileLogNext(s *start, key string, o source.Offset) (Restart, bool) {
	if o.None || !s.committed() || !fileSource(s.Pass, key, o) {
		return goOn()
	}
	to, ok := logOffset(o)
	latest := int64(-1)
	f := folderOf(s.Pass, key)
	if f != nil {
		latest = f.Log.Latest()
	}
	if !ok || to >= math.MaxInt64-1 || latest+1 >= to {
		return goOn()
	}
	return refuses(s.L+1, "assertion failed", "%s stands at entry %d of sources/%s, and %s: the next files get a lower number", s.Last.Plan.File, to, key, logReach(f))
}

// kinesisEnds is the start of a batch after a committed one: where each shard ended stands in the
// connector's own files, and nowhere else.
func kinesisEnds(s *start, key string, o source.Offset) (Restart, bool) {
	if !o.Likeliest().EndsApart || !s.committed() {
		return goOn()
	}
	if out, ok := s.unlistedSource(key); ok {
		return out, true
	}
	f := folderOf(s.Pass, key)
	want := missingEnd(f, o)
	if want == "" {
		return goOn()
	}
	return refuses(s.batch(), "Unable to fetch committed metadata from previous batch",
		"batch %d starts where %s/%s says that batch %d ended, and that folder is not there", s.L+1, f.Name, want, s.L)
}

// missingEnd is the folder in which a Kinesis connector recorded the end of the batch of this line, if
// it is not there although those of other batches are; "" otherwise.
func missingEnd(f *checkpoint.SourceFolder, o source.Offset) string {
	batch := shardBatch(o)
	if f == nil || len(f.Ended) == 0 || batch == "" {
		return ""
	}
	dir, _, _ := strings.Cut(f.Ended[0], "/")
	if want := dir + "/" + batch; !slices.Contains(f.Ended, want) {
		return want
	}
	return ""
}

// shardBatch is the batch of a Kinesis line by the connector's own count; "" where it has none.
func shardBatch(o source.Offset) string {
	m, _ := o.Line.Get("metadata")
	id, _ := m.Get("batchId")
	return id.Text
}

// deltaTable is a Delta source whose two newest plans are of different tables. A start asks the table
// that is there now for both, so one of them is refused.
func deltaTable(s *start, key string, o source.Offset) (Restart, bool) {
	before := s.previous()
	if before == nil || o.Likeliest().OnOtherTable == "" {
		return goOn()
	}
	was := sourceNamed(before, key)
	if was.None || was.Likeliest() != o.Likeliest() || !otherIdentity(was, o) {
		return goOn()
	}
	return refuses(s.batch(), o.Likeliest().OnOtherTable,
		"%s is of table %s and %s of table %s; a start reads both", before.File, was.Identity(), s.Last.Plan.File, o.Identity())
}
