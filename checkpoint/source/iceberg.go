package source

import (
	"fmt"

	"tidemark/checkpoint/decode"
)

// Iceberg is an Iceberg table as a source. A line holds a snapshot of the table and how many of its
// files are read, which is the index of the next one:
//
//	{"version":1,"snapshot_id":8236465713390021201,"position":3,"scan_all_files":false}
//	{"version":1,"snapshot_id":-1,"position":-1,"scan_all_files":false}
//
// The second is a table that had nothing to read yet. Snapshot ids are random 64-bit numbers: two of
// them have no order, and a difference means nothing across snapshots. scan_all_files says that all
// files of the snapshot are read, not only those that it added.
//
// There is no option that takes this place: stream-from-timestamp wants a time, which the id does
// not tell.
//
// Written by StreamingOffset in Iceberg, which refuses any version but 1. The first offset also
// stands in sources/<i>/offsets/0, without a version line.
var Iceberg = &Kind{
	Name:   "iceberg",
	Unit:   "files",
	Claims: func(line decode.JSON) bool { return has(line, "snapshot_id", "position", "scan_all_files") },
	Parts:  icebergParts,
	Count:  sameNum,
	Snapshot: func(line decode.JSON) (string, bool) {
		id := integer(line, "snapshot_id")
		if !truth(line, "scan_all_files") || id < 0 {
			return "", false
		}
		return fmt.Sprintf("snapshot %d with all its files, %d of them read", id, integer(line, "position")), true
	},

	Table:     IcebergTable,
	First:     ReadsAlways,
	Described: []string{"org.apache.iceberg.spark.source.SparkMicroBatchStream"},
}

func icebergParts(line decode.JSON) ([]Part, error) {
	r := reader{line: line}
	if n, v := r.int("version", 1); n > 1 {
		r.reject(v, "Iceberg does not read version %d", n)
	}
	r.bool("scan_all_files")
	id, lead := r.int("snapshot_id", -1)
	position, follow := r.int("position", -1)
	if position == -1 && id != -1 {
		r.reject(follow, "position -1 belongs to no snapshot (-1), not to %d", id)
	}
	return composite(Within, lead, follow), r.err()
}
