package restart

import (
	"fmt"
	"math"
	"path"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/sources"
)

// otherDeltaTable is a start of a Delta source whose table is not the one that was read
// (DeltaSource, DeltaSourceOffset.validateId).
func otherDeltaTable(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if s.Kept == nil || o.Likeliest().OnOtherTable == "" {
		return goOn()
	}
	for i := range s.Kept.Sources {
		if k := sources.Held(s.Kept, i); k.Other != "" && k.Key == key {
			out, _ := refuses(s.FirstBatch(), o.Likeliest().OnOtherTable, "source %s: %s", key, k.Other)
			out.Sound = true
			return out, true
		}
	}
	return goOn()
}

// Sources are the logs that the sources keep themselves: read as the sources are opened, and once
// more as the last batch is asked of them again (MicroBatchExecution.populateStartOffsets calls
// getBatch for it, committed or not).
func Sources(s *Judge) (checks.Restart, bool) {
	if s.Last == nil || s.Last.Plan == nil {
		return goOn()
	}
	steps := []func(*Judge, string, source.Offset) (checks.Restart, bool){FileLogOpened, fileLogAsked, fileLogNext, kinesisEnds,
		lineVersion, deltaTable, otherDeltaTable, tableStops}
	for _, step := range steps {
		for i, o := range s.Last.Plan.InOrder() {
			if s.Last.Plan.Version > 1 && o.Name == "" {
				continue // no name before the offset: Spark finds no source for it
			}
			if out, ok := step(s, basics.SourceKey(i, o), o); ok {
				return out, true
			}
		}
	}
	return goOn()
}

// fileLogsOpened is the log of a file source that cannot be read as the source is made, which is before a start reads
// offsets and commits. What else can be wrong with a source is reported after those: it takes the newest plan.
func fileLogsOpened(s *Judge) (checks.Restart, bool) {
	for i := range s.Survey.Folders {
		f := &s.Survey.Folders[i]
		key := path.Base(f.Name)
		if !f.IsLog() || !s.PlansSource(key) {
			continue
		}
		if out, ok := FileLogOpened(s, key, source.Offset{}); ok && out.Outcome == checks.Refuses {
			return out, true
		}
	}
	return goOn()
}

// PlansSource reports whether the newest plan has a source of this key, or cannot tell.
func (s *Judge) PlansSource(key string) bool {
	if s.Last == nil || s.Last.Plan == nil || len(s.Last.Plan.Sources) == 0 {
		return true
	}
	for i, o := range s.Last.Plan.InOrder() {
		if basics.SourceKey(i, o) == key {
			return true
		}
	}
	return false
}

// unlistedSource is a source whose folder could not be looked into.
func (s *Judge) unlistedSource(key string) (checks.Restart, bool) {
	if err := s.Sources.Err; err != nil {
		return Unknown("the folder sources, which a restart reads, could not be listed: %s", why(err)), true
	}
	if f := basics.FolderOf(s.Pass, key); f != nil && f.Err != nil {
		return Unknown("the folder %s, which a restart reads, could not be listed: %s", f.Name, why(f.Err)), true
	}
	return goOn()
}

// FileLogOpened is FileStreamSource as it is made: it reads its whole log, that is the newest compact
// file and all after it (CompactibleFileStreamLog.allFiles).
func FileLogOpened(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if !basics.FileSource(s.Pass, key, o) {
		return goOn()
	}
	if out, ok := s.unlistedSource(key); ok {
		return out, true
	}
	f := basics.FolderOf(s.Pass, key)
	if f == nil {
		return goOn()
	}
	if len(f.Needs.Missing) > 0 && s.OnSpark(2, 3) { // before, what is missing was skipped (sources of 2.1.3, 2.2.0 and 2.3.4)
		name, latest := f.Needs.Missing[0], f.Log.Latest()
		return refuses(s.FirstBatch(), fmt.Sprintf("%s/%s doesn't exist (latestId: %d, compactInterval: %d)", f.Name, name, latest, f.Log.CompactInterval(log.DefaultInterval)),
			"%s goes up to %d, which needs %s; missing: %s", f.Name, latest, sources.NeededNames(f), f.Needs.MissingText())
	}
	for _, file := range f.Files {
		if file.Err != nil {
			return Unknown("%s, which a restart reads, could not be read: %s", file.Name, why(file.Err)), true
		}
		if words, e := s.LogFlaw(file); e != nil {
			return refuses(s.FirstBatch(), words, "%s", basics.FlawText(e))
		}
	}
	return goOn()
}

// LogFlaw is what stops the reader of a file source's log, in Spark's words; nil for nothing.
func (s *Judge) LogFlaw(f *checkpoint.SourceFile) (string, *decode.Error) {
	if words, e := s.versionFlaw(f.Problems, s.Since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "maximum supported log version is v1")); e != nil {
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
func fileLogAsked(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if o.None || !basics.FileSource(s.Pass, key, o) {
		return goOn()
	}
	from, has := int64(-1), false
	if before := s.Previous(); before != nil && s.L > 0 {
		if was := basics.SourceNamed(before, key); !was.None {
			if from, has = basics.LogOffset(was); !has {
				return s.notLong(was)
			}
		}
	}
	to, ok := basics.LogOffset(o)
	switch {
	case !ok:
		return s.notLong(o)
	case from == to && !s.AllCommitted():
		return goOn() // nothing new: a batch that runs again does not ask this source
	case from > to:
		return refuses(s.FirstBatch(), "assertion failed", "%s ends at entry %d of sources/%s, but %s at entry %d", s.Last.Plan.File, to, key, s.Previous().File, from)
	}
	f := basics.FolderOf(s.Pass, key)
	words := sources.Absent(f, from+1, to)
	if words == "" || !s.OnSpark(2, 3) { // verifyBatchIds is new in 2.3
		return goOn()
	}
	return refuses(s.FirstBatch(), words, "%s names entry %d of sources/%s, but %s", s.Last.Plan.File, to, key, sources.LogReach(f))
}

// notLong is a line that FileStreamSourceOffset cannot read.
func (s *Judge) notLong(o source.Offset) (checks.Restart, bool) {
	if _, broken := o.Problem.(*decode.Error); broken && len(o.Kinds) == 0 {
		return goOn() // no JSON: told with the plan
	}
	return refuses(s.FirstBatch(), source.File.OnAnother,
		"%s: the folder of this source has a file source log, but its line has no logOffset", o.Where)
}

// fileLogNext is the batch after a committed one, where the log ends below the plan: the next id that
// the log gives is then lower than where the batch must start.
func fileLogNext(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if o.None || !s.AllCommitted() || !basics.FileSource(s.Pass, key, o) {
		return goOn()
	}
	to, ok := basics.LogOffset(o)
	latest := int64(-1)
	f := basics.FolderOf(s.Pass, key)
	if f != nil {
		latest = f.Log.Latest()
	}
	if !ok || to >= math.MaxInt64-1 || latest+1 >= to {
		return goOn()
	}
	return refuses(s.L+1, "assertion failed", "%s is at entry %d of sources/%s, but %s: the next files get a lower number", s.Last.Plan.File, to, key, sources.LogReach(f))
}

// kinesisEnds is the start of a batch after a committed one: where each shard ended is in the
// connector's own files, and nowhere else.
func kinesisEnds(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	if !o.Likeliest().EndsApart || !s.AllCommitted() {
		return goOn()
	}
	if out, ok := s.unlistedSource(key); ok {
		return out, true
	}
	f := basics.FolderOf(s.Pass, key)
	want := sources.MissingEnd(f, o)
	if want == "" {
		return goOn()
	}
	return refuses(s.FirstBatch(), "Unable to fetch committed metadata from previous batch",
		"batch %d starts where %s/%s says batch %d ended, but that folder is missing", s.L+1, f.Name, want, s.L)
}

// deltaTable is a Delta source whose two newest plans are of different tables. A start asks the table
// that is there now for both, so one of them is refused.
func deltaTable(s *Judge, key string, o source.Offset) (checks.Restart, bool) {
	before := s.Previous()
	if before == nil || o.Likeliest().OnOtherTable == "" {
		return goOn()
	}
	was := basics.SourceNamed(before, key)
	if was.None || was.Likeliest() != o.Likeliest() || !basics.OtherIdentity(was, o) {
		return goOn()
	}
	return refuses(s.FirstBatch(), o.Likeliest().OnOtherTable,
		"%s names table %s and %s names table %s; a restart reads both", before.File, was.Identity(), s.Last.Plan.File, o.Identity())
}
