package source

import "tidemark/checkpoint/decode"

// DeltaSharing is a table read through Delta Sharing by its older client. A line means what Delta's
// does, under other names:
//
//	{"sourceVersion":1,"tableId":"5b0c7a4e-…","tableVersion":42,"index":17,"isStartingVersion":true}
//
// Newer clients write Delta's own line.
//
// Written by DeltaSharingSourceOffset.
var DeltaSharing = &Kind{
	Name:    "delta-sharing",
	Aliases: []string{"deltaSharing"},
	Unit:    "files",
	Claims: func(line decode.JSON) bool {
		return has(line, "tableId", "tableVersion", "index", "isStartingVersion", "sourceVersion")
	},
	Parts:           func(line decode.JSON) ([]Part, error) { return deltaParts(line, "tableId", "tableVersion") },
	Inclusive:       true,
	Identity:        func(line decode.JSON) string { return text(line, "tableId") },
	Snapshot:        func(line decode.JSON) (string, bool) { return deltaSnapshot(line, "tableVersion") },
	Count:           sameNum,
	CountIs:         "at most",
	StartingOffsets: func(line decode.JSON) (string, string) { return "startingVersion", deltaStart(line, "tableVersion") },
	Repeats:         func(line decode.JSON) string { return deltaRepeats(line, "tableVersion") },

	Table:   DeltaTable,
	TableID: true,
}
