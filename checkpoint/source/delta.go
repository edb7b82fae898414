package source

import (
	"fmt"
	"math"
	"strconv"

	"tidemark/checkpoint/decode"
)

// Delta is a Delta table as a source. A line holds the version of the table that is being read and
// the last of its files that belongs to the batch:
//
//	{"sourceVersion":1,"reservoirId":"7b0c6a4e-…","reservoirVersion":812,"index":2999,"isStartingVersion":true}
//	{"sourceVersion":1,"reservoirId":"7b0c6a4e-…","reservoirVersion":813,"index":-1,"isStartingVersion":false}
//
// The files of a version are numbered from 0. Index -1 stands before the first: all of the version
// before is read, and nothing of this one. So (head of the table + 1, -1) is the normal place of a
// query that has caught up. -20 and -19 stand at and just after a change of the table's schema; they
// come before the files of their version and force source version 3.
//
// isStartingVersion has nothing to do with the option startingVersion. It means that the query is
// still inside the full snapshot of that version with which it began.
//
// reservoirId is the id in the table's metadata, not a path. Another id is another table, and Delta
// refuses it. Delta refuses source versions below 1, 2, and above 3. A version or index within 100 of
// the largest 64-bit number is the end mark that Delta keeps in memory and must not be in a log.
//
// Written by DeltaSourceOffset.
var Delta = &Kind{
	Name:      "delta",
	Unit:      "files",
	Claims:    func(line decode.JSON) bool { return has(line, "reservoirId") },
	Parts:     func(line decode.JSON) ([]Part, error) { return deltaParts(line, "reservoirId", "reservoirVersion") },
	Inclusive: true,
	Identity:  func(line decode.JSON) string { return text(line, "reservoirId") },
	Snapshot:  func(line decode.JSON) (string, bool) { return deltaSnapshot(line, "reservoirVersion") },
	Count:     sameNum,
	CountIs:   "at most",
	StartingOffsets: func(line decode.JSON) (string, string) {
		return "startingVersion", deltaStart(line, "reservoirVersion")
	},
	Repeats: func(line decode.JSON) string { return deltaRepeats(line, "reservoirVersion") },

	Table:        DeltaTable,
	TableID:      true,
	Follows:      []*Kind{DeltaSharing},
	SchemaLog:    true,
	OnOtherTable: "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
	Unread:       deltaUnread,
	Described:    []string{"DeltaSource["},
	Located:      true,
}

// deltaUnread is a line of a version that no release reads (DeltaSourceOffset.Deserializer).
func deltaUnread(raw string) (condition, because string) {
	line, err := decode.ParseFields([]byte(raw))
	if err != nil {
		return "", ""
	}
	version, _ := line.Get("sourceVersion")
	n, ok := version.Int()
	switch {
	case !ok:
		return "", ""
	case n > deltaNewest:
		return "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION", fmt.Sprintf("has sourceVersion %d, and Delta reads up to %d", n, deltaNewest)
	case n < 1 || n == 2:
		return "DELTA_INVALID_SOURCE_VERSION", fmt.Sprintf("has sourceVersion %d, which Delta does not read", n)
	}
	return "", ""
}

// Indexes that are no file's, as they stand in a line.
const (
	deltaBefore       = -1                  // before the first file
	deltaSchemaChange = -20                 // at a change of the schema
	deltaSchemaDone   = -19                 // just after it
	deltaBase         = -100                // before the first file, as Delta keeps it in memory
	deltaEnd          = math.MaxInt64 - 100 // from here on, of a version or an index, it is the end mark

	deltaNewest = 3 // source versions known: 1 and 3
)

func deltaParts(line decode.JSON, id, version string) ([]Part, error) {
	r := reader{line: line}
	if v := r.field(id); v.Kind != decode.String || v.Text == "" {
		r.reject(v, "%s: %s is not a table ID", id, shown(v))
	}
	if n, v := r.int("sourceVersion", 1); n > deltaNewest || n == 2 {
		r.reject(v, "Delta does not read sourceVersion %d", n)
	}
	r.bool("isStartingVersion")
	num, lead := r.int(version, 0)
	if num >= deltaEnd {
		r.reject(lead, "%s %d is the end mark Delta keeps in memory", version, num)
	}
	index, follow := r.int("index", deltaBase)
	if index >= deltaEnd {
		r.reject(follow, "index %d is the end mark Delta keeps in memory", index)
	}
	if index < deltaBefore && index != deltaBase && index != deltaSchemaChange && index != deltaSchemaDone {
		r.reject(follow, "index %d is neither a file nor a Delta marker", index)
	}
	parts := composite(Pair, lead, follow)
	for i := range parts {
		parts[i].Position.Sub = max(index, deltaBefore) // all other places are before the first file
	}
	return parts, r.err()
}

func deltaSnapshot(line decode.JSON, version string) (string, bool) {
	if !truth(line, "isStartingVersion") {
		return "", false
	}
	v, index := integer(line, version), integer(line, "index")
	if index < 0 {
		return fmt.Sprintf("version %d, none of its files read yet", v), true
	}
	return fmt.Sprintf("version %d, files 0 to %d read", v, index), true
}

// deltaStart is the value of startingVersion. The option names whole versions: where a line stands
// after some files of a version, these are read again (see deltaRepeats); the version after it would
// lose the others. Inside the first snapshot no value goes on: startingVersion would read the changes
// of that version, and never the rest of the snapshot.
func deltaStart(line decode.JSON, version string) string {
	if truth(line, "isStartingVersion") {
		return ""
	}
	return strconv.FormatInt(integer(line, version), 10)
}

func deltaRepeats(line decode.JSON, version string) string {
	index := integer(line, "index")
	if index < 0 {
		return ""
	}
	return fmt.Sprintf("files 0 to %d of version %d", index, integer(line, version))
}
