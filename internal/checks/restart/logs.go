package restart

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/source"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
)

// Words of Spark's messages that do not depend on the release.
const (
	concurrentUpdate = "CONCURRENT_STREAM_LOG_UPDATE"
	incompleteLog    = "Incomplete log file"
	endOfInput       = "Unexpected end-of-input"
	parseException   = "JsonParseException"
	mappingException = "MappingException"
	nothingToMap     = "No content to map due to end-of-input"
	noUTF8           = "MalformedInputException: Input length = 1"
	emptyIterator    = "next on empty iterator"
	sourcesNow       = "sources in the checkpoint offsets"
)

// QueryID is StreamMetadata: the file metadata, read before anything else.
func QueryID(s *Judge) (checks.Restart, bool) {
	for _, u := range s.Survey.Unread {
		if u.Name == "metadata" || u.Name == "." && u.List && s.Survey.Metadata == nil {
			return Unknown("metadata, which has the query ID, could not be read: %s", why(u.Err)), true
		}
	}
	m := s.Survey.Metadata
	if m == nil {
		if s.OnSpark(4, 2) && (len(s.Offsets.Files) > 0 || len(s.Commits.Files) > 0) {
			return refuses(-1, "STREAMING_CHECKPOINT_MISSING_METADATA_FILE",
				"metadata, which has the query ID, is missing; Spark 4.2 and later refuse to start without it")
		}
		return goOn()
	}
	if m.ID != "" && !basics.HasFlaw(m.Problems, decode.ByteOrderMark) && !basics.HasFlaw(m.Problems, decode.NotUUID) {
		return goOn()
	}
	words := parseException
	switch {
	case basics.HasFlaw(m.Problems, decode.Empty), basics.HasFlaw(m.Problems, decode.Blank):
		words = nothingToMap
	case basics.HasFlaw(m.Problems, decode.ByteOrderMark):
		words = parseException + ": Unexpected character"
	case basics.HasFlaw(m.Problems, decode.Cut):
		words = endOfInput
	case basics.HasFlaw(m.Problems, decode.Value):
		words = mappingException + ": No usable value for id"
	case basics.HasFlaw(m.Problems, decode.NotUUID):
		words = notUUID(m.ID)
	}
	return refuses(-1, words, "metadata, which has the query ID, cannot be parsed: %s", m.Problems[0].Err)
}

// notUUID is what Java's UUID.fromString says of a query id that is none.
func notUUID(id string) string {
	switch {
	case utf8.RuneCountInString(id) > 36:
		return "UUID string too large"
	case strings.Count(id, "-") != 4:
		return "Invalid UUID string: " + id
	}
	return "NumberFormatException"
}

// NewestNotFound is a number that a listing shows and that Spark cannot open under its own name: "08",
// "+8". 3.3 and older take a folder of that name for a batch as well.
func NewestNotFound(s *Judge) (checks.Restart, bool) {
	if folder := LastFolder(&s.Offsets); folder > s.L && !s.OnSpark(3, 4) {
		return refuses(folder, s.folderWords(folder), "offsets/%d is a folder where Spark looks for the newest offset file", folder)
	}
	if s.Offsets.Find(s.L) != nil {
		return goOn()
	}
	return s.misnamed(&s.Offsets, s.L)
}

// folderWords is what Spark 3.3 and older say of a folder that has the name of the newest batch. 3.0 and older try to read it
// (HDFSMetadataLog.get; from source, not tried).
func (s *Judge) folderWords(batch int64) string {
	return s.Since(3, 1, fmt.Sprintf("failed to read log file for batch %d", batch), isFolder)
}

// isFolder are the words of Hadoop where a file to read is a folder.
const isFolder = "FileNotFoundException: Is a directory"

func (s *Judge) misnamed(d *checkpoint.LogDir, id int64) (checks.Restart, bool) {
	words := s.Since(3, 4, fmt.Sprintf("File %s/%d does not exist", d.Name, id), fmt.Sprintf("failed to read log file for batch %d", id))
	return refuses(id, words, "%s counts as batch %d, but Spark then opens %s/%d, which is missing", basics.LogName(d, id), id, d.Name, id)
}

// LastFolder is the largest number that names a folder in a log; -1 for none.
func LastFolder(d *checkpoint.LogDir) int64 {
	last := int64(-1)
	for _, e := range d.Others {
		if n := log.ParseName(e.Name); e.Dir && n.Role == log.LogFile && !n.Compact {
			last = max(last, n.ID)
		}
	}
	return last
}

// NewestPlanFlaw is offsets/L as OffsetSeqLog reads it.
func NewestPlanFlaw(s *Judge) (checks.Restart, bool) {
	if s.Last == nil || s.Last.Plan == nil {
		return s.unread(s.Last, fmt.Sprintf("offsets/%d", s.L))
	}
	return s.PlanFlaw(s.Last.Plan, s.L)
}

// PlanBeforeFlaw is the same for offsets/L-1.
func PlanBeforeFlaw(s *Judge) (checks.Restart, bool) {
	if s.L == 0 || s.Offsets.Find(s.L-1) == nil {
		return goOn()
	}
	if s.Before == nil || s.Before.Plan == nil {
		return s.unread(s.Before, fmt.Sprintf("offsets/%d", s.L-1))
	}
	return s.PlanFlaw(s.Before.Plan, s.L-1)
}

func (s *Judge) PlanFlaw(p *log.Plan, batch int64) (checks.Restart, bool) {
	if words, e := s.versionFlaw(p.Problems, s.Since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "maximum supported log version")); e != nil {
		return refuses(batch, words, "%s", basics.FlawText(e))
	}
	if p.Version > 1 && !s.OnSpark(4, 2) {
		r, ok := refuses(batch, s.Since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "maximum supported log version is v1"),
			"%s has log version %d, which Spark %s cannot read (4.2 and later can)", p.File, p.Version, s.Spark)
		r.Sound = p.HasMetadata && !basics.HasFlaw(p.Problems, decode.Malformed)
		return r, ok
	}
	if !p.HasMetadata && len(p.Sources) == 0 {
		if e := problemOf(p.Problems, 1, decode.Cut); e != nil || p.Size <= int64(len("v1\r\n")) {
			return refuses(batch, emptyIterator, "%s ends after its version line", p.File)
		}
	}
	for _, e := range p.Problems {
		if words := jsonFlaw(e); words != "" && (e.What == "offset log metadata" || e.What == log.ConfWhat) {
			return refuses(batch, words, "%s", basics.FlawText(e))
		}
	}
	return s.lineFlaw(p, batch)
}

// versionFlaw is what the version line of a log file comes to, and bytes that are no text: Spark's words, and the problem. tooNew
// are the words for a version above all known ones.
func (s *Judge) versionFlaw(problems []*decode.Error, tooNew string) (string, *decode.Error) {
	for _, e := range problems {
		if e.Flaw == decode.Encoding {
			return noUTF8, e // lines are read through a buffer: the bad byte is met before the first of them is judged
		}
	}
	for _, e := range problems {
		switch e.Flaw {
		case decode.Empty:
			return incompleteLog, e
		case decode.ByteOrderMark, decode.NoVersion:
			return s.Since(4, 0, "MALFORMED_LOG_FILE", "Log file was malformed: failed to read correct log version"), e
		case decode.VersionUnknown:
			return tooNew, e
		}
	}
	return "", nil
}

// jsonFlaw are the words of Spark's JSON parser for a problem in a line of JSON; "" where it has none. It has
// none for what follows a value, for a number that it cuts to 64 bits, and for what is no object, in which it
// finds no field (3.5.9 and 4.3.0).
func jsonFlaw(e *decode.Error) string {
	switch e.Flaw {
	case decode.Blank:
		return nothingToMap
	case decode.Cut:
		return endOfInput
	case decode.Malformed:
		return parseException
	case decode.Value:
		return mappingException
	}
	return ""
}

// problemOf is the first problem of a flaw in a line, nil for none.
func problemOf(all []*decode.Error, line int, flaw decode.Flaw) *decode.Error {
	for _, e := range all {
		if e.Line == line && e.Flaw == flaw {
			return e
		}
	}
	return nil
}

// lineFlaw is the line of a source that no longer parses. The offset of a source is opaque to Spark's
// log and only its source reads it, so a line counts where the other plan shows what belongs there.
func (s *Judge) lineFlaw(p *log.Plan, batch int64) (checks.Restart, bool) {
	for i, o := range p.Sources {
		e, broken := o.Problem.(*decode.Error)
		if !broken || o.Raw == "" || len(o.Kinds) > 0 || p.Version > 1 {
			continue
		}
		words := jsonFlaw(e)
		kind := s.kindOf(p, i)
		if words == "" || kind.Name == "" && e.Flaw != decode.Cut {
			continue
		}
		return refuses(batch, cmp.Or(kind.OnGarbled, words), "%s", basics.FlawText(e))
	}
	return goOn()
}

// kindOf is the likeliest kind of source i, from the other of the two plans; see source.Offset.Likeliest where that shows none.
func (s *Judge) kindOf(p *log.Plan, i int) *source.Kind {
	for _, b := range []*checkpoint.Batch{s.Last, s.Before} {
		if b != nil && b.Plan != nil && b.Plan != p && i < len(b.Plan.Sources) && len(b.Plan.Sources[i].Kinds) > 0 {
			return b.Plan.Sources[i].Likeliest()
		}
	}
	return source.Offset{}.Likeliest()
}

// SourceCount is the assertion on the number of source lines (OffsetSeq.toStreamProgress), as far as
// offsets/L shows it: no line at all, an empty one, or fewer than sources has folders.
func SourceCount(s *Judge) (checks.Restart, bool) {
	p := s.Last.Plan
	if len(p.Sources) == 0 {
		return refuses(s.L, sourcesNow, "%s has no source line", p.File)
	}
	for _, o := range p.Sources {
		if o.Raw == "" && !o.None {
			return refuses(s.L, sourcesNow, "line %d of %s is empty, and Spark counts it as a source", o.Where.Line, p.File)
		}
	}
	if s.L > 0 || p.Version > 1 {
		return goOn()
	}
	for _, e := range s.Sources.Entries {
		if n := log.ParseName(e.Name); e.Dir && n.Role == log.LogFile && n.ID >= int64(len(p.Sources)) {
			return refuses(s.L, sourcesNow, "%s has %s, but sources/%s shows that the query has more", p.File, basics.Lines(len(p.Sources)), e.Name)
		}
	}
	return goOn()
}

// SourceCounts is the same assertion on offsets/L-1: both plans must have as many lines as the query
// has sources, so two that differ cannot both pass.
func SourceCounts(s *Judge) (checks.Restart, bool) {
	if s.Before == nil || s.Before.Plan == nil || s.Before.Plan.Version > 1 || s.Last.Plan.Version > 1 {
		return goOn()
	}
	was, is := len(s.Before.Plan.Sources), len(s.Last.Plan.Sources)
	if was == is {
		return goOn()
	}
	return refuses(s.L, sourcesNow, "%s has %s and %s has %s; a restart needs one line per source in both", s.Before.Plan.File, basics.Lines(was), s.Last.Plan.File, basics.Lines(is))
}

// PlanBeforeMissing is offsets/L-1, which every start needs since 2.3 (the sources of 2.1 and 2.2.0 do without).
func PlanBeforeMissing(s *Judge) (checks.Restart, bool) {
	if s.L == 0 || !s.OnSpark(2, 3) || s.Offsets.Find(s.L-1) != nil || basics.AsyncHoles(s.Pass) && !basics.AsyncOff(s.Pass) {
		return goOn()
	}
	words := fmt.Sprintf("batch %d doesn't exist", s.L-1)
	if s.OnSpark(4, 3) && !s.AllCommitted() {
		words = fmt.Sprintf("Previous batch %d not found in offset log", s.L-1)
	}
	out, stops := refuses(s.L-1, words, "offsets/%d is missing; a restart reads it together with offsets/%d", s.L-1, s.L)
	out.Sound = basics.AsyncHoles(s.Pass) // the mode left it out, and the query has the mode no more
	return out, stops
}

// MetadataLine is an empty line 2: there is nothing to make a WatermarkTracker from, which is new in 2.4.
func MetadataLine(s *Judge) (checks.Restart, bool) {
	if p := s.Last.Plan; p.Has(decode.NoMetadata) && s.OnSpark(2, 4) {
		return refuses(s.L, "NullPointerException: WatermarkTracker", "line 2 of %s is empty: the watermark, time and settings of batch %d are lost", p.File, s.L)
	}
	return goOn()
}

// NewestCommit is commits/C as CommitLog reads it.
func NewestCommit(s *Judge) (checks.Restart, bool) {
	if !s.OnSpark(2, 2) {
		return goOn() // 2.1 has no commit log
	}
	if folder := LastFolder(&s.Commits); folder > s.C && !s.OnSpark(3, 4) {
		return refuses(folder, s.folderWords(folder), "commits/%d is a folder where Spark looks for the newest commit", folder)
	}
	if s.C < 0 {
		return goOn()
	}
	if s.Commits.Find(s.C) == nil {
		return s.misnamed(&s.Commits, s.C)
	}
	if s.Committed == nil || s.Committed.Commit == nil {
		return s.unread(s.Committed, fmt.Sprintf("commits/%d", s.C))
	}
	return s.readCommit(s.Committed.Commit, s.C)
}

// readCommit is the commit of a batch as CommitLog.deserialize reads it.
func (s *Judge) readCommit(c *log.Commit, batch int64) (checks.Restart, bool) {
	tooNew := s.Since(4, 2, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", s.Since(4, 0, "INVALID_LOG_VERSION.EXACT_MATCH_VERSION", "maximum supported log version is v1"))
	if words, e := s.versionFlaw(c.Problems, tooNew); e != nil {
		if e.Flaw == decode.Empty {
			words = "Incomplete log file in the offset commit log"
		}
		return refuses(batch, words, "%s", basics.FlawText(e))
	}
	if out, ok := s.commitVersion(c, batch, tooNew); ok {
		return out, true
	}
	for _, e := range c.Problems {
		if words := jsonFlaw(e); words != "" {
			return refuses(batch, words, "%s", basics.FlawText(e))
		}
	}
	if c.Version > 2 && len(c.Sinks) == 0 {
		return refuses(batch, mappingException, "%s has log version %d but no sinkMetadataMap", c.File, c.Version)
	}
	return goOn()
}

// commitVersion is the version of a commit that is well-formed. 3.5 and older know version 1 alone;
// 4.0 and 4.1 take exactly the one of their setting, which no file records: the commit before
// stands for it.
func (s *Judge) commitVersion(c *log.Commit, batch int64, tooNew string) (checks.Restart, bool) {
	before := 0
	if s.AllCommitted() && s.Before != nil && s.Before.Commit != nil {
		before = s.Before.Commit.Version
	}
	switch {
	case s.OnSpark(4, 2):
		return goOn()
	case c.Version > 2, c.Version > 1 && !s.OnSpark(4, 0):
		r, ok := refuses(batch, tooNew, "%s has log version %d, which Spark %s does not accept", c.File, c.Version, s.Spark)
		r.Sound = before == 0 || before == c.Version
		return r, ok
	case before > 0 && before != c.Version:
		return refuses(batch, tooNew, "%s has log version %d and %s has %d; Spark %s accepts only the version its checkpoint format writes",
			c.File, c.Version, s.Before.Commit.File, s.Before.Commit.Version, s.Spark)
	}
	return goOn()
}
