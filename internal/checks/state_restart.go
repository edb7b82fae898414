package checks

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"tidemark/checkpoint"
	"tidemark/checkpoint/decode"
	"tidemark/checkpoint/log"
	"tidemark/checkpoint/state"
	"tidemark/checkpoint/statestore"
)

// stateStart is what of state stops a start: folders and files that are not there or hold nothing, since
// 4.1 files that their checksums disown, and what stands in the files.
func stateStart(s *start) (Restart, bool) {
	if declaresNoState(s.Pass) {
		return goOn() // what is there is not loaded
	}
	version, ok := startVersion(s.Pass)
	if !ok {
		return unknown("the folder state could not be listed: %s", why(s.State.Err)), true
	}
	if u, ok := unlistedState(s.Pass); ok {
		return unknown("%s, which the first batch loads state from, could not be listed: %s", u.Name, why(u.Err)), true
	}
	for i := range s.Survey.State {
		for _, e := range s.Survey.State[i].Problems() {
			if schemaStops(s.Pass, e) {
				return refuses(version, s.schemaWords(e), "%s", said(e))
			}
		}
	}
	if out, ok := s.schemaGone(); ok {
		return out, true
	}
	if words, because, ok := stateRefusal(s, version); ok {
		return refuses(version, words, "%s", because)
	}
	words, because, err := checksumRefusal(s.ctx, s.Pass)
	switch {
	case err != nil:
		return unknown("the checksums of state files could not be read: %s", why(err)), true
	case words != "":
		return refuses(version, words, "%s", because)
	}
	return contentsStop(s, version)
}

// schemaGone is a schema file that the record of an operator names and that is not there. A start reads all of them (4.0 on).
func (s *start) schemaGone() (Restart, bool) {
	for i := range s.Survey.State {
		op := &s.Survey.State[i]
		if names := lackingSchemas(s.Pass, op); len(names) > 0 && s.batch() > 0 && s.atLeast(4, 0) {
			return refuses(s.batch(), "FileNotFoundException: File does not exist", "%s names %s, which is not there", op.Metadata.File, names[0])
		}
	}
	return goOn()
}

// schemaWords is what Spark says of a schema file, or of a record of an operator, that it cannot read (3.5.9 and 4.3.0).
func (s *start) schemaWords(e *decode.Error) string {
	if e.What == log.OperatorWhat {
		return recordWords(s, e)
	}
	switch e.Flaw {
	case decode.Encoding:
		return "UTFDataFormatException: malformed input around byte"
	case decode.NoVersion:
		return s.since(4, 0, "MALFORMED_LOG_FILE", "Log file was malformed: failed to read correct log version")
	case decode.VersionUnknown:
		return s.since(4, 0, "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION", "UnsupportedLogVersion: maximum supported log version")
	case decode.Malformed:
		return s.since(3, 3, "UNSUPPORTED_DATATYPE: Unsupported data type", "Unsupported dataType")
	}
	return "EOFException"
}

// recordWords is what Spark says of a record of version 2 that it cannot read (4.3.0).
func recordWords(s *start, e *decode.Error) string {
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

// contentsStop is what stands in the files that are loaded, as far as it stops a start.
func contentsStop(s *start, version int64) (Restart, bool) {
	var unread *checkpoint.Unread
	for n := range stateNeeds(s.Pass) {
		for _, f := range n.chain.Files {
			c := n.contents(s.Pass, f)
			switch {
			case c == nil:
				unread = cmp.Or(unread, &checkpoint.Unread{Name: n.path(f.Name()), Err: cmp.Or(s.ctx.Err(), errUnread)})
			case len(c.Unread) > 0:
				unread = cmp.Or(unread, &c.Unread[0])
			}
			if c == nil {
				continue
			}
			for _, flaw := range c.Flaws {
				switch {
				case flaw.Kind == statestore.Hidden && (ofFilter(flaw) || !asksAgain(s, n.op)):
					continue
				case flaw.Kind == statestore.Unlike, flaw.Kind == statestore.Miscounted:
					continue // nothing compares them
				}
				return refuses(version, s.flawWords(f, flaw), "%s: %v", flaw.Where, flaw.Err)
			}
		}
	}
	if unread != nil {
		return unknown("%s, which the first batch loads, could not be read: %s", unread.Name, why(unread.Err)), true
	}
	return goOn()
}

var errUnread = errors.New("the reading ended before")

// ofFilter reports whether a flaw is in a filter of an SST file, without which RocksDB goes on (seen on 4.3.0).
func ofFilter(flaw statestore.FileFlaw) bool { return strings.Contains(flaw.What, "filter") }

// asksAgain reports whether the operator asks for rows that it knows already, so that it meets a broken
// block. An aggregation by a key does, and one by sessions goes over those of each key; one by windows, and one that looks for duplicates, ask for new
// rows, which RocksDB's bloom filters answer, and go over the others without a word.
func asksAgain(s *start, op *statestore.Operator) bool {
	last := s.Last
	if strings.HasPrefix(op.Name, "sessionWindow") {
		return true
	}
	return !strings.HasPrefix(op.Name, "dedupe") && (last == nil || last.Plan == nil || last.Plan.Watermark <= 0)
}

// flawWords is what Spark says of a flaw.
func (s *start) flawWords(f state.File, flaw statestore.FileFlaw) string {
	sst := f.Role == state.Zip && path.Ext(flaw.File) == ".sst"
	words := ""
	switch {
	case flaw.Kind == statestore.OtherSize:
		return s.since(4, 0, "CANNOT_LOAD_STATE_STORE.UNEXPECTED_FILE_SIZE", "Copied file, expected other bytes")
	case flaw.Kind == statestore.Gone:
		words = "FileNotFoundException: File does not exist"
	case flaw.Kind == statestore.Another:
		words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: Mismatch in unique ID on table file " + tableNumber(flaw.File)
	case f.Role == state.Zip && flaw.What == "MANIFEST":
		words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: checksum mismatch"
	case f.Role == state.Zip && flaw.What == statestore.ManifestSize:
		words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: Sst file size mismatch"
	case f.Role == state.Zip && flaw.What == statestore.ManifestNames:
		words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: Corruption: IO error: No such file or directory"
	case flaw.Kind == statestore.Hidden:
		words = "RocksDBException: block checksum mismatch"
	case sst:
		words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: Corruption: Bad table magic number"
		if flaw.What != sstFooter {
			words = s.since(4, 0, "", "SparkException: ") + "RocksDBException: block checksum mismatch"
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
	return s.since(4, 0, uncategorized, "") + words
}

// tableNumber is the number in the name of an SST file: "15" of "000015-<uuid>.sst".
func tableNumber(file string) string {
	number, _, _ := strings.Cut(path.Base(file), "-")
	return strings.TrimLeft(number, "0")
}

// sstFooter is what errors call the footer of an SST file.
const sstFooter = "SST footer"

// stateRefusal says why the first batch cannot load this version, in Spark's words and ours.
func stateRefusal(s *start, version int64) (words, because string, refused bool) {
	p := s.Pass
	if version <= 0 || continuous(p) {
		return "", "", false
	}
	if gone := goneState(p); len(gone) > 0 {
		g := gone[0]
		if g.op == nil {
			return s.since(4, 2, "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY", notThere(s.Start, nil)), g.evidence, true
		}
		return notThere(s.Start, g.op), g.evidence, true
	}
	for n := range stateNeeds(p) {
		if !n.chain.Whole() {
			file := n.missingFile(p)
			return notThere(s.Start, n.op), fmt.Sprintf("%s is not there, and version %d cannot be rebuilt without it", n.path(file), version), true
		}
		for _, f := range n.chain.Empty() {
			return s.since(4, 0, uncategorized, "") + s.emptyWords(f), fmt.Sprintf("%s has 0 bytes, and version %d cannot be rebuilt without it", n.path(f.Name()), version), true
		}
	}
	return "", "", false
}

// emptyWords is what Spark meets in a state file of no bytes.
func (s *start) emptyWords(f state.File) string {
	switch {
	case checksumStops(s.Pass, f):
		return "CHECKPOINT_FILE_CHECKSUM_VERIFICATION_FAILED"
	case f.Role == state.Zip:
		return "NoSuchFileException"
	}
	return "EOFException"
}
