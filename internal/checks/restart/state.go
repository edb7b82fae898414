package restart

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
	"tidemark/internal/checks"
	"tidemark/internal/checks/basics"
	"tidemark/internal/checks/stores"
)

// operatorRecords is the comparison of the query's operators with their records, where no query passes it.
func operatorRecords(s *Judge) (checks.Restart, bool) {
	if !s.Stateful() || !stores.ComparesOperators(s.Pass) {
		return goOn()
	}
	for i := range s.Survey.State {
		op := &s.Survey.State[i]
		if !stores.ReadRecord(op) || !stores.Judged(s.Pass, op, s.FirstBatch()) {
			continue
		}
		if text, stops := stores.IdentityFlaw(op); stops {
			return refuses(s.FirstBatch(), "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA", "%s", text)
		}
	}
	return goOn()
}

// stateStart is what of state stops a start: folders and files that are missing or hold nothing, since
// 4.1 files that their checksums disown, and what is in the files.
func stateStart(s *Judge) (checks.Restart, bool) {
	if basics.DeclaresNoState(s.Pass) {
		return goOn() // what exists is not loaded
	}
	version, ok := stores.StartVersion(s.Pass)
	if !ok {
		return Unknown("the folder state could not be listed: %s", why(s.State.Err)), true
	}
	if u, ok := stores.UnlistedState(s.Pass); ok {
		return Unknown("%s, from which the first batch loads state, could not be listed: %s", u.Name, why(u.Err)), true
	}
	for i := range s.Survey.State {
		for _, e := range s.Survey.State[i].Problems() {
			if stores.SchemaStops(s.Pass, e) {
				return refuses(version, s.schemaWords(e), "%s", basics.FlawText(e))
			}
		}
	}
	if out, ok := s.schemaGone(); ok {
		return out, true
	}
	if words, because, ok := stateRefusal(s, version); ok {
		return refuses(version, words, "%s", because)
	}
	words, because, err := stores.ChecksumRefusal(s.Ctx, s.Pass)
	switch {
	case err != nil:
		return Unknown("the checksums of state files could not be read: %s", why(err)), true
	case words != "":
		return refuses(version, words, "%s", because)
	}
	return contentsStop(s, version)
}

// schemaGone is a schema file that the record of an operator names and that is missing. A start reads all of them (4.0 on).
func (s *Judge) schemaGone() (checks.Restart, bool) {
	for i := range s.Survey.State {
		op := &s.Survey.State[i]
		if names := stores.LackingSchemas(s.Pass, op); len(names) > 0 && s.FirstBatch() > 0 && s.OnSpark(4, 0) {
			return refuses(s.FirstBatch(), "FileNotFoundException: File does not exist", "%s names %s, which is missing", op.Metadata.File, names[0])
		}
	}
	return goOn()
}

// schemaWords is what Spark says of a schema file, or of a record of an operator, that it cannot read (3.5.9 and 4.3.0).
func (s *Judge) schemaWords(e *decode.Error) string {
	if e.What == log.OperatorWhat {
		return recordWords(e)
	}
	switch e.Flaw {
	case decode.Encoding:
		return "UTFDataFormatException: malformed input around byte"
	case decode.NoVersion:
		return s.Since(4, 0, "MALFORMED_LOG_FILE", "Log file was malformed: failed to read correct log version")
	case decode.VersionUnknown:
		return s.Since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "UnsupportedLogVersion: maximum supported log version")
	case decode.Malformed:
		return s.Since(3, 3, "UNSUPPORTED_DATATYPE: Unsupported data type", "Unsupported dataType")
	}
	return "EOFException"
}

// recordWords is what Spark says of a record of version 2 that it cannot read (4.3.0).
func recordWords(e *decode.Error) string {
	switch text := e.Err.Error(); {
	case e.Flaw == decode.Empty:
		return "NullPointerException"
	case strings.HasPrefix(text, "it is of version"):
		return "Expected version 2, but found 1"
	case strings.HasPrefix(text, "stateStoreInfo names"):
		return "head of empty array"
	case e.Flaw == decode.VersionUnknown:
		return "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION"
	case e.Flaw == decode.NoVersion:
		return "MALFORMED_LOG_FILE"
	}
	return cmp.Or(jsonFlaw(e), mappingException)
}

// contentsStop is what is in the files that are loaded, as far as it stops a start.
func contentsStop(s *Judge, version int64) (checks.Restart, bool) {
	var unread *checkpoint.Unread
	for n := range stores.Needs(s.Pass) {
		for _, f := range n.Chain.Files {
			c := n.Contents(s.Pass, f)
			switch {
			case c == nil:
				unread = cmp.Or(unread, &checkpoint.Unread{Name: n.Path(f.Name()), Err: cmp.Or(s.Ctx.Err(), stores.ErrUnread)})
			case len(c.Unread) > 0:
				unread = cmp.Or(unread, &c.Unread[0])
			}
			if c == nil {
				continue
			}
			for _, flaw := range c.Flaws {
				switch {
				case flaw.Kind == statestore.Hidden && (ofFilter(flaw) || !asksAgain(s, n.Op)):
					continue
				case flaw.Kind == statestore.Unlike, flaw.Kind == statestore.Miscounted:
					continue // nothing compares them
				}
				return refuses(version, s.flawWords(f, flaw), "%s: %v", flaw.Where, flaw.Err)
			}
		}
	}
	if unread != nil {
		return Unknown("%s, which the first batch loads, could not be read: %s", unread.Name, why(unread.Err)), true
	}
	return goOn()
}

// ofFilter reports whether a flaw is in a filter of an SST file, without which RocksDB continues (seen on 4.3.0).
func ofFilter(flaw statestore.FileFlaw) bool { return strings.Contains(flaw.What, "filter") }

// asksAgain reports whether the operator asks for rows that it knows already, so that it meets a broken
// block. An aggregation by a key does, and one by sessions goes over those of each key; one by windows, and one that looks for
// duplicates, ask for new
// rows, which RocksDB's bloom filters answer, and go over the others silently.
func asksAgain(s *Judge, op *statestore.Operator) bool {
	last := s.Last
	if strings.HasPrefix(op.Name, "sessionWindow") {
		return true
	}
	return !strings.HasPrefix(op.Name, "dedupe") && (last == nil || last.Plan == nil || last.Plan.Watermark <= 0)
}

// flawWords is what Spark says of a flaw.
func (s *Judge) flawWords(f state.File, flaw statestore.FileFlaw) string {
	sst := f.Role == state.Zip && path.Ext(flaw.File) == ".sst"
	words := ""
	switch {
	case flaw.Kind == statestore.OtherSize:
		return s.Since(4, 0, "CANNOT_LOAD_STATE_STORE.UNEXPECTED_FILE_SIZE", "Copied file, expected other bytes")
	case flaw.Kind == statestore.Gone:
		words = "FileNotFoundException: File does not exist"
	case flaw.Kind == statestore.Another:
		words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: Mismatch in unique ID on table file " + tableNumber(flaw.File)
	case f.Role == state.Zip && flaw.What == "MANIFEST":
		words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: checksum mismatch"
	case f.Role == state.Zip && flaw.What == statestore.ManifestSize:
		words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: Sst file size mismatch"
	case f.Role == state.Zip && flaw.What == statestore.ManifestNames:
		words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: Corruption: IO error: No such file or directory"
	case flaw.Kind == statestore.Hidden:
		words = "RocksDBException: block checksum mismatch"
	case sst:
		words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: Corruption: Bad table magic number"
		if flaw.What != sstFooter {
			words = s.Since(4, 0, "", "SparkException: ") + "RocksDBException: block checksum mismatch"
		}
	case f.Role == state.Zip && flaw.Flaw == decode.Cut:
		words = "EOFException: Unexpected end of ZLIB input stream"
	case f.Role == state.Zip && flaw.Flaw == decode.Checksum:
		words = "ZipException: invalid entry CRC"
	case f.Role == state.Zip && flaw.Offset == 0:
		words = "NoSuchFileException"
	case f.Role == state.Zip:
		words = "ZipException: invalid entry size"
	case flaw.Flaw == decode.Cut && strings.Contains(flaw.File, "!"):
		words = "EOFException"
	case flaw.Flaw == decode.Cut:
		words = "EOFException: Stream ended prematurely"
	default:
		words = "IOException: Stream is corrupted"
	}
	return s.Since(4, 0, stores.Uncategorized, "") + words
}

// tableNumber is the number in the name of an SST file: "15" of "000015-<uuid>.sst".
func tableNumber(file string) string {
	number, _, _ := strings.Cut(path.Base(file), "-")
	return strings.TrimLeft(number, "0")
}

// sstFooter is what errors call the footer of an SST file.
const sstFooter = "SST footer"

// stateRefusal says why the first batch cannot load this version, in Spark's words and ours.
func stateRefusal(s *Judge, version int64) (words, because string, refused bool) {
	p := s.Pass
	if version <= 0 || basics.Continuous(p) {
		return "", "", false
	}
	if gone := stores.GoneState(p); len(gone) > 0 {
		g := gone[0]
		if g.Op == nil {
			return s.Since(4, 2, "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY", stores.NotThere(s.Start, nil)), g.Evidence, true
		}
		return stores.NotThere(s.Start, g.Op), g.Evidence, true
	}
	for n := range stores.Needs(p) {
		if !n.Chain.Whole() {
			file := n.MissingFile(p)
			return stores.NotThere(s.Start, n.Op), fmt.Sprintf("%s is missing; version %d cannot be rebuilt without it", n.Path(file), version), true
		}
		for _, f := range n.Chain.Empty() {
			return s.Since(4, 0, stores.Uncategorized, "") + s.emptyWords(f), fmt.Sprintf("%s has 0 bytes; version %d cannot be rebuilt without it", n.Path(f.Name()), version), true
		}
	}
	return "", "", false
}

// emptyWords is what Spark meets in a state file of no bytes.
func (s *Judge) emptyWords(f state.File) string {
	switch {
	case stores.ChecksumStops(s.Pass, f):
		return "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED"
	case f.Role == state.Zip:
		return "NoSuchFileException"
	}
	return "EOFException"
}

// joinSchemas is the comparison of the query with the schemas of a join that differ from each other (3.1 on).
func joinSchemas(s *Judge) (checks.Restart, bool) {
	if !s.Stateful() || s.FirstBatch() == 0 || !s.OnSpark(3, 1) {
		return goOn()
	}
	for i := range s.Survey.State {
		told := ""
		if stores.SchemasOfJoin(&s.Survey.State[i], func(_ *state.Schema, text string) { told = text }); told != "" {
			return refuses(s.FirstBatch(), s.Since(4, 0, "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", "Provided schema doesn't match to the schema for existing state"), "%s", told)
		}
	}
	return goOn()
}
